import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import type { Colour, Season } from '../../scene.ts'

export interface TreeContext {
  season: Season
  colour: Colour | undefined
  random: Random
}

/** The tools that every tree painter gets. Units: 100 is the height of the tree. */
export interface Easel extends TreeContext {
  context: SKRSContext2D
}
