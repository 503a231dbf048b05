import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Box, Item, Page } from '../model/page.ts'
import { body, bodyBox, card, contentPages, heading, line, mustFit, type Scene, tonesOf } from './scene.ts'
import { sharedSize } from './shared-size.ts'

const perPage = 4

/** Returns pages with key figures in large type, at most four per page, each with its description
 *  below. */
export function figuresPages(slide: Slide, scene: Scene): Omit<Page, 'slide'>[] {
  const figures = slide.figures ?? []
  const pages = Math.ceil(figures.length / perPage)
  const each = Math.ceil(figures.length / pages)
  return contentPages(
    slide,
    scene,
    Array.from({ length: pages }, (_page, p) => figuresOf(figures.slice(p * each, (p + 1) * each), scene)),
  )
}

function figuresOf(figures: NonNullable<Slide['figures']>, scene: Scene): Item[] {
  const tones = tonesOf(scene)
  const gutter = 0.35
  const w = (bodyBox.w - gutter * (figures.length - 1)) / figures.length
  const boxes = figures.map((_figure, k): Box => ({ x: bodyBox.x + k * (w + gutter), y: bodyBox.y + 0.35, w, h: 3.7 }))
  const pad = scene.theme.look.card === 'ruled' ? 0 : 0.25
  const valueBox = (box: Box): Box => ({ x: box.x + pad, y: box.y + 0.5, w: box.w - 2 * pad, h: 1.45 })
  const labelBox = (box: Box): Box => ({ x: box.x + pad, y: box.y + 2.15, w: box.w - 2 * pad, h: 1.4 })
  const first = boxes[0] as Box
  const valueSize =
    sharedSize(
      figures.map(({ value }) => line(heading(value, scene))),
      valueBox(first),
      { largest: 88, smallest: 12 },
      1,
    ) ?? 12
  const labelSize =
    sharedSize(
      figures.map(({ label }) => line(body(label, scene))),
      labelBox(first),
      { largest: 24, smallest: 9 },
      1.25,
    ) ?? 9
  return figures.flatMap(({ value, label }, k): Item[] => {
    const box = boxes[k] as Box
    return [
      ...card(box, scene),
      mustFit(line(heading(value, scene)), {
        box: valueBox(box),
        sizes: { largest: valueSize, smallest: 8 },
        leading: 1,
        align: 'left',
        valign: 'bottom',
        colour: tones.accent,
      }),
      mustFit(line(body(label, scene)), {
        box: labelBox(box),
        sizes: { largest: labelSize, smallest: 7 },
        leading: 1.25,
        align: 'left',
        valign: 'top',
        colour: tones.ink,
        rag: 'no-orphan',
      }),
    ]
  })
}
