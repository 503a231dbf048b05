import type { Facing } from '../art/entry.ts'
import type { Environment, Random } from '../drawing.ts'
import type { Scene, Subject } from '../scene.ts'
import type { Anchors, Bounds } from './artwork.ts'

/** A rectangle in fractions of the picture (0 to 1 in both directions, origin top left). */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** What the layout needs to know of one copy of a subject's drawing. */
export interface LayoutItem {
  subject: Subject
  /** 0 to `subject.count - 1`. */
  copy: number
  bounds: Bounds
  anchors: Anchors
  facing: Facing
  /** Shown from the waist or chest up; stands on the lower edge of the picture. */
  isCropped?: boolean
}

/** Where a subject lives in the picture: decides its baseline, shadow and reflection. */
export type Lane = 'ground' | 'air' | 'water' | 'underwater' | 'sky' | 'wall'

/** How a subject is joined to another one; `none` when it stands for itself. */
export type Attachment = 'none' | 'resting' | 'inside' | 'riding' | 'held' | 'worn'

/** One copy of a subject in the picture. Plain data, the same at every size of one ratio; also used for hit tests of edits. */
export interface PlacedSubject {
  /** Subject id. */
  subject: string
  copy: number
  /** Box of the painted part. */
  box: Box
  /** Row of the feet or water line (0 to 1). */
  baseline: number
  /** 0 nearest to 1 at the horizon. */
  depth: number
  /** True when the drawing is mirrored. */
  flip: boolean
  lane: Lane
  attachment: Attachment
  /** Id and copy of the subject it is attached to. */
  host?: { subject: string; copy: number }
  /** Drawing order: higher is drawn later. */
  order: number
  /** Units of the artwork per picture height, so that a renderer needs no arithmetic on boxes. */
  unit: number
  /** Clockwise tilt in degrees about the middle of the box. */
  tilt: number
}

export interface LayoutInput {
  scene: Scene
  width: number
  height: number
  environment: Pick<Environment, 'horizonY' | 'ground' | 'pixelsPerMetre' | 'water' | 'floor'>
  items: readonly LayoutItem[]
  random: Random
}

/** A copy inside its block: lengths are relative (before the picture's scale), x to the right, y downwards from the block's baseline. */
export interface Node {
  item: LayoutItem
  /** Middle of the feet. */
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

/** Subjects that move together: a root subject with all its copies and everything attached to it. */
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
