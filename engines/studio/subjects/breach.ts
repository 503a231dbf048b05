import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../drawing.ts'
import type { Subject } from '../scene.ts'
import type { Artwork } from './artwork.ts'
import { boundsHeight, boundsWidth } from './artwork.ts'
import type { PixelBox } from './ground-contact.ts'

/** Angle in degrees by which the body of a leaping whale or dolphin is raised from the
 *  horizontal. */
const rise = 42

/** True for underwater animals that leap out of the water. */
export function breaches({ pose, habitat }: Pick<Subject, 'pose' | 'habitat'>): boolean {
  return pose === 'jumping' && habitat === 'underwater'
}

/** Returns the same drawing rotated by `rise`, with its head up and its tail down. */
export function leaping(artwork: Artwork): Artwork {
  const { left, right, top, bottom } = artwork.bounds
  const turn = ((artwork.facing === 'left' ? rise : -rise) * Math.PI) / 180
  const [width, height] = [boundsWidth(artwork.bounds), boundsHeight(artwork.bounds)]
  const wide = Math.abs(width * Math.cos(turn)) + Math.abs(height * Math.sin(turn))
  const high = Math.abs(width * Math.sin(turn)) + Math.abs(height * Math.cos(turn))
  const middle = (left + right) / 2
  return {
    ...artwork,
    bounds: { left: middle - wide / 2, right: middle + wide / 2, top: bottom - high, bottom },
    anchors: {},
    render: async pixelsPerUnit => {
      const source = await artwork.render(pixelsPerUnit)
      const canvas = createCanvas(Math.max(1, Math.round(wide * pixelsPerUnit)), Math.max(1, Math.round(high * pixelsPerUnit)))
      const context = canvas.getContext('2d')
      context.translate(canvas.width / 2, canvas.height / 2)
      context.rotate(turn)
      context.drawImage(source, (-width / 2) * pixelsPerUnit, (-(bottom - top) / 2) * pixelsPerUnit)
      return canvas
    },
  }
}

/** Draws the splash around a body that breaks through the surface: two fans of spray, drops above
 *  them, and foam on the water. */
export function paintSplash(
  context: SKRSContext2D,
  { x, width, height }: PixelBox,
  { baseline, brightness, random }: { baseline: number; brightness: number; random: Random },
): void {
  const tone = (share: number, alpha: number) => {
    const level = Math.round(255 * Math.min(1, brightness * share))
    return `rgba(${level},${Math.min(255, level + 4)},${Math.min(255, level + 10)},${alpha.toFixed(3)})`
  }
  const centre = x + width / 2
  const reach = width * 0.42
  context.save()
  for (let ring = 0; ring < 3; ring++) {
    context.fillStyle = tone(1, 0.5 - ring * 0.12)
    context.beginPath()
    context.ellipse(
      centre,
      baseline + height * 0.015 * ring,
      reach * (0.8 + ring * 0.24),
      height * (0.03 + ring * 0.014),
      0,
      0,
      Math.PI * 2,
    )
    context.fill()
  }
  for (let i = 0; i < 46; i++) {
    const side = i % 2 ? 1 : -1
    const out = random.between(0.1, 1)
    const foot = centre + side * reach * out * 0.7
    const tall = height * 0.36 * (1 - out * 0.55) * random.between(0.5, 1)
    const tip = foot + side * reach * random.between(0.1, 0.42)
    const thick = width * random.between(0.008, 0.022)
    context.fillStyle = tone(random.between(0.86, 1), random.between(0.55, 0.9))
    context.beginPath()
    context.moveTo(foot - thick, baseline)
    context.quadraticCurveTo(foot, baseline - tall * 0.7, tip, baseline - tall)
    context.quadraticCurveTo(foot + thick * 1.4 * side, baseline - tall * 0.5, foot + thick, baseline)
    context.fill()
    context.beginPath()
    context.arc(tip + side * thick * 2, baseline - tall * random.between(1, 1.35), thick * random.between(0.35, 0.9), 0, Math.PI * 2)
    context.fill()
  }
  context.restore()
}
