import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { type Box, type Item, type Page, pointsPerInch } from '../model/page.ts'
import { body, bodyBox, contentPages, heading, line, mustFit, rectangle, type Scene, tonesOf } from './scene.ts'
import { sharedSize } from './shared-size.ts'

const perPage = 5
const gutter = 0.35
const axis = bodyBox.y + 1.25

/** Returns pages with steps along a horizontal line, at most five per page. */
export function timelinePages(slide: Slide, scene: Scene): Omit<Page, 'slide'>[] {
  const steps = slide.steps ?? []
  const pages = Math.ceil(steps.length / perPage)
  const each = Math.ceil(steps.length / pages)
  const bodies = Array.from({ length: pages }, (_page, p) => steps.slice(p * each, (p + 1) * each))
  return contentPages(
    slide,
    scene,
    bodies.map((some, p) => stepsOf(some, scene, { isFirst: p === 0, isLast: p === pages - 1 })),
  )
}

function stepsOf(steps: NonNullable<Slide['steps']>, scene: Scene, ends: { isFirst: boolean; isLast: boolean }): Item[] {
  const tones = tonesOf(scene)
  const w = (bodyBox.w - gutter * (steps.length - 1)) / steps.length
  const columns = steps.map((_step, k): Box => ({ x: bodyBox.x + k * (w + gutter), y: bodyBox.y, w, h: bodyBox.h }))
  const first = columns[0] as Box
  const labels = row(
    steps.map(({ label }) => line(heading(label, scene))),
    { ...first, y: axis - 0.95, h: 0.7 },
    { largest: 32, smallest: 8 },
    1,
  )
  const titles = row(
    steps.map(({ title }) => line({ ...heading(title, scene), weight: 700 })),
    { ...first, y: axis + 0.38, h: 1.15 },
    { largest: 26, smallest: 8 },
    1.15,
  )
  const top = axis + 0.38 + Math.max(...titles.map(({ height }) => height)) / pointsPerInch + 0.12
  const texts = row(
    steps.map(({ text = '' }) => line(body(text, scene))),
    { ...first, y: top, h: bodyBox.y + bodyBox.h - top },
    { largest: 22, smallest: 7 },
    1.25,
  )
  // A timeline with little text is moved down, towards the middle of the page.
  const low = top + Math.max(...texts.map(({ height }) => height)) / pointsPerInch
  const down = Math.max(0, bodyBox.y + bodyBox.h - low) * 0.4
  const from = ends.isFirst ? bodyBox.x : 0
  const to = ends.isLast ? bodyBox.x + bodyBox.w : 13.333
  const items: Item[] = [
    rectangle({ x: from, y: axis - 0.02, w: to - from, h: 0.04 }, tones.rule),
    ...columns.flatMap(({ x }, k): Item[] => {
      const common = { x, colour: tones.ink }
      return [
        { ...placed(labels[k], { ...common, colour: tones.accent }), valign: 'bottom' },
        { kind: 'shape', shape: 'ellipse', box: { x, y: axis - 0.15, w: 0.3, h: 0.3 }, fill: tones.accentFill },
        { kind: 'shape', shape: 'ellipse', box: { x: x + 0.085, y: axis - 0.065, w: 0.13, h: 0.13 }, fill: tones.paper },
        placed(titles[k], common),
        ...(steps[k]?.text ? [placed(texts[k], common)] : []),
      ]
    }),
  ]
  return items.map(item => moved(item, down))
}

/** Moves an item down by `down` inches; its box still ends at the bottom of the content area. */
function moved(item: Item, down: number): Item {
  const { box } = item
  const y = box.y + down
  return { ...item, box: { ...box, y, h: Math.min(box.h, Math.max(0.01, bodyBox.y + bodyBox.h - y)) } }
}

/** Returns the texts of a row, laid out at a common type size. All of them get the same box; the
 *  caller moves each to its place. */
function row(texts: Parameters<typeof sharedSize>[0], box: Box, sizes: { largest: number; smallest: number }, leading: number) {
  const size = sharedSize(texts, box, sizes, leading) ?? sizes.smallest
  return texts.map(text =>
    mustFit(text, { box, sizes: { largest: size, smallest: sizes.smallest }, leading, align: 'left', valign: 'top', colour: '#000000' }),
  )
}

function placed(item: ReturnType<typeof row>[number] | undefined, { x, colour }: { x: number; colour: string }) {
  if (!item) throw new TypeError('a step has no text')
  return { ...item, colour, box: { ...item.box, x } }
}
