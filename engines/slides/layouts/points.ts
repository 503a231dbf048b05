/** Points: cards where each has a short lead, else a list, and as many pages as it takes. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Box, Item, Page } from '../model/page.ts'
import { fitText, type Paragraph, type Setting, spreadText } from '../type/fit.ts'
import { body, bodyBox, card, contentPages, heading, margin, mustFit, rectangle, type Scene, type Span, tonesOf } from './scene.ts'
import { leadOf } from './words.ts'

const gutter = 0.3

/** Beside a short list: to the right edge of the page. */
export const panel: Box = { x: 9.45, y: 0, w: 3.883, h: 7.5 }
export const besidePanel: Span = { x: margin, w: 8.2 }

export function pointsPages(slide: Slide, scene: Scene): Omit<Page, 'slide'>[] {
  const cards = cardsOf(slide, scene)
  if (cards) return contentPages(slide, scene, [cards])
  const paragraphs = bulletsOf(slide.points, scene)
  const beside = fitText(paragraphs, listSetting({ ...bodyBox, ...besidePanel }, scene, { largest: 26, smallest: 19 }))
  if (beside && slide.points.length <= 7)
    return contentPages(slide, scene, [[scene.picture(slide, panel, slide.points.length), beside]], besidePanel)
  const setting = listSetting(bodyBox, scene, { largest: 22, smallest: 15 })
  return contentPages(
    slide,
    scene,
    spreadText(paragraphs, setting).map(part => [mustFit(part, setting)]),
  )
}

/** Paragraphs with the sign of the template and a bold lead. */
export function bulletsOf(points: readonly string[], scene: Scene): Paragraph[] {
  const { look } = scene.theme
  return points.map(point => ({ runs: leadRuns(point, scene), bullet: { sign: look.bullet, colour: tonesOf(scene).accent, indent: 0.32 } }))
}

export function leadRuns(point: string, scene: Scene): Paragraph['runs'] {
  const { lead, rest } = leadOf(point)
  if (lead === undefined) return [body(rest, scene)]
  const isWide = /[\u3000-\u9fff]$/u.test(lead)
  return [{ ...body(lead, scene, true), text: `${lead}${isWide ? '：' : ': '}` }, body(rest, scene)]
}

function listSetting(box: Box, scene: Scene, sizes: Setting['sizes']): Setting {
  return { box, sizes, leading: 1.25, gap: 0.6, align: 'left', valign: 'top', colour: tonesOf(scene).ink }
}

/** A grid of cards: two to six points, all with a lead, all inside of their card at a size that can be read. */
function cardsOf(slide: Slide, scene: Scene): Item[] | undefined {
  const points = slide.points.map(leadOf)
  if (points.length < 2 || points.length > 6 || points.some(({ lead }) => lead === undefined)) return undefined
  const columns = points.length === 4 ? 2 : Math.min(3, points.length)
  const rows = Math.ceil(points.length / columns)
  const isPlain = scene.theme.look.card === 'ruled'
  const pad = isPlain ? 0 : 0.28
  const w = (bodyBox.w - gutter * (columns - 1)) / columns
  const rowHeight = rows === 1 ? 3.9 : (bodyBox.h - gutter) / 2
  const boxes = points.map((_point, k) => ({
    x: bodyBox.x + (k % columns) * (w + gutter),
    y: bodyBox.y + (rows === 1 ? 0.3 : 0) + Math.floor(k / columns) * (rowHeight + gutter),
    w,
    h: rowHeight,
  }))
  const tones = tonesOf(scene)
  const leadSizes = sharedSize(
    points.map(({ lead = '' }) => [{ runs: [heading(lead, scene)] }]),
    leadBox(boxes[0] as Box, pad),
    { largest: 24, smallest: 15 },
    1.1,
  )
  const restSizes = sharedSize(
    points.map(({ rest }) => [{ runs: [body(rest, scene)] }]),
    restBox(boxes[0] as Box, pad),
    { largest: 20, smallest: 14 },
    1.25,
  )
  if (leadSizes === undefined || restSizes === undefined) return undefined
  return points.flatMap(({ lead = '', rest }, k): Item[] => {
    const box = boxes[k] as Box
    const common = { align: 'left', colour: tones.ink } as const
    return [
      ...card(box, scene),
      ...(isPlain ? [] : [rectangle({ x: box.x + pad, y: box.y + 0.3, w: 0.45, h: 0.06 }, tones.accentFill)]),
      mustFit([{ runs: [heading(lead, scene)] }], {
        ...common,
        box: leadBox(box, pad),
        sizes: { largest: leadSizes, smallest: leadSizes },
        leading: 1.1,
        valign: 'bottom',
      }),
      mustFit([{ runs: [body(rest, scene)] }], {
        ...common,
        box: restBox(box, pad),
        sizes: { largest: restSizes, smallest: restSizes },
        leading: 1.25,
        valign: 'top',
      }),
    ]
  })
}

function leadBox({ x, y, w }: Box, pad: number): Box {
  return { x: x + pad, y: y + 0.4, w: w - 2 * pad, h: 0.62 }
}

function restBox({ x, y, w, h }: Box, pad: number): Box {
  return { x: x + pad, y: y + 1.12, w: w - 2 * pad, h: h - 1.12 - Math.max(0.1, pad * 0.7) }
}

/** The largest size at which every text fits the box: texts beside one another are set alike. Undefined when one does not fit at all. */
export function sharedSize(texts: readonly Paragraph[][], box: Box, sizes: Setting['sizes'], leading: number): number | undefined {
  let size = sizes.largest
  for (const paragraphs of texts) {
    const item = fitText(paragraphs, {
      box,
      sizes: { largest: size, smallest: sizes.smallest },
      leading,
      align: 'left',
      valign: 'top',
      colour: '#000000',
    })
    if (!item) return undefined
    size = item.size
  }
  return size
}
