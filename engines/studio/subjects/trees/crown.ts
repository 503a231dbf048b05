import { Path2D, type SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import type { Point } from '../artwork.ts'
import { blob, capsule, ellipse, fill, form, inside, line, rectangle } from '../brush.ts'
import { shade } from '../colour.ts'
import { type Branch, grow } from './branches.ts'
import type { Easel } from './easel.ts'
import { foliage, leafColours } from './foliage.ts'

interface Crown {
  kind: string
  bark: string
  /** Length of the trunk up to the first fork, before the tree is scaled (`trunk`), and the
   *  angle in degrees by which the branches spread. */
  trunk: number
  spread: number
  width: number
  levels?: number
  leaf: { size: number; radius: number; drop?: number; flat?: number; isPetal?: boolean }
  fruit?: string
}

/** Draws a tree with a crown: leaves behind the branches, the trunk and the branches, leaves in
 *  front of them, then fruit. In winter, a tree that is not evergreen has bare branches with snow
 *  instead. */
export function crowned({ context, random, season, colour }: Easel, crown: Crown): void {
  const branches = grow(random.fork('branches'), {
    length: crown.trunk,
    width: crown.width,
    spread: crown.spread,
    levels: crown.levels ?? 5,
  })
  const isBare = season === 'winter' && crown.kind !== 'olive' && crown.kind !== 'orange'
  const tips = branches.filter(branch => branch.level <= 1).map(branch => branch.to)
  const palette = leafColours(crown.kind, season, colour)
  if (!isBare) foliage(context, tips, { palette, random: random.fork('back'), ...crown.leaf, pass: 'back' })
  paintBranches(context, branches, crown.bark)
  if (isBare) {
    snowOn(context, branches)
    return
  }
  foliage(context, tips, { palette, random: random.fork('front'), ...crown.leaf, pass: 'front' })
  if (crown.fruit && season !== 'spring') hangFruit(context, tips, crown.fruit, random.fork('fruit'))
}

export function paintBranches(context: SKRSContext2D, branches: readonly Branch[], bark: string): void {
  const whole = new Path2D()
  for (const branch of branches) whole.addPath(capsule(branch.from, branch.width, branch.to, branch.endWidth))
  const foot = branches[0]
  if (foot)
    whole.addPath(
      blob([
        -foot.width * 2.1,
        0.5,
        -foot.width * 1.1,
        -foot.width * 1.6,
        -foot.width * 0.8,
        -foot.width * 4,
        foot.width * 0.8,
        -foot.width * 4,
        foot.width * 1.1,
        -foot.width * 1.6,
        foot.width * 2.1,
        0.5,
        0,
        -foot.width * 0.3,
      ]),
    )
  // The path of the trunk has a round end, which would be visible below the roots; clipping at the
  // ground hides it.
  context.save()
  context.clip(rectangle(-240, -300, 480, 300.6))
  fill(context, whole, shade(bark, -0.22))
  inside(context, whole, () => {
    for (const { from, to, width } of branches)
      line(context, [from.x - width * 0.34, from.y, to.x - width * 0.3, to.y], { width: width * 1.1, colour: bark })
    for (const { from, to, width } of branches)
      if (width > 1)
        line(context, [from.x - width * 0.62, from.y, to.x - width * 0.55, to.y], { width: width * 0.34, colour: shade(bark, 0.22) })
    if (foot)
      for (let i = -2; i <= 2; i++)
        line(context, [foot.width * i * 0.36, 0, foot.width * i * 0.3 + 0.4, foot.to.y * 0.5, foot.width * i * 0.26, foot.to.y * 0.94], {
          width: foot.width * 0.07,
          colour: shade(bark, -0.38),
        })
  })
  context.restore()
}

function snowOn(context: SKRSContext2D, branches: readonly Branch[]): void {
  for (const { from, to, width } of branches) {
    if (Math.abs(to.x - from.x) < Math.abs(to.y - from.y) * 0.35) continue
    line(context, [from.x, from.y - width * 0.7, to.x, to.y - width * 0.7], { width: Math.max(0.5, width * 0.7), colour: '#f4f8fd' })
  }
}

function hangFruit(context: SKRSContext2D, tips: readonly Point[], colour: string, random: Random): void {
  for (const tip of tips) {
    if (random.next() < 0.42) continue
    const at = { x: tip.x + random.between(-5, 5), y: tip.y + random.between(-3, 6) }
    form(context, ellipse(at.x, at.y, 2, 2), colour, { depth: 0.6 })
    fill(context, ellipse(at.x - 0.6, at.y - 0.7, 0.5, 0.5), '#ffffffaa')
  }
}
