/** The frames of each kind of talk in Chinese. */
import type { Frame } from '../frame.ts'
import type { TopicKind } from '../topic.ts'
import { happenings } from './zh-happenings.ts'
import { reasons } from './zh-reasons.ts'
import { thought } from './zh-thought.ts'
import { work } from './zh-work.ts'
import { world } from './zh-world.ts'

export const chineseFrames: Readonly<Record<TopicKind, readonly Frame[]>> = { ...work, ...thought, ...happenings, ...world, ...reasons }

/** For decks that are longer than what their kind fills. */
export const commonChinese: readonly Frame[] = [
  {
    layout: 'picture',
    title: '仔细看一看',
    points: ['最先看到了什么？', '画面里缺少什么？', '在这之前发生了什么？'],
    picture: '{p:near}',
    notes: '在此放一张照片，或由网关绘制。',
    rank: 3,
  },
  {
    layout: 'points',
    title: '带走三件事',
    points: ['记住：最值得记住的一句话', '存疑：转述之前要查证的说法', '行动：最小的下一步'],
    notes: '请听众自己说出这三件事。',
    rank: 3,
  },
  {
    layout: 'timeline',
    title: '下一步',
    steps: [
      { label: '今天', title: '商定', text: '谁来牵头，先做哪一件' },
      { label: '本周', title: '开始', text: '从花力气最少、学到最多的部分做起' },
      { label: '本月', title: '回顾', text: '什么有效，什么无效，接下来做什么' },
    ],
    notes: '约定由谁来做。',
    rank: 1,
  },
  {
    layout: 'points',
    title: '请大家讨论',
    points: ['什么让你感到意外？', '你的看法有何不同？', '还应该有谁在场？', '接下来想知道什么？'],
    notes: '每个问题之后等十秒。',
    rank: 3,
  },
]
