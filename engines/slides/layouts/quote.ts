import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Page } from '../model/page.ts'
import type { Run } from '../type/measure.ts'
import { body, bodyBox, contentPages, mustFit, rectangle, type Scene, tonesOf } from './scene.ts'
import { cleanLine } from './words.ts'

/** A quotation, large, with who said it. */
export function quotePages(slide: Slide, scene: Scene): Omit<Page, 'slide'>[] {
  const { text = '', by } = slide.quote ?? {}
  const tones = tonesOf(scene)
  const box = { x: bodyBox.x + 1.3, y: bodyBox.y + 0.1, w: bodyBox.w - 2.3, h: 3.5 }
  const { heading: face } = scene.theme.faces
  const run: Run = { text: cleanLine(text), face, weight: 400, ...(face === 'serif' ? { isItalic: true } : {}) }
  const quote = mustFit([{ runs: [run] }], {
    box,
    sizes: { largest: 34, smallest: 14 },
    leading: 1.3,
    align: 'left',
    valign: 'middle',
    colour: tones.ink,
  })
  const mark = mustFit([{ runs: [{ text: '“', face: 'serif', weight: 700 }] }], {
    box: { x: bodyBox.x, y: bodyBox.y - 0.05, w: 1.1, h: 1.75 },
    sizes: { largest: 120, smallest: 60 },
    leading: 1,
    align: 'left',
    valign: 'top',
    colour: tones.accent,
  })
  const under = box.y + box.h + 0.2
  const author = by
    ? [
        rectangle({ x: box.x, y: under + 0.2, w: 0.6, h: 0.045 }, tones.accentFill),
        mustFit([{ runs: [body(by, scene)] }], {
          box: { x: box.x + 0.8, y: under, w: box.w - 0.8, h: 0.45 },
          sizes: { largest: 18, smallest: 8 },
          align: 'left',
          valign: 'middle',
          colour: tones.muted,
        }),
      ]
    : []
  return contentPages(slide, scene, [[mark, quote, ...author]])
}
