import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Box, Item, Page } from '../model/page.ts'
import { sharedSize } from './points.ts'
import { body, bodyBox, contentPages, heading, line, mustFit, rectangle, type Scene, tonesOf } from './scene.ts'

const perPage = 5

/** Steps along a line, at most five to a page. */
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
  const gutter = 0.3
  const w = (bodyBox.w - gutter * (steps.length - 1)) / steps.length
  const axis = bodyBox.y + 1.05
  const columns = steps.map((_step, k): Box => ({ x: bodyBox.x + k * (w + gutter), y: bodyBox.y, w, h: bodyBox.h }))
  const at =
    (y: number, h: number) =>
    (box: Box): Box => ({ x: box.x, y, w: box.w, h })
  const labelBox = at(bodyBox.y + 0.15, 0.6)
  const titleBox = at(axis + 0.4, 0.95)
  const textBox = at(axis + 1.4, bodyBox.h - 2.5)
  const first = columns[0] as Box
  const sizeOf = (texts: string[], box: Box, largest: number, smallest: number, leading: number) =>
    sharedSize(
      texts.map(text => line(heading(text, scene))),
      box,
      { largest, smallest },
      leading,
    ) ?? smallest
  const label = sizeOf(
    steps.map(step => step.label),
    labelBox(first),
    22,
    10,
    1,
  )
  const title = sizeOf(
    steps.map(step => step.title),
    titleBox(first),
    18,
    11,
    1.15,
  )
  const text = sizeOf(
    steps.map(step => step.text ?? ''),
    textBox(first),
    15,
    10,
    1.25,
  )
  const lineX = ends.isFirst ? bodyBox.x : 0
  const lineEnd = ends.isLast ? bodyBox.x + bodyBox.w : 13.333
  return [
    rectangle({ x: lineX, y: axis - 0.02, w: lineEnd - lineX, h: 0.04 }, tones.rule),
    ...steps.flatMap((step, k): Item[] => {
      const box = columns[k] as Box
      const common = { align: 'left', colour: tones.ink } as const
      return [
        mustFit(line(heading(step.label, scene)), {
          ...common,
          box: labelBox(box),
          sizes: { largest: label, smallest: 8 },
          leading: 1,
          valign: 'bottom',
          colour: tones.accent,
        }),
        { kind: 'shape', shape: 'ellipse', box: { x: box.x, y: axis - 0.13, w: 0.26, h: 0.26 }, fill: tones.accentFill },
        { kind: 'shape', shape: 'ellipse', box: { x: box.x + 0.075, y: axis - 0.055, w: 0.11, h: 0.11 }, fill: tones.paper },
        mustFit(line({ ...heading(step.title, scene), weight: 700 }), {
          ...common,
          box: titleBox(box),
          sizes: { largest: title, smallest: 8 },
          leading: 1.15,
          valign: 'top',
        }),
        ...(step.text
          ? [
              mustFit(line(body(step.text, scene)), {
                ...common,
                box: textBox(box),
                sizes: { largest: text, smallest: 7 },
                leading: 1.25,
                valign: 'top',
              }),
            ]
          : []),
      ]
    }),
  ]
}
