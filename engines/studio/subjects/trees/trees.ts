import type { Artwork } from '../artwork.ts'
import { blob, form, rectangle } from '../brush.ts'
import { vectorArtwork } from '../vector.ts'
import { crowned } from './crown.ts'
import type { Easel, TreeContext } from './easel.ts'
import { foliage, leafColours } from './foliage.ts'
import { birch, bonsai, branch, bush, willow } from './leafy.ts'
import { bamboo, cactus, conifer, log, palm, stump } from './shapes.ts'

/** Draws a tree or plant (`oak` for `tree:oak`). Another `random` gives another shape of the same
 *  kind. Throws `RangeError` for an unknown kind. */
export function treeArtwork(kind: string, input: TreeContext): Artwork {
  const painter = painters[kind]
  if (!painter) throw new RangeError(`no tree ${kind}`)
  const artwork = vectorArtwork({ paint: context => painter({ ...input, context, random: input.random.fork('tree') }) })
  const { top, left, right } = artwork.bounds
  const flat = kind === 'stump' || kind === 'log' || kind === 'branch'
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

const painters: Record<string, (easel: Easel) => void> = {
  oak: easel => crowned(easel, { kind: 'oak', bark: '#735239', trunk: 27, spread: 44, width: 5.4, leaf: { size: 2, radius: 11.5 } }),
  maple: easel => crowned(easel, { kind: 'maple', bark: '#6b4a38', trunk: 27, spread: 40, width: 4.8, leaf: { size: 2, radius: 11.5 } }),
  cherry: easel =>
    crowned(easel, { kind: 'cherry', bark: '#5a3c36', trunk: 25, spread: 52, width: 4.8, leaf: { size: 1.6, radius: 11, isPetal: true } }),
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
    crowned(easel, {
      kind: 'wisteria',
      bark: '#6b5548',
      trunk: 26,
      spread: 52,
      width: 4.4,
      leaf: { size: 1.7, radius: 11, drop: 16, isPetal: true },
    }),
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
  branch,
}
