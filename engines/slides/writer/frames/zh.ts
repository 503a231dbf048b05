/** The slide templates (frames) for each kind of talk, in Chinese. */
import type { Frame } from '../frame.ts'
import type { TopicKind } from '../topic.ts'
import { picture, points, steps } from './make.ts'
import { happenings } from './zh-happenings.ts'
import { reasons } from './zh-reasons.ts'
import { thought } from './zh-thought.ts'
import { work } from './zh-work.ts'
import { world } from './zh-world.ts'

export const chineseFrames: Readonly<Record<TopicKind, readonly Frame[]>> = { ...work, ...thought, ...happenings, ...world, ...reasons }

/** Frames for any kind of talk. Except for the next steps, these frames only fill a long deck
 *  when there are too few frames for the kind of the talk. */
export const commonChinese: readonly Frame[] = [
  picture(3, '仔细看一看', '在此放一张照片，或由网关绘制。', '最先看到了什么？', '画面里缺少什么？', '在这之前发生了什么？'),
  points(3, '带走三件事', '请听众自己说出这三件事。', '记住：最值得记住的一句话', '存疑：转述之前要查证的说法', '行动：最小的下一步'),
  steps(
    1,
    '下一步',
    '约定由谁来做。',
    '今天 | 商定 | 谁来牵头，先做哪一件',
    '本周 | 开始 | 从花力气最少、学到最多的部分做起',
    '本月 | 回顾 | 什么有效，什么无效，接下来做什么',
  ),
  points(3, '请大家讨论', '每个问题之后等十秒。', '什么让你感到意外？', '你的看法有何不同？', '还应该有谁在场？', '接下来想知道什么？'),
]
