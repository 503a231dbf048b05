import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import type { Colour, Season } from '../../scene.ts'

export interface TreeContext {
  season: Season
  colour: Colour | undefined
  random: Random
}

/** The parameter of every function that draws trees. A tree is 100 units high. */
export interface Easel extends TreeContext {
  context: SKRSContext2D
}
