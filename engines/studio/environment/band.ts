import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Frame } from '../drawing.ts'
import type { Place, PlacePainter } from './places/place.ts'
import { createStage, type Stage } from './stage.ts'
import type { ViewPlan } from './view.ts'

/** A picture wider than this many times its height is painted as a row of tiles. A single
 *  perspective would stretch things at its ends until they cannot be recognised. */
const widest = 5

/** A very wide picture: a tile in the middle, and mirrored copies of it on both sides. Mirrored
 *  neighbours join without a visible seam. */
interface Band {
  tile: Stage
  place: Place
  paintBack(context: SKRSContext2D): void
  paintFront(context: SKRSContext2D): void
}

export function isBand(frame: Frame): boolean {
  return frame.width > widest * frame.height
}

/** Lays out a very wide picture as a row of tiles. Sun and moon are drawn only in the middle
 *  tile. */
export function createBand(frame: Frame, plan: ViewPlan, paint: PlacePainter): Band {
  const count = oddCount(frame.width / frame.height / 3.4)
  const width = Math.ceil(frame.width / count)
  const tile = createStage({ ...frame, width }, plan)
  const place = paint(tile)
  const plain = paint({ ...tile, sun: { ...tile.sun, x: tile.sun.x + tile.sun.side * 40 * tile.unit } })
  const render = (paintTile: (context: SKRSContext2D) => void): Canvas => {
    const canvas = createCanvas(width, frame.height)
    paintTile(canvas.getContext('2d'))
    return canvas
  }
  return {
    tile,
    place,
    paintBack: context => {
      repeatMirrored(context, render(plain.paintBack), { count, width })
      const middle = render(place.paintBack)
      featherSides(middle, 0.5 * tile.unit)
      context.drawImage(middle, ((count - 1) / 2) * width, 0)
    },
    paintFront: context => {
      const { paintFront } = place
      if (paintFront !== undefined) repeatMirrored(context, render(paintFront), { count, width })
    },
  }
}

function oddCount(wanted: number): number {
  const half = Math.max(1, Math.round((wanted - 1) / 2))
  return half * 2 + 1
}

/** Draws copies of a tile side by side. Seen from the middle one, every second copy is mirrored. */
function repeatMirrored(context: SKRSContext2D, tile: Canvas, band: { count: number; width: number }): void {
  const middle = (band.count - 1) / 2
  for (let i = 0; i < band.count; i++) {
    context.save()
    if ((i - middle) % 2 === 0) context.translate(i * band.width, 0)
    else {
      context.translate((i + 1) * band.width, 0)
      context.scale(-1, 1)
    }
    context.drawImage(tile, 0, 0)
    context.restore()
  }
}

function featherSides(canvas: Canvas, reach: number): void {
  const ink = canvas.getContext('2d')
  const edge = Math.min(0.3, reach / canvas.width)
  const gradient = ink.createLinearGradient(0, 0, canvas.width, 0)
  gradient.addColorStop(0, 'rgba(0,0,0,0)')
  gradient.addColorStop(edge, 'rgba(0,0,0,1)')
  gradient.addColorStop(1 - edge, 'rgba(0,0,0,1)')
  gradient.addColorStop(1, 'rgba(0,0,0,0)')
  ink.globalCompositeOperation = 'destination-in'
  ink.fillStyle = gradient
  ink.fillRect(0, 0, canvas.width, canvas.height)
  ink.globalCompositeOperation = 'source-over'
}
