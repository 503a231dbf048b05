import type { Facing } from '../art/entry.ts'
import type { Environment, Random } from '../drawing.ts'
import type { Scene, Subject } from '../scene.ts'
import type { Anchors, Bounds } from './artwork.ts'
import type { Attachment, Lane } from './placed.ts'

export type { Attachment, Box, Lane, PlacedSubject } from './placed.ts'

/** The facts that the layout needs about one copy of a subject's drawing. */
export interface LayoutItem {
  subject: Subject
  /** 0 to `subject.count - 1`. */
  copy: number
  bounds: Bounds
  anchors: Anchors
  facing: Facing
  /** True when the thing is shown from the waist or chest up; it stands on the lower edge of the
   *  picture. */
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

/** A copy inside its block: lengths are relative (before the picture's scale), x to the right, y
 *  downwards from the block's baseline. */
export interface Node {
  item: LayoutItem
  /** Place of the middle of the feet. */
  x: number
  y: number
  /** Relative length of one unit of the artwork. */
  unit: number
  /** Drawing order inside the block. */
  z: number
  flip: boolean
  tilt: number
  attachment: Attachment
  host?: Node
}

/** Subjects that move together: a root subject with all its copies and everything attached to
 *  it. */
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
