import type { RelationKind } from '../../scene.ts'
import type { Edit } from '../edit-types.ts'
import { changeTo, sizeFactor, toneEdits } from './change.ts'
import { amountOf, anyColour, type InstructionContext, meaningOf, newSubjects, placeOf, quoteAt, targetOf, wholeEdits } from './common.ts'
import { border, remove } from './english.ts'
import { shapeEdits } from './shape.ts'

type Rule = [RegExp, (found: RegExpExecArray, context: InstructionContext) => Edit[] | undefined]

/** Returns the edits of one Chinese command; undefined when no rule matches. */
export function chineseCommand(text: string, context: InstructionContext): Edit[] | undefined {
  const lettering = textEdit(text, context)
  if (lettering) return lettering
  const shape = shapeEdits(text, context)
  if (shape) return shape
  for (const [pattern, make] of rules) {
    const found = pattern.exec(text)
    const edits = found ? make(found, context) : undefined
    if (edits) return edits
  }
  const tone = toneEdits(text)
  if (tone) return tone
  const whole = wholeEdits(meaningOf(text, context))
  return whole.length > 0 ? whole : undefined
}

const become =
  '(?:变成|改成|换成|改为|变为|换为|替换成|替换为|转换成|转换为|转为|转成|做成|变|改|调成|设为|设成|染成|涂成|画成|调整为|调整成|处理成)'

const rules: Rule[] = [
  [
    /^(?:把|将)?(?:背景)(?:模糊|虚化)(?:一下|一点|掉)?$|^(?:模糊|虚化)(?:一下)?背景$|背景(?:变得?|要)?(?:更)?(?:模糊|虚化)/,
    found => [{ kind: 'blur', area: 'background', amount: amountOf(found[0]) }],
  ],
  [
    /^(?:把|将)?(?:图片|照片|画面|整体|整张图|图)?(?:变|弄|整体)?(?:模糊)(?:一下|一点|一些)?$/,
    found => [{ kind: 'blur', area: 'whole', amount: amountOf(found[0]) }],
  ],
  [/锐化|(?:更|再)?清晰(?:一点|一些)?$/, found => [{ kind: 'sharpen', amount: amountOf(found.input) }]],
  [/(?:反色|反相|负片)/, () => [{ kind: 'invert' }]],
  [
    /(提高|增加|增强|加强|调高|加大|降低|减少|减弱|调低|减小)(?:一点|一些|图片的?|画面的?|整体)?(亮度|曝光|对比度|饱和度|色温|清晰度|锐度)(.*)$/,
    found => toneOf(found),
  ],
  [
    /(亮度|曝光|对比度|饱和度|色温)(提高|增加|增强|调高|高|降低|减少|减弱|调低|低)(.*)$/,
    found => toneOf([found[0], found[2], found[1], found[3]]),
  ],
  [/(?:加|添加|增加|加上).*(?:暗角|晕影)/, found => [{ kind: 'vignette', amount: amountOf(found.input) }]],
  [/(?:加|添加|增加|加上|套).*(?:边框|相框|画框|框)/, (found, context) => border(found.input, context)],
  [/^(?:把|将|让)(.+?)(?:移|挪|放|移动)(?:到|至|在)(.+)$/, (found, context) => move(found[1] ?? '', found[2] ?? '', context)],
  [/^(?:把|将)?(.+?)(?:放大|缩小|变大|变小|弄大|弄小)(.*)$/, (found, context) => resize(found, context)],
  [/^(?:放大|缩小)(.+)$/, (found, context) => resizeAfter(found, context)],
  [new RegExp(`^(?:把|将|让|使)?(.+?)的背景${become}(.+)$`), (found, context) => changeTo('背景', found[2] ?? '', context)],
  [new RegExp(`^(?:把|将|让|使)(.+?)${become}(.+)$`), (found, context) => changeTo(found[1] ?? '', clean(found[2] ?? ''), context)],
  [new RegExp(`^(.+?)${become}(.+)$`), (found, context) => changeTo(found[1] ?? '', clean(found[2] ?? ''), context)],
  [new RegExp(`^${become}(.+)$`), (found, context) => changeTo('画面', clean(found[1] ?? ''), context)],
  [/^(?:让|使|把|将)(.+?)(?:变得?|更|再)(.+?)(?:一点|一些|点)?$/, (found, context) => changeTo(found[1] ?? '', found[2] ?? '', context)],
  [/^(?:去掉|删除|移除|去除|删掉|擦除|擦掉|移走|拿掉|不要|消除|去)(.+)$/, (found, context) => remove(found[1] ?? '', context)],
  [/^(?:把|将)(.+?)(?:去掉|删除|移除|去除|删掉|擦除|擦掉|移走|拿掉|消除)$/, (found, context) => remove(found[1] ?? '', context)],
  [/^(?:换|更换|替换)(?:一个|个)?背景(?:为|成)?(.+)$/, (found, context) => changeTo('背景', found[1] ?? '', context)],
  [
    /^(?:用|使用|采用|应用)(.+?)(?:风格|滤镜|效果)(?:重绘|重画|绘制)?$/,
    (found, context) => changeTo('画面', `${found[1] ?? ''}风格`, context),
  ],
  [/^给(.+?)(?:加上?|戴上?|穿上?|添加|增加|配上?)(.+)$/, (found, context) => addTo(found[1] ?? '', found[2] ?? '', context)],
  [/^在(.+?)(?:处|那里)?(?:加上?|添加|放上?|增加|画上|加入|放置)(.+)$/, (found, context) => addAt(found[1] ?? '', found[2] ?? '', context)],
  [
    /^(?:加上?|添加|增加|放上?|加入|画上|画一|插入|再加|多加)(.+?)在(.+)$/,
    (found, context) => addAt(found[2] ?? '', found[1] ?? '', context),
  ],
  [/^(?:加上?|添加|增加|放上?|加入|画上|画一|插入|再加|多加)(.+)$/, (found, context) => addPlain(found[1] ?? '', context)],
]

