import type { Facing } from '../art/entry.ts'
import type { Environment, Random } from '../drawing.ts'
import type { Scene, Subject } from '../scene.ts'
import type { Anchors, Bounds } from './artwork.ts'
import type { Attachment, Lane } from './placed.ts'

export type { Attachment, Box, Lane, PlacedSubject } from './placed.ts'

/** One copy of a subject as the layout sees it: the size of the drawing, the points for attached
 *  things, and the side to which it faces. */
export interface LayoutItem {
  subject: Subject
  /** Number of the copy, 0 to `subject.count - 1`. */
  copy: number
  bounds: Bounds
  anchors: Anchors
  facing: Facing
  /** True when only the upper part of the thing is drawn, from the waist or chest up; the layout
   *  places it at the lower edge of the picture. */
  isCropped?: boolean
}

export interface LayoutInput {
  scene: Scene
  width: number
  height: number
  environment: Pick<Environment, 'horizonY' | 'ground' | 'pixelsPerMetre' | 'water' | 'floor'>
  items: readonly LayoutItem[]
  random: Random
}

/** One copy of a subject within its `Block`. Lengths are relative, because the layout later scales
 *  the block to the picture. `x` grows to the right, `y` downwards from the baseline of the
 *  block. */
export interface Node {
  item: LayoutItem
  /** Position of the middle of the feet. */
  x: number
  y: number
  /** Relative length of one unit of the drawing. */
  unit: number
  /** Drawing order within the block; higher is drawn later. */
  z: number
  flip: boolean
  tilt: number
  attachment: Attachment
  host?: Node
}

/** Subjects that the layout places as a whole: a root subject with all its copies, and everything
 *  attached to them. */
export interface Block {
  root: Subject
  nodes: Node[]
  lane: Lane
  isBackground: boolean
}

export interface Extent {
  left: number
  top: number
  right: number
  bottom: number
}
