import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Subject } from '../../scene.ts'
import type { Artwork } from '../artwork.ts'
import { blob, ellipse, fill, form, inside, line, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import { vectorArtwork } from '../vector.ts'
import { paintBeakedHead } from './beaked-head.ts'
import { type BirdFace, birdFace } from './upright-looks.ts'

/** True for a bird that spreads its wings according to the prompt, and whose plumage is known. Such
 *  a bird is drawn from the front. */
export function spreadsWings({ looks }: Pick<Subject, 'looks'>, name: string): boolean {
  return looks.includes('wings spread') && birdFace(name) !== undefined
}

/** Draws a bird from the front with both wings held out. Throws `RangeError` for a name for which
 *  no plumage is known. */
export function spreadBird(name: string, subject: Subject): Artwork {
  const known = birdFace(name)
  if (!known) throw new RangeError(`no plumage of ${name}`)
  const bird = subject.colour ? { ...known, coat: subject.colour.hex } : known
  return {
    ...vectorArtwork({ paint: context => paintSpread(context, bird), facing: 'front' }),
    anchors: { head: { x: 0, y: -104, width: 34 } },
  }
}

function paintSpread(context: SKRSContext2D, bird: BirdFace): void {
  const belly = bird.belly ?? bird.face ?? shade(bird.coat, 0.3)
  const leg = bird.leg ?? bird.beak
  for (const x of [-14, -4, 4, 14])
    form(context, blob([x * 0.6 - 3, -26, x * 0.6 + 3, -26, x * 1.5 + 4, 16, x * 1.5 - 4, 16]), shade(bird.coat, -0.2), { depth: 1.2 })
  for (const side of [-1, 1]) paintOpenWing(context, bird, side)
  for (const side of [-1, 1]) {
    line(context, [side * 9, -22, side * 10, -4], { width: 4.4, colour: leg })
    for (const toe of [-6, 0, 6]) line(context, [side * 10, -4, side * 10 + toe, 0], { width: 3, colour: leg })
  }
  const neck = bird.neck ?? 0
  const body = blob([0, -80 - neck, 15, -72 - neck * 0.5, 22, -50, 18, -26, 0, -14, -18, -26, -22, -50, -15, -72 - neck * 0.5])
  form(context, body, bird.coat, { depth: 4 })
  inside(context, body, () => {
    fill(context, ellipse(0, -40, 15, 27), belly)
    for (let row = 0; row < 4; row++)
      for (let i = -2; i <= 2; i++)
        line(context, [i * 7 - 3, -58 + row * 10, i * 7, -55 + row * 10, i * 7 + 3, -58 + row * 10], {
          width: 1.1,
          colour: shade(belly, -0.14),
        })
  })
  context.save()
  context.translate(0, -84 - neck)
  const size = 20 * (bird.headSize ?? 0.92)
  context.scale(size, size)
  paintBeakedHead(context, bird, false)
  context.restore()
}

/** Draws an open wing: long flight feathers at the tip, shorter ones along the arm, and two rows of
 *  small feathers over both. */
function paintOpenWing(context: SKRSContext2D, bird: BirdFace, side: number): void {
  const [inner, middle, outer] = bird.wings ?? [bird.coat, shade(bird.coat, -0.1), shade(bird.coat, -0.28)]
  const feather = (root: readonly [number, number], tip: readonly [number, number], width: number, tone: string) => {
    const [dx, dy] = [tip[0] - root[0], tip[1] - root[1]]
    const length = Math.hypot(dx, dy)
    const [nx, ny] = [(-dy / length) * width, (dx / length) * width]
    const at = (share: number, out: number): [number, number] => [side * (root[0] + dx * share + nx * out), root[1] + dy * share + ny * out]
    form(context, blob([at(0, -0.8), at(0.5, -1), at(0.9, -0.7), at(1, 0), at(0.9, 0.7), at(0.5, 1), at(0, 0.8)]), tone, {
      depth: 0.9,
      amount: 0.14,
    })
    const [x1, y1] = at(0.1, 0)
    const [x2, y2] = at(0.92, 0)
    line(context, [x1, y1, x2, y2], { width: 0.5, colour: shade(tone, -0.22) })
  }
  // The first feathers are at the tip of the wing, the last ones near the body, and each overlaps
  // the one before it.
  for (let i = 0; i < 8; i++) {
    const share = i / 7
    feather([84 - share * 22, -92 + share * 4], [112 - share * 34, -92 + share * 62 - (1 - share) * 30], 6, outer)
  }
  for (let i = 0; i < 7; i++) feather([64 - i * 8, -86 + i * 2.6], [72 - i * 9.4, -28 - i * 1.2], 6, i % 2 ? outer : shade(outer, 0.06))
  for (let i = 0; i < 9; i++)
    feather([84 - i * 8.6, -92 + i * 2.4], [88 - i * 9.2, -62 + i * 1.6], 5.6, i % 2 ? middle : shade(middle, 0.07))
  const arm = blob(scaled([12, -76, 34, -84, 60, -96, 84, -104, 90, -92, 74, -78, 44, -66, 16, -54], [side, 1]))
  form(context, arm, inner, { depth: 3 })
  inside(context, arm, () => {
    for (let row = 0; row < 2; row++)
      for (let i = 0; i < 9; i++) {
        const x = side * (18 + i * 8)
        const y = -66 - i * 2.8 - row * 8
        line(context, [x - 3, y, x, y + 3.4, x + 3, y], { width: 1, colour: shade(inner, -0.16) })
      }
  })
}