function clean(phrase: string): string {
  return phrase.replace(/^(?:一个|一张|一幅)?/, '').replace(/(?:的样子|的效果)$/, '')
}

function toneOf(found: ArrayLike<string | undefined>): Edit[] {
  const isUp = /提高|增|加|高/.test(found[1] ?? '')
  const amount = (isUp ? 1 : -1) * amountOf(found[3] ?? '')
  const what = found[2] ?? ''
  if (what === '对比度') return [{ kind: 'contrast', amount }]
  if (what === '饱和度') return [{ kind: 'saturation', amount }]
  if (what === '色温') return [{ kind: 'temperature', amount }]
  if (what === '清晰度' || what === '锐度')
    return amount > 0 ? [{ kind: 'sharpen', amount }] : [{ kind: 'blur', area: 'whole', amount: -amount }]
  return [{ kind: 'brightness', amount }]
}

function move(what: string, where: string, context: InstructionContext): Edit[] | undefined {
  const target = targetOf(what, context)
  const place = placeOf(where, context)
  return target && place ? [{ kind: 'move', target, place }] : undefined
}

function resize(found: RegExpExecArray, context: InstructionContext): Edit[] | undefined {
  const target = targetOf(found[1] ?? '', context)
  const factor = sizeFactor(found.input.slice((found[1] ?? '').length))
  return target && target.noun !== 'image' && factor !== undefined ? [{ kind: 'resize', target, factor }] : undefined
}

function resizeAfter(found: RegExpExecArray, context: InstructionContext): Edit[] | undefined {
  const target = targetOf(found[1] ?? '', context)
  const factor = sizeFactor(found.input)
  return target && target.noun !== 'image' && factor !== undefined ? [{ kind: 'resize', target, factor }] : undefined
}

function addTo(who: string, what: string, context: InstructionContext): Edit[] | undefined {
  const target = targetOf(who, context)
  if (!target || target.noun === 'image') return addPlain(what, context)
  const meaning = meaningOf(what, context)
  if (meaning.scene.subjects.length === 0) return undefined
  const isWorn = /帽|眼镜|墨镜|围巾|皇冠|王冠|面具|口罩|耳机|头盔|领结|领带|蝴蝶结/.test(what)
  return [{ kind: 'add', subjects: newSubjects(meaning), anchor: { relation: isWorn ? 'wearing' : 'beside', target } }]
}

const localizers: [RegExp, RelationKind][] = [
  [/(?:的)?(?:左边|左侧|左面)$/, 'left-of'],
  [/(?:的)?(?:右边|右侧|右面)$/, 'right-of'],
  [/(?:的)?(?:上方|上空)$/, 'above'],
  [/(?:的)?(?:下面|底下|下方)$/, 'under'],
  [/(?:的)?(?:后面|背后|后方)$/, 'behind'],
  [/(?:的)?(?:前面|前方)$/, 'in-front-of'],
  [/(?:的)?(?:旁边|旁|附近|边上)$/, 'beside'],
  [/(?:的)?(?:周围|四周)$/, 'around'],
  [/(?:的)?(?:里面|里|中)$/, 'in'],
  [/(?:的)?(?:上面|上)$/, 'on'],
]

function addAt(where: string, what: string, context: InstructionContext): Edit[] | undefined {
  const meaning = meaningOf(what, context)
  const subjects = newSubjects(meaning)
  if (subjects.length === 0) return addPlain(what, context)
  for (const [pattern, relation] of localizers) {
    const found = pattern.exec(where)
    const target = found && found.index > 0 ? targetOf(where.slice(0, found.index), context) : undefined
    if (target && !['image', 'background', 'sky'].includes(target.noun)) return [{ kind: 'add', subjects, anchor: { relation, target } }]
  }
  const place = placeOf(where, context) ?? (/天空|空中|天上/.test(where) ? { vertical: 'top' as const } : undefined)
  return place ? [{ kind: 'add', subjects, place }] : [{ kind: 'add', subjects }]
}

function addPlain(what: string, context: InstructionContext): Edit[] | undefined {
  const meaning = meaningOf(what, context)
  if (meaning.scene.subjects.length > 0) return [{ kind: 'add', subjects: newSubjects(meaning) }]
  const whole = wholeEdits(meaning)
  return whole.length > 0 ? whole : undefined
}

function textEdit(text: string, context: InstructionContext): Edit[] | undefined {
  if (!/写|文字|字样|标题|题字|字幕/.test(text) || /^(?:去|删|移|擦|不要|把文字|将文字|把标题)/.test(text)) return undefined
  const bare = /(?:写上?|文字[为是]?|标题[为是]?|字样)[:：]?\s*([^\s，。在]{1,20})$/.exec(text)?.[1]
  const words = quoteAt(text, context) ?? bare
  if (words === undefined || words.startsWith('⟦')) return undefined
  const rest = text.replace(/⟦\d+⟧/g, ' ')
  const place = placeOf(rest, context)
  const colour = anyColour(rest, context)
  const onThing = /在(.+?)上(?:面)?(?:写|加|添)/.exec(rest)?.[1]
  const on = onThing && !placeOf(onThing, context) ? targetOf(onThing, context) : undefined
  const isThing = on !== undefined && !['image', 'background', 'sky', 'it'].includes(on.noun)
  return [
    { kind: 'text', lettering: { text: words, ...(place ? { place } : {}), ...(colour ? { colour } : {}) }, ...(isThing ? { on } : {}) },
  ]
}
