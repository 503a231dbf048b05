/** Lays out points of the form "Lead: text", whose lead is short, as a grid of cards. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { type Box, type Item, pointsPerInch } from '../model/page.ts'
import { setText } from '../type/fit.ts'
import { body, bodyBox, card, heading, line, mustFit, rectangle, type Scene, tonesOf } from './scene.ts'
import { sharedSize } from './shared-size.ts'
import { leadOf } from './words.ts'

const gutter = 0.3
/** Distance from the top of a card to the text below the card's lead, in inches. */
const restTop = 1.12
const leadSizes = { largest: 28, smallest: 15 }
const restSizes = { largest: 25, smallest: 14 }

/** Least height of the cards in a single row, in inches; lower cards would leave half of the page
 *  empty. */
const leastSingle = 3.7

interface Grid {
  columns: number
  rows: number
  /** Width of one card, inches. */
  width: number
  tallest: number
  pad: number
}

/** Returns cards for two to six points, if all of them have a lead and their text fits at a
 *  readable size; else undefined. */
export function cardsOf(slide: Slide, scene: Scene): Item[] | undefined {
  const points = slide.points.map(leadOf)
  if (points.length < 2 || points.length > 6 || points.some(({ lead }) => lead === undefined)) return undefined
  const grid = gridOf(points.length, scene)
  const stacked = points.length === 3 ? stackedOf(points, scene, grid.pad) : undefined
  if (stacked) return stacked
  const leads = points.map(({ lead = '' }) => line(heading(lead, scene)))
  const rests = points.map(({ rest }) => line(body(rest.charAt(0).toUpperCase() + rest.slice(1), scene)))
  const tallest = { x: 0, y: 0, w: grid.width, h: grid.tallest }
  const leadSize = sharedSize(leads, leadBox(tallest, grid.pad), leadSizes, 1.1)
  const restSize = sharedSize(rests, restBox(tallest, grid.pad), restSizes, 1.25)
  if (leadSize === undefined || restSize === undefined) return undefined
  const common = { align: 'left', colour: tonesOf(scene).ink } as const
  const set = (paragraphs: (typeof rests)[number], box: Box, size: number, leading: number, valign: 'top' | 'bottom') =>
    mustFit(paragraphs, { ...common, box, sizes: { largest: size, smallest: size }, leading, valign, rag: 'no-orphan' })
  const setting = { ...common, box: restBox(tallest, grid.pad), sizes: restSizes, leading: 1.25, valign: 'top' } as const
  const needed = Math.max(...rests.map(rest => setText(rest, setting, restSize).height)) / pointsPerInch
  const height = Math.min(grid.tallest, Math.max(grid.rows === 1 ? leastSingle : 2.2, restTop + needed + 0.4))
  return boxesOf(points.length, grid, height).flatMap((box, k): Item[] => [
    ...card(box, scene),
    ...(grid.pad === 0 ? [] : [rectangle({ x: box.x + grid.pad, y: box.y + 0.3, w: 0.45, h: 0.06 }, tonesOf(scene).accentFill)]),
    set(leads[k] ?? [], leadBox(box, grid.pad), leadSize, 1.1, 'bottom'),
    set(rests[k] ?? [], restBox(box, grid.pad), restSize, 1.25, 'top'),
  ])
}

/** Returns cards over the full width, one below the other, for points whose text has at most two
 *  lines; undefined for longer texts. Side by side, cards with so little text would leave half of
 *  the page empty. */
function stackedOf(points: readonly ReturnType<typeof leadOf>[], scene: Scene, pad: number): Item[] | undefined {
  const h = (bodyBox.h - 0.15 - gutter * (points.length - 1)) / points.length
  const boxes = points.map((_point, k): Box => ({ ...bodyBox, y: bodyBox.y + k * (h + gutter), h }))
  const leadIn = (box: Box): Box => ({ ...box, x: box.x + pad, w: 3.3 - pad })
  const restIn = (box: Box): Box => ({ ...box, x: box.x + 3.6, w: box.w - 3.6 - pad })
  const leads = points.map(({ lead = '' }) => line(heading(lead, scene)))
  const rests = points.map(({ rest }) => line(body(rest.charAt(0).toUpperCase() + rest.slice(1), scene)))
  const leadSize = sharedSize(leads, leadIn({ ...bodyBox, h: 0.95 }), leadSizes, 1.1)
  // 0.89 inches is the height of two lines at the largest type size.
  const restSize = sharedSize(rests, restIn({ ...bodyBox, h: 0.89 }), { largest: restSizes.largest, smallest: 20 }, 1.25)
  if (leadSize === undefined || restSize === undefined) return undefined
  const common = { align: 'left', valign: 'middle', colour: tonesOf(scene).ink } as const
  return boxes.flatMap((box, k): Item[] => [
    ...card(box, scene),
    ...(pad === 0 ? [] : [rectangle({ ...box, w: 0.09 }, tonesOf(scene).accentFill)]),
    mustFit(leads[k] ?? [], { ...common, box: leadIn(box), sizes: { largest: leadSize, smallest: leadSize }, leading: 1.1 }),
    mustFit(rests[k] ?? [], {
      ...common,
      box: restIn(box),
      sizes: { largest: restSize, smallest: restSize },
      leading: 1.25,
      rag: 'no-orphan',
    }),
  ])
}

function gridOf(count: number, scene: Scene): Grid {
  const columns = count === 4 ? 2 : Math.min(3, count)
  const rows = Math.ceil(count / columns)
  return {
    columns,
    rows,
    width: (bodyBox.w - gutter * (columns - 1)) / columns,
    tallest: rows === 1 ? 4.2 : (bodyBox.h - gutter) / 2,
    pad: scene.theme.look.card === 'ruled' ? 0 : 0.28,
  }
}

function boxesOf(count: number, { columns, rows, width }: Grid, height: number): Box[] {
  // A single row of cards is placed a little above the middle of the free space.
  const top = bodyBox.y + (rows === 1 ? Math.max(0, bodyBox.h - height) * 0.35 : 0)
  return Array.from({ length: count }, (_card, k) => ({
    x: bodyBox.x + (k % columns) * (width + gutter),
    y: top + Math.floor(k / columns) * (height + gutter),
    w: width,
    h: height,
  }))
}

function leadBox({ x, y, w }: Box, pad: number): Box {
  return { x: x + pad, y: y + 0.4, w: w - 2 * pad, h: 0.62 }
}

function restBox({ x, y, w, h }: Box, pad: number): Box {
  return { x: x + pad, y: y + restTop, w: w - 2 * pad, h: h - restTop - Math.max(0.1, pad * 0.7) }
}
