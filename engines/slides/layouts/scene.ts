/** What the layouts of one deck share, and the parts that most of them use. */
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
  /** The picture of a slide cut to a box, else an ornament. */
  picture(slide: Slide, box: Box, seed: number): PictureItem
}

/** The margins and the zones of a page of content, inches. */
export const margin = 0.75
export const contentWidth = 13.333 - 2 * margin
export const headBox: Box = { x: margin, y: 0.5, w: contentWidth, h: 1.05 }
export const bodyBox: Box = { x: margin, y: 1.9, w: contentWidth, h: 4.75 }

export interface Body {
  items: Item[]
}

/** Pages with the head, the source and the foot around their bodies; several are numbered in the head. */
export function contentPages(slide: Slide, scene: Scene, bodies: readonly Item[][]): Omit<Page, 'slide'>[] {
  return bodies.map((items, k) => {
    const title = bodies.length > 1 ? `${slide.title} (${k + 1}/${bodies.length})` : slide.title
    return { ground: 'content', title, notes: slide.notes ?? '', items: [...head(title, scene), ...items, ...foot(slide, scene)] }
  })
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

/** Text that always fits: its smallest size is chosen so that the longest that a request may have does. */
export function mustFit(paragraphs: readonly Paragraph[], setting: Setting): TextItem {
  const { smallest, largest } = setting.sizes
  const fitted =
    fitText(paragraphs, setting) ?? fitText(paragraphs, { ...setting, sizes: { largest: smallest, smallest: Math.min(7, smallest) } })
  if (fitted) return fitted
  const cut = shorten(paragraphs, setting)
  return fitText(cut, { ...setting, sizes: { largest: Math.min(largest, 7), smallest: 6 } }) ?? setText([], setting, smallest)
}

/** One paragraph of one run. */
export function line(run: Run): Paragraph[] {
  return [{ runs: [run] }]
}

export function rectangle(box: Box, fill: string, more: Partial<ShapeItem> = {}): ShapeItem {
  return { kind: 'shape', shape: 'rectangle', box, fill, ...more }
}

/** An area that sets something off from the paper, as the template does it. */
export function card(box: Box, scene: Scene): Item[] {
  const { look } = scene.theme
  const tones = tonesOf(scene)
  if (look.card === 'ruled') return [rectangle({ ...box, h: 0.035 }, tones.accentFill)]
  const shape = look.radius > 0 ? 'rounded' : 'rectangle'
  const base = { kind: 'shape', shape, box, radius: look.radius } as const
  if (look.card === 'outlined') return [{ ...base, fill: tones.paper, line: { colour: tones.rule, points: 1 } }]
  return [{ ...base, fill: tones.panel }]
}

function head(title: string, scene: Scene): Item[] {
  const tones = tonesOf(scene)
  const { header } = scene.theme.look
  const isMarked = header === 'bar' || header === 'block'
  const box = isMarked ? { ...headBox, x: headBox.x + 0.3, w: headBox.w - 0.3 } : headBox
  const text = mustFit(line(heading(title, scene)), {
    box,
    sizes: { largest: 32, smallest: 14 },
    leading: 1.1,
    align: 'left',
    valign: 'middle',
    colour: tones.ink,
    isTitle: true,
  })
  return [...headMarks(scene, text), text]
}

function headMarks(scene: Scene, text: TextItem): Item[] {
  const tones = tonesOf(scene)
  const { x, y, w, h } = headBox
  const high = Math.max(0.5, text.height / 72)
  switch (scene.theme.look.header) {
    case 'bar':
      return [rectangle({ x, y: y + (h - high) / 2, w: 0.09, h: high }, tones.accentFill)]
    case 'block':
      return [rectangle({ x: 0, y: y + (h - high) / 2, w: margin, h: high }, tones.accentFill)]
    case 'rule':
      return [
        rectangle({ x, y: y + h + 0.05, w, h: 0.02 }, tones.rule),
        rectangle({ x, y: y + h + 0.03, w: 1.2, h: 0.06 }, tones.accentFill),
      ]
    case 'dot':
      return [{ kind: 'shape', shape: 'ellipse', box: { x: x - 0.42, y: y + h / 2 - 0.1, w: 0.2, h: 0.2 }, fill: tones.accentFill }]
    case 'plain':
      return [rectangle({ x, y: 0.38, w: 0.7, h: 0.07 }, tones.accentFill)]
  }
}

function foot(slide: Slide, scene: Scene): Item[] {
  const { muted } = tonesOf(scene)
  const source =
    slide.source === undefined
      ? []
      : [small(`${scene.words.source}${slide.source}`, { x: margin, y: 6.68, w: contentWidth, h: 0.3 }, scene, 'left')]
  const title = fitText(line(small1(scene.deckTitle, scene)), {
    box: { x: margin, y: 6.99, w: contentWidth - 1, h: 0.22 },
    sizes: { largest: 10, smallest: 9 },
    leading: 1.2,
    align: 'left',
    valign: 'middle',
    colour: muted,
  })
  return [...source, ...(title ? [title] : [])]
}

function small1(text: string, scene: Scene): Run {
  return body(text, scene)
}

function small(text: string, box: Box, scene: Scene, align: 'left' | 'right'): TextItem {
  return mustFit(line(body(text, scene)), {
    box,
    sizes: { largest: 10, smallest: 6 },
    align,
    valign: 'middle',
    colour: tonesOf(scene).muted,
  })
}

/** As many words as fit at the smallest size, then an ellipsis: only for what says little, such as a label. */
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
