import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Box, Item, Page } from '../model/page.ts'
import { besidePanel, panel } from './points.ts'
import { body, bodyBox, contentPages, heading, line, mustFit, rectangle, type Scene, tonesOf } from './scene.ts'
import { sharedSize } from './shared-size.ts'

const perColumn = 5
/** Largest number of entries in the single column beside a picture. */
const perPicture = 8

/** Returns agenda pages with the numbered sections of the deck. Up to five sections (eight beside a
 *  picture) stand in one column, up to ten in two columns; more continue on further pages. */
export function agendaPages(slide: Slide, scene: Scene): Omit<Page, 'slide'>[] {
  const count = slide.points.length
  const isShort = count <= (slide.pictureInput === undefined ? perColumn : perPicture)
  const pages = Math.max(1, Math.ceil(count / (2 * perColumn)))
  const each = Math.ceil(count / pages)
  return contentPages(
    slide,
    scene,
    Array.from({ length: pages }, (_page, p) => [
      ...(isShort ? [scene.picture(slide, panel, 3)] : []),
      ...rowsOf(slide.points.slice(p * each, (p + 1) * each), p * each, { scene, columns: isShort ? 1 : 2 }),
    ]),
    ...(isShort ? [besidePanel] : []),
  )
}

function rowsOf(points: string[], from: number, { scene, columns }: { scene: Scene; columns: 1 | 2 }): Item[] {
  const tones = tonesOf(scene)
  const rows = Math.ceil(points.length / columns)
  const gutter = 0.6
  const w = columns === 1 ? besidePanel.w : (bodyBox.w - gutter) / 2
  const pitch = Math.min(1.05, bodyBox.h / Math.max(1, rows))
  const places = points.map(
    (_point, k): Box => ({ x: bodyBox.x + Math.floor(k / rows) * (w + gutter), y: bodyBox.y + (k % rows) * pitch, w, h: pitch - 0.12 }),
  )
  const textBox = (box: Box): Box => ({ ...box, x: box.x + 0.95, w: box.w - 0.95 })
  const first = places[0]
  const size = first
    ? (sharedSize(
        points.map(point => line(body(point, scene))),
        textBox(first),
        { largest: 24, smallest: 11 },
        1.15,
      ) ?? 11)
    : 11
  return points.flatMap((point, k): Item[] => {
    const box = places[k] as Box
    return [
      mustFit(line(heading(String(from + k + 1).padStart(2, '0'), scene)), {
        box: { ...box, w: 0.8 },
        sizes: { largest: 28, smallest: 12 },
        leading: 1,
        align: 'left',
        valign: 'middle',
        colour: tones.accent,
      }),
      mustFit(line(body(point, scene)), {
        box: textBox(box),
        sizes: { largest: size, smallest: 8 },
        leading: 1.15,
        align: 'left',
        valign: 'middle',
        colour: tones.ink,
      }),
      rectangle({ x: box.x, y: box.y + box.h + 0.05, w: box.w, h: 0.012 }, tones.rule),
    ]
  })
}
