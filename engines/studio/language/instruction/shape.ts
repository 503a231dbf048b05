import type { Edit } from '../edit-types.ts'
import { amountOf, type InstructionContext, targetOf } from './common.ts'

/** Returns the edits for crop, rotate and flip in English and Chinese; undefined for other
 *  commands. */
export function shapeEdits(text: string, context: InstructionContext): Edit[] | undefined {
  return flip(text) ?? rotate(text) ?? crop(text, context)
}

function flip(text: string): Edit[] | undefined {
  if (!/\b(flip|mirror|reflect)\b|翻转|镜像|对调|倒过来|颠倒|upside down/i.test(text)) return undefined
  const isVertical = /vertical|upside down|top to bottom|上下|垂直|颠倒|倒过来/i.test(text)
  return [{ kind: 'flip', axis: isVertical ? 'vertical' : 'horizontal' }]
}

function rotate(text: string): Edit[] | undefined {
  if (
    !/\b(rotate|rotated|rotation|spin|tilt)\b|\bturn\b.*(degree|°|\bleft\b|\bright\b|clockwise|sideways)|旋转|转\s*\d|转九十|转一百八/i.test(
      text,
    )
  )
    return undefined
  if (/\bturn\b/i.test(text) && /\binto\b/i.test(text)) return undefined
  const number = /(-?\d{1,3}(?:\.\d+)?)\s*(?:°|deg|degrees?|度)?/i.exec(text)
  const spoken = /half|180|一百八|半圈/i.test(text)
    ? 180
    : /quarter|九十|ninety/i.test(text)
      ? 90
      : /forty[- ]five|四十五/i.test(text)
        ? 45
        : undefined
  const size = number ? Number(number[1]) : (spoken ?? (/tilt|slightly|a bit|一点|稍微/i.test(text) ? 5 : 90))
  const isLeft = /counter-?clockwise|anti-?clockwise|\bccw\b|\bleft\b|逆时针|向左|左转|左旋|往左/i.test(text)
  const degrees = (isLeft ? -1 : 1) * size
  const inRange = ((degrees % 360) + 360) % 360
  if (inRange === 0) return undefined
  return [{ kind: 'rotate', degrees: isLeft ? inRange - 360 : inRange }]
}

const sides: [RegExp, 'left' | 'right' | 'top' | 'bottom' | 'center'][] = [
  [/\bleft\b|左/i, 'left'],
  [/\bright\b|右/i, 'right'],
  [/\b(top|upper)\b|上/i, 'top'],
  [/\b(bottom|lower)\b|下/i, 'bottom'],
  [/\b(cent(er|re)|middle)\b|中/i, 'center'],
]

function crop(text: string, context: InstructionContext): Edit[] | undefined {
  const isCrop = /\b(crop|trim|cut off|cut out the|cut to|reframe)\b|裁/i.test(text)
  const isZoom = /\bzoom\b|放大画面|拉近|推近|聚焦到/i.test(text)
  if (!isCrop && !isZoom) return undefined
  if (/zoom out|拉远/i.test(text)) return undefined
  const ratio = /(\d{1,4}(?:\.\d+)?)\s*(?::|：|x|by|比)\s*(\d{1,4}(?:\.\d+)?)/i.exec(text)
  if (ratio) {
    const [width, height] = [Number(ratio[1]), Number(ratio[2])]
    return width > 0 && height > 0 ? [{ kind: 'crop', mode: 'ratio', width, height }] : undefined
  }
  if (/square|正方形|方形/i.test(text)) return [{ kind: 'crop', mode: 'ratio', width: 1, height: 1 }]
  if (/portrait|竖版|竖图|竖屏/i.test(text)) return [{ kind: 'crop', mode: 'ratio', width: 3, height: 4 }]
  if (/landscape|widescreen|横版|横图|横屏|宽屏/i.test(text)) return [{ kind: 'crop', mode: 'ratio', width: 16, height: 9 }]
  return cropPart(text, { isZoom, context })
}

function cropPart(text: string, { isZoom, context }: { isZoom: boolean; context: InstructionContext }): Edit[] {
  const side = sides.find(([pattern]) => pattern.test(text))?.[1]
  const share = shareOf(text)
  const cuts = /\boff\b|remove|\bout\b|away|裁掉|去掉|裁去|剪掉/i.test(text)
  if (side && side !== 'center' && cuts) return [{ kind: 'crop', mode: 'cut', side, share: share ?? 0.25 }]
  if (side && !isZoom) return [{ kind: 'crop', mode: 'keep', side, share: share ?? (side === 'center' ? 0.6 : 0.5) }]
  const on =
    /\b(?:zoom in (?:on|to|into)|crop (?:to|around|in on)|focus on|around)\s+(?:the )?(.+)$/i.exec(text)?.[1] ??
    /(?:到|放大|聚焦)(.+)$/.exec(text)?.[1]
  const target = on && side !== 'center' ? targetOf(on, context) : undefined
  const zoom = isZoom ? 1 / (1 + amountOf(text, 0.5)) : (share ?? 0.7)
  return [{ kind: 'crop', mode: 'zoom', share: Math.round(zoom * 100) / 100, ...(target && target.noun !== 'image' ? { on: target } : {}) }]
}

function shareOf(text: string): number | undefined {
  const percent = /(\d{1,2})\s*(%|percent)/i.exec(text)
  if (percent) return Math.min(0.9, Math.max(0.05, Number(percent[1]) / 100))
  if (/half|一半|半/i.test(text)) return 0.5
  if (/two thirds|三分之二/i.test(text)) return 0.67
  if (/third|三分之一/i.test(text)) return 0.33
  if (/quarter|四分之一/i.test(text)) return 0.25
  return undefined
}
