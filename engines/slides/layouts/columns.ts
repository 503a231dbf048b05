/** Lays out two or three columns side by side, each with its own heading. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { type Box, type Item, type Page, pointsPerInch } from '../model/page.ts'
import { type Paragraph, type Setting, setText, spaced, spreadText } from '../type/fit.ts'
import { bulletsOf } from './points.ts'
import { bodyBox, card, contentPages, heading, line, mustFit, rectangle, type Scene, tonesOf } from './scene.ts'
import { sharedSize } from './shared-size.ts'

const gutter = 0.4
const sizes = { largest: 28, smallest: 13 }
/** Height of a column's heading above its points, in inches. */
const headHeight = 1.08
/** Least height of a column, in inches, so that short columns do not leave half of the page
 *  empty. */
const leastHeight = 4.2

export function columnsPages(slide: Slide, scene: Scene): Omit<Page, 'slide'>[] {
  const columns = slide.columns ?? []
  const boxes = columnBoxes(columns.length)
  const isPlain = scene.theme.look.card === 'ruled'
  const pad = isPlain ? 0 : 0.3
  const inner = (box: Box): Box => ({ x: box.x + pad, y: box.y + headHeight, w: box.w - 2 * pad, h: box.h - headHeight - pad })
  const setting = (box: Box, sizes: Setting['sizes']): Setting => ({
    box,
    sizes,
    leading: 1.25,
    gap: 0.5,
    align: 'left',
    valign: 'top',
    colour: tonesOf(scene).ink,
  })
  // The columns continue on as many pages as the longest column needs.
  const spread = columns.map(({ points }, k) => spreadText(bulletsOf(points, scene), setting(inner(boxes[k] as Box), sizes)))
  const pages = Math.max(1, ...spread.map(each => each.length))
  return contentPages(
    slide,
    scene,
    Array.from({ length: pages }, (_page, p): Item[] => {
      const texts = spread.map((each): Paragraph[] => each[p] ?? [])
      const size = sharedSize(texts, inner(boxes[0] as Box), sizes, 1.27) ?? sizes.smallest
      const h = Math.max(
        leastHeight,
        ...texts.map(
          (text, k) => setText(text, setting(inner(boxes[k] as Box), sizes), size).height / pointsPerInch + headHeight + pad + 0.15,
        ),
      )
      const boxOf = (k: number) => ({ ...(boxes[k] as Box), h: Math.min(h, bodyBox.h) })
      const fitted = texts.map((text, k) => mustFit(text, setting(inner(boxOf(k)), { largest: size, smallest: 10 })))
      // All columns get the same paragraph gap: the one that the fullest column allows.
      const wide = fitted.map(item => spaced(item, { most: 1.4, share: 0.92 })).filter(({ paragraphs }) => paragraphs.length > 1)
      const gap = Math.min(...wide.map(each => each.gap / each.size))
      return columns.flatMap(({ title }, k): Item[] => {
        const box = boxOf(k)
        const text = fitted[k]
        return [
          ...card(box, scene),
          ...columnHead(title, box, pad, scene),
          ...(text && text.paragraphs.length > 0 ? [spaced(text, { most: gap, share: 0.92 })] : []),
        ]
      })
    }),
  )
}

function columnBoxes(count: number): Box[] {
  const w = (bodyBox.w - gutter * (count - 1)) / count
  return Array.from({ length: count }, (_column, k) => ({ ...bodyBox, x: bodyBox.x + k * (w + gutter), w }))
}

function columnHead(title: string, box: Box, pad: number, scene: Scene): Item[] {
  const tones = tonesOf(scene)
  const at = { x: box.x + pad, y: box.y + 0.2, w: box.w - 2 * pad, h: 0.55 }
  const text = mustFit(line(heading(title, scene)), {
    box: at,
    sizes: { largest: 24, smallest: 8 },
    leading: 1.1,
    align: 'left',
    valign: 'middle',
    colour: tones.ink,
  })
  return pad === 0 ? [text] : [text, rectangle({ x: at.x, y: at.y + at.h + 0.04, w: at.w, h: 0.025 }, tones.accentFill)]
}
