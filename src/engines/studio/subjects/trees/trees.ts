import { Path2D, type SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import type { Colour, Season } from '../../scene.ts'
import type { Artwork, Point } from '../artwork.ts'
import { blob, capsule, ellipse, fill, form, inside, line, rectangle } from '../brush.ts'
import { shade } from '../colour.ts'
import { vectorArtwork } from '../vector.ts'
import { type Branch, grow } from './branches.ts'
import { foliage, leafColours } from './foliage.ts'

export interface TreeContext {
  season: Season
  colour: Colour | undefined
  random: Random
}

interface Easel extends TreeContext {
  context: SKRSContext2D
}

/** A whole tree or plant of the kind (`oak` of `tree:oak`), another individual for every random generator. Throws `RangeError` for an unknown kind. */
export function treeArtwork(kind: string, input: TreeContext): Artwork {
  const painter = painters[kind]
  if (!painter) throw new RangeError(`no tree ${kind}`)
  const artwork = vectorArtwork({ paint: context => painter({ ...input, context, random: input.random.fork('tree') }) })
  const { top, left, right } = artwork.bounds
  const flat = kind === 'stump' || kind === 'log'
  return {
    ...artwork,
    anchors: {
      opening: { x: (left + right) / 2, y: top * 0.5, width: (right - left) * 0.4 },
      top: { x: (left + right) / 2, y: flat ? top * 0.9 : top * 0.62, width: (right - left) * (flat ? 0.8 : 0.4) },
    },
  }
}

export function isTree(kind: string): boolean {
  return painters[kind] !== undefined
}

interface Crown {
  kind: string
  bark: string
  /** Length of the first limb, and how much branches spread (degrees). */
  trunk: number
  spread: number
  width: number
  levels?: number
  leaf: { size: number; radius: number; drop?: number; flat?: number }
  fruit?: string
}

/** A tree with a crown on branches: trunk and limbs, then leaf clumps in three passes lit from above. */
function crowned({ context, random, season, colour }: Easel, crown: Crown): void {
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

function paintBranches(context: SKRSContext2D, branches: readonly Branch[], bark: string): void {
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
  fill(context, whole, shade(bark, -0.22))
  inside(context, whole, () => {
    for (const { from, to, width } of branches)
      line(
        context,
        [
          { x: from.x - width * 0.34, y: from.y },
          { x: to.x - width * 0.3, y: to.y },
        ],
        { width: width * 1.1, colour: bark },
      )
    for (const { from, to, width } of branches)
      if (width > 1)
        line(
          context,
          [
            { x: from.x - width * 0.62, y: from.y },
            { x: to.x - width * 0.55, y: to.y },
          ],
          { width: width * 0.34, colour: shade(bark, 0.22) },
        )
    if (foot)
      for (let i = -2; i <= 2; i++)
        line(context, [foot.width * i * 0.36, 0, foot.width * i * 0.3 + 0.4, foot.to.y * 0.5, foot.width * i * 0.26, foot.to.y * 0.94], {
          width: foot.width * 0.07,
          colour: shade(bark, -0.38),
        })
  })
}

function snowOn(context: SKRSContext2D, branches: readonly Branch[]): void {
  for (const { from, to, width } of branches) {
    if (Math.abs(to.x - from.x) < Math.abs(to.y - from.y) * 0.35) continue
    line(
      context,
      [
        { x: from.x, y: from.y - width * 0.7 },
        { x: to.x, y: to.y - width * 0.7 },
      ],
      { width: Math.max(0.5, width * 0.7), colour: '#f4f8fd' },
    )
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

function conifer({ context, random, season }: Easel, shape: { half: number; tiers: number; colour: string; trunk: number }): void {
  form(context, rectangle(-2.6, -shape.trunk - 8, 5.2, shape.trunk + 8), '#6b4a34', { depth: 1.4 })
  const green = season === 'winter' ? shade(shape.colour, 0.12) : shape.colour
  for (let tier = 0; tier < shape.tiers; tier++) {
    const t = tier / (shape.tiers - 1)
    const y = -shape.trunk - t ** 0.94 * (94 - shape.trunk)
    const reach = shape.half * (1 - t) ** 0.82 + 2.4
    const rise = ((98 - shape.trunk) / shape.tiers) * (2.3 - t * 0.7)
    for (const [share, tone, lift] of [
      [1, -0.26, 0],
      [0.9, -0.06, -1],
      [0.68, 0.12, -2.2],
    ] as const) {
      const fringe: number[] = [lift * 0.4, y - rise + lift]
      for (let i = 0; i <= 9; i++) {
        const u = 1 - (i / 9) * 2
        const edge = y + (1 - Math.abs(u)) * rise * 0.26 + random.between(-0.5, 0.9) + lift * 0.5
        fringe.push(
          u * reach * share - (share < 1 ? reach * 0.1 : 0),
          edge,
          (u - 0.1) * reach * share - (share < 1 ? reach * 0.1 : 0),
          edge - rise * 0.2,
        )
      }
      const tiered = new Path2D()
      for (let i = 0; i < fringe.length; i += 2)
        i === 0 ? tiered.moveTo(fringe[0] ?? 0, fringe[1] ?? 0) : tiered.lineTo(fringe[i] ?? 0, fringe[i + 1] ?? 0)
      tiered.closePath()
      fill(context, tiered, shade(green, tone))
    }
    if (season === 'winter')
      fill(
        context,
        blob([
          0,
          y - rise * 0.96,
          reach * 0.4,
          y - rise * 0.36,
          reach * 0.62,
          y - rise * 0.06,
          reach * 0.1,
          y - rise * 0.3,
          -reach * 0.3,
          y - rise * 0.1,
          -reach * 0.74,
          y - rise * 0.04,
          -reach * 0.4,
          y - rise * 0.5,
        ]),
        '#f6faff',
      )
  }
}

function palm({ context, random }: Easel): void {
  const lean = random.between(8, 16)
  const spine = Array.from({ length: 15 }, (_, i) => ({ x: lean * (i / 14) ** 2, y: -(i / 14) * 68 }))
  spine.forEach((at, i) => {
    const next = spine[i + 1]
    if (next) form(context, capsule(at, 3.6 - i * 0.13, next, 3.3 - i * 0.12), i % 2 ? '#9a7550' : '#86623f', { depth: 1 })
  })
  const top = spine[14] ?? { x: lean, y: -68 }
  const frond = (angle: number, length: number, tone: number) => {
    const tip = { x: top.x + Math.cos(angle) * length, y: top.y + Math.sin(angle) * length * 0.7 + length * 0.34 }
    const mid = { x: top.x + Math.cos(angle) * length * 0.55, y: top.y + Math.sin(angle) * length * 0.72 - length * 0.06 }
    for (let i = 2; i <= 18; i++) {
      const t = i / 18
      const x = (1 - t) ** 2 * top.x + 2 * t * (1 - t) * mid.x + t * t * tip.x
      const y = (1 - t) ** 2 * top.y + 2 * t * (1 - t) * mid.y + t * t * tip.y
      const size = Math.sin(Math.min(1, t * 1.25 + 0.15) * Math.PI * 0.8) * length * 0.34
      for (const side of [-1, 1])
        line(context, [x, y, x + Math.cos(angle) * size * 0.5, y + (side > 0 ? size * 0.75 : size * 0.16)], {
          width: 1.5,
          colour: shade('#4f9a44', tone + (side > 0 ? -0.12 : 0.06)),
        })
    }
    line(context, [top, mid, tip], { width: 0.9, colour: shade('#4f9a44', tone + 0.2) })
  }
  for (let i = 0; i < 11; i++) frond(-Math.PI * (-0.08 + (i / 10) * 1.16), random.between(30, 38), [-0.2, 0.02, 0.14][i % 3] ?? 0)
  for (const [x, y] of [
    [-3, 3],
    [3, 4],
    [0.6, 6],
  ] as const)
    form(context, ellipse(top.x + x, top.y + y, 3, 3.2), '#6b4426', { depth: 0.9 })
}

function willow(easel: Easel): void {
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

function birch(easel: Easel): void {
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

function bamboo({ context, random }: Easel): void {
  for (let i = 0; i < 7; i++) {
    const x = (i - 3) * 8.5 + random.between(-2, 2)
    const height = random.between(82, 100)
    const lean = random.between(-4, 4)
    const tone = shade('#7fae4a', [-0.14, 0.06, 0][i % 3] ?? 0)
    for (let k = 0; k < 9; k++) {
      const at = { x: x + lean * (k / 9), y: (-height * k) / 9 }
      const to = { x: x + lean * ((k + 1) / 9), y: (-height * (k + 1)) / 9 + 0.8 }
      form(context, capsule(at, 1.9 - k * 0.08, to, 1.8 - k * 0.08), tone, { depth: 0.7 })
      fill(context, ellipse(at.x, at.y, 2.2 - k * 0.08, 0.6), shade(tone, 0.3))
      if (k < 4) continue
      for (const side of [-1, 1]) {
        for (let leaf = 0; leaf < 3; leaf++)
          fill(
            context,
            ellipse(at.x + side * (4 + leaf * 2.2), at.y + leaf * 1.6 - 1, 4.4, 0.95, side * (0.35 + leaf * 0.3)),
            shade('#5f9a3c', leaf * 0.12 - 0.1),
          )
      }
    }
  }
}

function cactus({ context, random }: Easel): void {
  const green = '#4f8f56'
  const arm = (points: number[], width: number) => {
    line(context, points, { width, colour: shade(green, -0.24) })
    line(
      context,
      points.map((value, index) => (index % 2 ? value : value - width * 0.12)),
      { width: width * 0.74, colour: green },
    )
    for (const shift of [-0.24, 0.02, 0.26])
      line(
        context,
        points.map((value, index) => (index % 2 ? value : value + width * shift)),
        { width: width * 0.05, colour: shade(green, 0.28) },
      )
  }
  const left = random.between(-40, -34)
  arm([-2, left, -20, left + 2, -23, left - 8, -23, left - 26], 9)
  arm([2, -30, 18, -30, 21, -38, 21, -58], 8.4)
  arm([0, -1, 0, -50, 0, -93], 14)
  for (const [x, y] of [
    [0, -99],
    [-23, left - 30],
    [21, -62],
  ] as const)
    for (let i = 0; i < 5; i++)
      fill(context, ellipse(x + Math.cos(i * 1.257) * 2, y + Math.sin(i * 1.257) * 1.5, 1.8, 1.8), i % 2 ? '#f08fb0' : '#f6aac4')
}

function bush(easel: Easel): void {
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

function stump({ context }: Easel): void {
  form(context, blob([-62, 2, -50, -18, -46, -86, 46, -86, 50, -18, 64, 2, 30, -4, 0, 3, -32, -4]), '#7a5436', { depth: 12 })
  for (const x of [-34, -14, 8, 28]) line(context, [x, -80, x + 2, -40, x - 3, -6], { width: 1.8, colour: '#54381f' })
  form(context, ellipse(0, -86, 46, 13), '#d9b07c', { depth: 4, amount: 0.1 })
  for (const r of [34, 22, 10]) {
    context.strokeStyle = '#b0804e'
    context.lineWidth = 1.6
    context.stroke(ellipse(-2, -86, r, r * 0.28))
  }
}

function log({ context }: Easel): void {
  form(context, rectangle(-190, -92, 370, 92, 34), '#7a5436', { depth: 14 })
  for (const [x, y] of [
    [-140, -66],
    [-60, -40],
    [40, -70],
    [90, -30],
  ] as const)
    line(context, [x, y, x + 40, y + 3, x + 84, y - 2], { width: 3, colour: '#54381f' })
  form(context, ellipse(176, -46, 24, 46), '#d9b07c', { depth: 5, amount: 0.1 })
  for (const r of [34, 22, 10]) {
    context.strokeStyle = '#b0804e'
    context.lineWidth = 3
    context.stroke(ellipse(176, -46, r * 0.52, r))
  }
  form(context, ellipse(-90, -93, 36, 9), '#6f9a44', { depth: 3 })
}

function bonsai(easel: Easel): void {
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

const painters: Record<string, (easel: Easel) => void> = {
  oak: easel => crowned(easel, { kind: 'oak', bark: '#735239', trunk: 27, spread: 44, width: 5.4, leaf: { size: 2.3, radius: 11.5 } }),
  maple: easel => crowned(easel, { kind: 'maple', bark: '#6b4a38', trunk: 27, spread: 40, width: 4.8, leaf: { size: 2.3, radius: 11.5 } }),
  cherry: easel => crowned(easel, { kind: 'cherry', bark: '#5a3c36', trunk: 25, spread: 52, width: 4.8, leaf: { size: 1.9, radius: 11 } }),
  apple: easel =>
    crowned(easel, { kind: 'apple', bark: '#6f5038', trunk: 25, spread: 48, width: 5, leaf: { size: 2.3, radius: 12 }, fruit: '#d8342b' }),
  orange: easel =>
    crowned(easel, {
      kind: 'orange',
      bark: '#6f5038',
      trunk: 26,
      spread: 40,
      width: 4.6,
      leaf: { size: 2.2, radius: 12 },
      fruit: '#f28a1e',
    }),
  olive: easel => crowned(easel, { kind: 'olive', bark: '#7d7060', trunk: 24, spread: 50, width: 6, leaf: { size: 1.8, radius: 11 } }),
  ginkgo: easel => crowned(easel, { kind: 'ginkgo', bark: '#75604a', trunk: 30, spread: 30, width: 4.4, leaf: { size: 2, radius: 11 } }),
  wisteria: easel =>
    crowned(easel, { kind: 'wisteria', bark: '#6b5548', trunk: 26, spread: 52, width: 4.4, leaf: { size: 1.7, radius: 11, drop: 16 } }),
  acacia: easel =>
    crowned(easel, {
      kind: 'acacia',
      bark: '#7d5f44',
      trunk: 36,
      spread: 62,
      width: 3.6,
      levels: 4,
      leaf: { size: 1.7, radius: 15, flat: 0.34 },
    }),
  baobab: easel =>
    crowned(easel, {
      kind: 'baobab',
      bark: '#9a7a60',
      trunk: 56,
      spread: 58,
      width: 13,
      levels: 4,
      leaf: { size: 1.9, radius: 9, flat: 0.6 },
    }),
  bare: easel =>
    crowned(
      { ...easel, season: 'winter' },
      { kind: 'bare', bark: '#5f4a3c', trunk: 28, spread: 42, width: 4.6, leaf: { size: 2, radius: 10 } },
    ),
  willow,
  birch,
  pine: easel => conifer(easel, { half: 30, tiers: 8, colour: '#3f7a4a', trunk: 14 }),
  fir: easel => conifer(easel, { half: 23, tiers: 10, colour: '#2f6a50', trunk: 8 }),
  sequoia: easel => {
    form(easel.context, blob([-7, 0, -3.6, -18, -2.4, -70, 2.4, -70, 3.6, -18, 7, 0]), '#8a4a2f', { depth: 2 })
    conifer(easel, { half: 12, tiers: 12, colour: '#3a6a42', trunk: 40 })
  },
  cypress: easel => {
    const tips = Array.from({ length: 16 }, (_, i) => ({ x: easel.random.between(-1.6, 1.6), y: -8 - i * 5.6 }))
    form(easel.context, rectangle(-2, -10, 4, 10), '#6b4a34', { depth: 1 })
    const palette = leafColours('cypress', easel.season, easel.colour)
    tips.forEach((tip, i) => {
      const radius = 2.6 + 7.4 * Math.sin(0.5 + (i / 15) * 2.45)
      for (const pass of ['back', 'front'] as const)
        foliage(easel.context, [tip], { palette, random: easel.random.fork(`${pass}${i}`), size: 1.5, radius, pass })
    })
  },
  palm,
  bamboo,
  cactus,
  bush,
  stump,
  log,
  bonsai,
}
