import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { type Page, pointsPerInch } from '../model/page.ts'
import type { Run } from '../type/measure.ts'
import { body, line, mustFit, rectangle, type Scene } from './scene.ts'
import { cleanLine } from './words.ts'

/** Returns a page with a large quotation and its author. The slide's title stands small above the
 *  quotation; the background is that of section pages. */
export function quotePages(slide: Slide, scene: Scene): Omit<Page, 'slide'>[] {
  const { text = '', by } = slide.quote ?? {}
  const { theme } = scene
  const tones = theme.tones.section
  const frame = theme.frames.section
  const left = { align: 'left' } as const
  const mark = mustFit(line({ text: '“', face: 'serif', weight: 700 }), {
    ...left,
    box: { x: frame.x - 0.06, y: frame.y - 0.3, w: 0.95, h: 1.25 },
    sizes: { largest: 88, smallest: 60 },
    leading: 1,
    valign: 'top',
    colour: tones.accent,
  })
  const title = mustFit(line(body(slide.title, scene, true)), {
    ...left,
    box: { x: frame.x + 0.95, y: frame.y - 0.05, w: frame.w - 0.95, h: 0.5 },
    sizes: { largest: 20, smallest: 6 },
    valign: 'middle',
    colour: tones.muted,
    isTitle: true,
  })
  const face = theme.faces.heading
  const run: Run = { text: cleanLine(text), face, weight: 400, ...(face === 'serif' ? { isItalic: true } : {}) }
  const quoteBox = { x: frame.x, y: frame.y + 0.75, w: frame.w, h: frame.h - 0.65 }
  const quote = mustFit([{ runs: [run] }], {
    ...left,
    box: quoteBox,
    sizes: { largest: 36, smallest: 14 },
    leading: 1.28,
    valign: 'top',
    colour: tones.ink,
    rag: 'even',
  })
  const under = quoteBox.y + quote.height / pointsPerInch + 0.22
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
