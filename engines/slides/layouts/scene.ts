/** Data that the layouts of one deck share, and page elements that most layouts use. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Box, Item, Page, PictureItem, ShapeItem, TextItem } from '../model/page.ts'
import type { Theme, Tones } from '../templates/theme.ts'
import { fitText, type Paragraph, type Setting, setText } from '../type/fit.ts'
import type { Run } from '../type/measure.ts'
import { cleanLine, type Words } from './words.ts'

export interface Scene {
  theme: Theme
  deckTitle: string
  words: Words
  /** Returns the picture of a slide cropped to a box, or the template's ornament when the slide has
   *  none. */
  picture(slide: Slide, box: Box, seed: number): PictureItem
}

/** Layout of a content page, in inches: margin, box of the title, box of the contents. */
export const margin = 0.75
const contentWidth = 13.333 - 2 * margin
const headBox: Box = { x: margin, y: 0.5, w: contentWidth, h: 1.05 }
export const bodyBox: Box = { x: margin, y: 1.9, w: contentWidth, h: 4.75 }

/** A horizontal part of the page, in inches. */
export interface Span {
  x: number
  w: number
}

const wholeWidth: Span = { x: margin, w: contentWidth }

/** Returns a content page for each list of items in `bodies`, and adds the title, the source and
 *  the extent of the footer. With several bodies, the titles are numbered: `Title (1/3)`. */
export function contentPages(slide: Slide, scene: Scene, bodies: readonly Item[][], span = wholeWidth): Omit<Page, 'slide'>[] {
  return bodies.map((items, k) => {
    const title = bodies.length > 1 ? `${slide.title} (${k + 1}/${bodies.length})` : slide.title
    return {
      ground: 'content',
      title,
      span,
      notes: slide.notes ?? '',
      items: [...head(title, scene, span), ...items, ...source(slide, scene, span)],
    }
  })
}

/** Returns the footer of a page: its number and the title of the deck. */
export function foot(number: number, scene: Scene, { x, w }: Span): Item[] {
  const set = { sizes: { largest: 10, smallest: 9 }, align: 'left', valign: 'middle', colour: tonesOf(scene).muted } as const
  const items = [
    fitText(line(body(String(number), scene, true)), { ...set, box: { x, y: 6.99, w: 0.4, h: 0.22 } }),
    fitText(line(body(scene.deckTitle, scene)), { ...set, box: { x: x + 0.45, y: 6.99, w: w - 0.45, h: 0.22 } }),
  ]
  return items.filter(item => item !== undefined)
}

export function tonesOf(scene: Scene): Tones {
  return scene.theme.tones.content
}

export function heading(text: string, scene: Scene, colour?: string): Run {
  const { heading: face, headingWeight: weight } = scene.theme.faces
  return { text: cleanLine(text), face, weight, ...(colour === undefined ? {} : { colour }) }
}

export function body(text: string, scene: Scene, isBold = false): Run {
  return { text: cleanLine(text), face: scene.theme.faces.body, weight: isBold ? 700 : 400 }
}

/** Returns the text in a form that always fits its box. If necessary, the type is smaller than the
 *  smallest size of `setting`; if even that is not enough, the text is cut. */
export function mustFit(paragraphs: readonly Paragraph[], setting: Setting): TextItem {
  const { smallest, largest } = setting.sizes
  const fitted =
    fitText(paragraphs, setting) ?? fitText(paragraphs, { ...setting, sizes: { largest: smallest, smallest: Math.min(7, smallest) } })
  if (fitted) return fitted
  const cut = shorten(paragraphs, setting)
  return fitText(cut, { ...setting, sizes: { largest: Math.min(largest, 7), smallest: 6 } }) ?? setText([], setting, smallest)
}

/** Returns a list with one paragraph, which consists of one run (a piece of text in one style). */
export function line(run: Run): Paragraph[] {
  return [{ runs: [run] }]
}

