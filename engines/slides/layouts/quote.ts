import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { type Page, pointsPerInch } from '../model/page.ts'
import type { Run } from '../type/measure.ts'
import { body, line, mustFit, rectangle, type Scene } from './scene.ts'
import { cleanLine } from './words.ts'

/** A quotation, large, with who said it, on the ground of a section; the title stands small above it. */
export function quotePages(slide: Slide, scene: Scene): Omit<Page, 'slide'>[] {
  const { text = '', by } = slide.quote ?? {}
  const { theme } = scene
  const tones = theme.tones.section
  const frame = theme.frames.section
  const left = { align: 'left' } as const
  const title = mustFit(line(body(slide.title, scene, true)), {
    ...left,
    box: { x: frame.x, y: 0.55, w: frame.w, h: 0.4 },
    sizes: { largest: 14, smallest: 7 },
    valign: 'middle',
    colour: tones.muted,
    isTitle: true,
  })
  const face = theme.faces.heading
  const run: Run = { text: cleanLine(text), face, weight: 400, ...(face === 'serif' ? { isItalic: true } : {}) }
  const quoteBox = { x: frame.x, y: frame.y + 0.65, w: frame.w, h: frame.h - 0.65 }
  const quote = mustFit([{ runs: [run] }], {
    ...left,
    box: quoteBox,
    sizes: { largest: 36, smallest: 14 },
    leading: 1.28,
    valign: 'top',
    colour: tones.ink,
  })
  const mark = mustFit(line({ text: '“', face: 'serif', weight: 700 }), {
    ...left,
    box: { x: frame.x - 0.06, y: frame.y - 0.55, w: 1.2, h: 1.3 },
    sizes: { largest: 92, smallest: 60 },
    leading: 1,
    valign: 'top',
    colour: tones.accent,
  })
  const under = quoteBox.y + quote.height / pointsPerInch + 0.3
  const author = by
    ? [
        rectangle({ x: frame.x, y: under + 0.2, w: 0.6, h: 0.045 }, tones.accentFill),
        mustFit(line(body(by, scene)), {
          ...left,
          box: { x: frame.x + 0.8, y: under, w: frame.w - 0.8, h: 0.45 },
          sizes: { largest: 18, smallest: 8 },
          valign: 'middle',
          colour: tones.muted,
        }),
      ]
    : []
  return [{ ground: 'section', items: [title, mark, quote, ...author], title: slide.title, notes: slide.notes ?? '' }]
}
