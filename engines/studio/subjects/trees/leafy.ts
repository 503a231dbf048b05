import { blob, ellipse, fill, form, inside, line, rectangle } from '../brush.ts'
import { shade } from '../colour.ts'
import { grow } from './branches.ts'
import { crowned, paintBranches } from './crown.ts'
import type { Easel } from './easel.ts'
import { foliage, leafColours } from './foliage.ts'

export function willow(easel: Easel): void {
  const { context, random, season, colour } = easel
  const branches = grow(random.fork('branches'), { length: 36, width: 5, spread: 38, levels: 4 })
  const palette = leafColours('willow', season, colour)
  paintBranches(context, branches, '#6f5640')
  if (season === 'winter') return
  const tips = branches.filter(branch => branch.level <= 2).map(branch => branch.to)
  foliage(context, tips, { palette, random: random.fork('cap'), size: 2.2, radius: 11, pass: 'back' })
  for (const tip of tips) {
    for (let strand = 0; strand < 7; strand++) {
      const x = tip.x + random.between(-10, 10)
      const y = tip.y + random.between(-5, 4)
      const length = Math.min(-y - 5, random.between(18, 46))
      if (length < 6) continue
      const sway = random.between(-3, 3) + x * 0.06
      const tone = palette[random.integer(1, palette.length - 1)] ?? '#7fae4f'
      line(context, [x, y, x + sway * 0.5, y + length * 0.5, x + sway, y + length], { width: 0.8, colour: tone })
      for (let k = 1; k < length / 2.2; k++)
        fill(context, ellipse(x + (sway * k * 2.2) / length + (k % 2 ? 1 : -1), y + k * 2.2, 0.65, 1.8, k % 2 ? -0.5 : 0.5), tone)
    }
  }
}

export function birch(easel: Easel): void {
  const { context, random } = easel
  crowned(easel, { kind: 'birch', bark: '#e9e5dc', trunk: 30, spread: 26, width: 3.2, leaf: { size: 1.7, radius: 10 } })
  const marks = rectangle(-3, -60, 6, 60)
  inside(context, marks, () => {
    for (let i = 0; i < 16; i++)
      line(
        context,
        [random.between(-3.4, 1), -random.between(2, 50), random.between(-1, 3), -random.between(2, 50)].map((value, index, all) =>
          index === 3 ? (all[1] ?? 0) + 0.4 : value,
        ),
        { width: 0.9, colour: '#4a453f' },
      )
  })
}

export function bush(easel: Easel): void {
  const { context, random, season, colour } = easel
  const tips = Array.from({ length: 15 }, (_, i) => ({
    x: (i / 14 - 0.5) * 116 + random.between(-6, 6),
    y: -28 - Math.sin((i / 14) * Math.PI) * random.between(24, 48),
  }))
  const lower = Array.from({ length: 18 }, (_, i) => ({ x: ((i % 9) / 8 - 0.5) * 112, y: i < 9 ? -16 : -34 }))
  const palette = leafColours('bush', season, colour)
  foliage(context, [...tips, ...lower], { palette, random: random.fork('a'), size: 3.6, radius: 17, pass: 'back' })
  foliage(context, [...tips, ...lower], { palette, random: random.fork('b'), size: 3.6, radius: 17, pass: 'front' })
}

export function bonsai(easel: Easel): void {
  const { context, random, season, colour } = easel
  form(context, blob([-48, -20, 48, -20, 40, 0, -40, 0]), '#8c4a3a', { depth: 5 })
  fill(context, rectangle(-52, -24, 104, 7, 3), '#a35a46')
  line(context, [0, -22, -10, -38, 8, -54, -2, -72], { width: 9, colour: '#6b4a34' })
  line(context, [4, -50, 26, -60, 36, -62], { width: 5, colour: '#6b4a34' })
  line(context, [-6, -42, -26, -50, -34, -52], { width: 4.4, colour: '#6b4a34' })
  const tips = [
    [-2, -82, 20],
    [36, -68, 15],
    [-36, -58, 14],
  ].map(([x = 0, y = 0]) => ({ x, y }))
  const palette = leafColours('pine', season, colour)
  for (const pass of ['back', 'front'] as const)
    foliage(
      context,
      tips.flatMap(tip => [tip, { x: tip.x - 12, y: tip.y + 2 }, { x: tip.x + 12, y: tip.y + 2 }]),
      { palette, random: random.fork(pass), size: 1.7, radius: 9, flat: 0.6, pass },
    )
}

/** Draws a single horizontal branch with side twigs and leaves; in winter with snow instead of
 *  leaves. */
export function branch({ context, random, season, colour }: Easel): void {
  const bark = '#75543c'
  line(context, [-190, -30, -90, -44, 10, -40, 110, -56, 190, -60], { width: 18, colour: shade(bark, -0.2) })
  line(context, [-190, -33, -90, -47, 10, -43, 110, -59, 190, -62], { width: 11, colour: bark })
  const twigs = [
    [-110, -44, -70, -84],
    [-20, -42, 20, -12],
    [60, -48, 110, -92],
    [140, -58, 180, -24],
  ] as const
  for (const twig of twigs) line(context, [...twig], { width: 6, colour: bark })
  if (season === 'winter') {
    line(context, [-180, -40, -90, -54, 10, -50, 110, -66], { width: 5, colour: '#f4f8fd' })
    return
  }
  const palette = leafColours('oak', season, colour)
  const tips = [...twigs.map(([, , x, y]) => ({ x, y })), { x: 190, y: -64 }, { x: -40, y: -58 }, { x: 40, y: -62 }]
  for (const pass of ['back', 'front'] as const) foliage(context, tips, { palette, random: random.fork(pass), size: 8, radius: 24, pass })
}