export function rectangle(box: Box, fill: string, more: Partial<ShapeItem> = {}): ShapeItem {
  return { kind: 'shape', shape: 'rectangle', box, fill, ...more }
}

/** Returns a card: an area in the style of the template that sets its text apart from the page. */
export function card(box: Box, scene: Scene): Item[] {
  const { look } = scene.theme
  const tones = tonesOf(scene)
  if (look.card === 'ruled') return [rectangle({ ...box, h: 0.035 }, tones.accentFill)]
  const shape = look.radius > 0 ? 'rounded' : 'rectangle'
  const base = { kind: 'shape', shape, box, radius: look.radius } as const
  if (look.card === 'outlined') return [{ ...base, fill: tones.paper, line: { colour: tones.rule, points: 1 } }]
  return [{ ...base, fill: tones.panel }]
}

function head(title: string, scene: Scene, span: Span): Item[] {
  const tones = tonesOf(scene)
  const { header } = scene.theme.look
  const isMarked = header === 'bar' || (header === 'block' && span.x > margin)
  const whole = { ...headBox, ...span }
  const box = isMarked ? { ...whole, x: whole.x + 0.3, w: whole.w - 0.3 } : whole
  const text = mustFit(line(heading(title, scene)), {
    box,
    sizes: { largest: 34, smallest: 14 },
    leading: 1.1,
    align: 'left',
    valign: 'middle',
    colour: tones.ink,
    isTitle: true,
    rag: 'even',
  })
  return [...headMarks(scene, whole, text), text]
}

function headMarks(scene: Scene, { x, y, w, h }: Box, text: TextItem): Item[] {
  const tones = tonesOf(scene)
  const high = Math.max(0.5, text.height / 72)
  const beside = { y: y + (h - high) / 2, h: high }
  // The mark below a title is closer to the title than to the contents of the page.
  const under = Math.min(y + h + 0.03, y + h / 2 + high / 2 + 0.12)
  switch (scene.theme.look.header) {
    case 'bar':
      return [rectangle({ ...beside, x, w: 0.09 }, tones.accentFill)]
    case 'block':
      return [rectangle({ ...beside, x: x > margin ? x : 0, w: x > margin ? 0.12 : margin - 0.2 }, tones.accentFill)]
    case 'rule':
      return [rectangle({ x, y: under + 0.02, w, h: 0.02 }, tones.rule), rectangle({ x, y: under, w: 1.2, h: 0.06 }, tones.accentFill)]
    case 'dot':
      return [{ kind: 'shape', shape: 'ellipse', box: { x: x - 0.4, y: y + h / 2 - 0.1, w: 0.2, h: 0.2 }, fill: tones.accentFill }]
    case 'plain':
      return [rectangle({ x, y: 0.38, w: 0.7, h: 0.07 }, tones.accentFill)]
  }
}

function source(slide: Slide, scene: Scene, { x, w }: Span): Item[] {
  if (slide.source === undefined) return []
  const run = body(`${scene.words.source}${slide.source}`, scene)
  return [
    mustFit(line(run), {
      box: { x, y: 6.7, w, h: 0.26 },
      sizes: { largest: 12, smallest: 6 },
      align: 'left',
      valign: 'middle',
      colour: tonesOf(scene).muted,
    }),
  ]
}

/** Returns a beginning of the text that fits at 6 points, followed by an ellipsis. This function
 *  is the last resort for a text that fits at no readable size. */
function shorten(paragraphs: readonly Paragraph[], setting: Setting): Paragraph[] {
  const [first] = paragraphs
  const run = first?.runs[0]
  if (!first || !run) return []
  let text = first.runs.map(each => each.text).join('')
  while (text.length > 1) {
    text = text.slice(0, Math.floor(text.length * 0.9)).trimEnd()
    const cut = [{ ...first, runs: [{ ...run, text: `${text}…` }] }]
    if (fitText(cut, { ...setting, sizes: { largest: 6, smallest: 6 } })) return cut
  }
  return []
}
