import type { Rgb } from '../drawing.ts'
import type { Season } from '../scene.ts'
import { mix, rgb } from './colour.ts'
import type { Stage } from './stage.ts'

export interface Greens {
  grass: readonly [Rgb, Rgb, Rgb]
  /** Colours of the leaves of broad-leaved trees. There are several, so that the trees of a forest
   *  differ. */
  leaves: readonly Rgb[]
  conifer: Rgb
  flowers: readonly Rgb[]
  /** Share of the ground and the branches that snow covers, 0 to 1. */
  snow: number
}

const rows: Record<Season, { grass: [string, string, string]; leaves: string[]; conifer: string; flowers: string[] }> = {
  spring: {
    grass: ['#6fa544', '#9cc75c', '#4e8740'],
    leaves: ['#7fb04a', '#93bd55', '#699f4a', '#a7c864'],
    conifer: '#3c6b4a',
    flowers: ['#fff6e8', '#f7b6cf', '#f6d84c', '#c79be8', '#ffffff', '#ef7f9c'],
  },
  summer: {
    grass: ['#5d9a40', '#8cb84e', '#3f7637'],
    leaves: ['#4f8a3c', '#5f9943', '#417a3a', '#74a64a'],
    conifer: '#2f5f43',
    flowers: ['#f4f0e6', '#f2c53d', '#e2574c', '#8d7be0', '#ffffff', '#f08a3c'],
  },
  autumn: {
    grass: ['#9a9a48', '#c2ae5a', '#6f7a3c'],
    leaves: ['#d9822b', '#c65a2a', '#e0a836', '#b5452b', '#a9963c', '#cf6a30'],
    conifer: '#3b6046',
    flowers: ['#e9c46a', '#d98f4e', '#f0e2c0', '#b6584a'],
  },
  winter: {
    grass: ['#8e9468', '#b3b089', '#6c7558'],
    leaves: ['#8a7a66', '#7b6a58', '#968672'],
    conifer: '#34574a',
    flowers: ['#f2ede4'],
  },
}

/** Returns the colours of plants in the scene's season. The words `autumn`, `fall`, `winter` and
 *  `snowy` in the setting's details have priority over the season. */
export function greensOf(stage: Stage): Greens {
  const season: Season = stage.has('autumn', 'fall') ? 'autumn' : stage.has('winter', 'snowy') ? 'winter' : stage.scene.season
  const row = rows[season]
  const [low, high, deep] = row.grass
  const snow = stage.weather('snow') || stage.has('snowy', 'snow') ? 1 : season === 'winter' ? 0.72 : 0
  return {
    grass: [rgb(low), rgb(high), rgb(deep)],
    leaves: row.leaves.map(rgb),
    conifer: rgb(row.conifer),
    flowers: row.flowers.map(rgb),
    snow,
  }
}

/** Returns the three grass colours, mixed with the colour that the prompt gives to the place. */
export function tinted(greens: Greens, own: Rgb | undefined): Greens['grass'] {
  const tint = (c: Rgb) => (own === undefined ? c : mix(c, own, 0.72))
  const [low, high, deep] = greens.grass
  return [tint(low), tint(high), tint(deep)]
}

/** Returns the colour that the prompt gives to the place; undefined when it gives none. */
export function colourOfPlace({ scene: { setting } }: Stage): Rgb | undefined {
  return setting.colour && rgb(setting.colour.hex)
}
