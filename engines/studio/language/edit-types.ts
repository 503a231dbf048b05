/** The edits of an instruction, as data. `parseInstruction` creates them. The pixel editor applies
 *  them to pictures that the studio did not make; the scene editor applies them to the scenes of
 *  the studio's own pictures. Both editors keep the order of the instruction. */
import type {
  Camera,
  Colour,
  FramePlace,
  Lettering,
  RelationKind,
  Season,
  Setting,
  StyleKind,
  Subject,
  TimeOfDay,
  Weather,
} from '../scene.ts'

/** How an instruction refers to something in the picture ("the red car on the left"). */
export interface Target {
  /** The English noun in its dictionary form, such as `car`; or one of `background`, `sky`,
   *  `person`, `text` and `it` (the main subject). */
  noun: string
  /** The words of the instruction, in its language. */
  words: string
  colour?: Colour
  place?: FramePlace
  /** True for "all the dogs", "every dog" or a plural without a number. */
  all?: boolean
}

/** Strength of an edit as a share of the full effect: 0.2 for "slightly", 0.5 by default, 0.9 for
 *  "strongly", 1 for "fully". */
type Amount = number

export type CropEdit =
  /** Keeps the centre; `share` is the remaining part of both sides, 0.1 to 1. */
  | { kind: 'crop'; mode: 'zoom'; share: number; on?: Target }
  /** Removes the share `share` (0 to 0.9) of the picture at one side. */
  | { kind: 'crop'; mode: 'cut'; side: 'left' | 'right' | 'top' | 'bottom'; share: number }
  /** Keeps the share `share` (0.1 to 1) of the picture at one side and removes the rest, as in
   *  "crop to the left half". */
  | { kind: 'crop'; mode: 'keep'; side: 'left' | 'right' | 'top' | 'bottom' | 'center'; share: number }
  /** Keeps the largest centred part with this aspect ratio (width : height). */
  | { kind: 'crop'; mode: 'ratio'; width: number; height: number }

export type Edit =
  | { kind: 'grey' }
  | { kind: 'sepia' }
  | { kind: 'invert' }
  | { kind: 'blur'; area: 'whole' | 'background'; amount: Amount }
  | { kind: 'sharpen'; amount: Amount }
  | CropEdit
  /** Rotates clockwise by degrees, -359 to 359. */
  | { kind: 'rotate'; degrees: number }
  /** `horizontal` exchanges left and right. */
  | { kind: 'flip'; axis: 'horizontal' | 'vertical' }
  /** Brightness from -1 (darker) to 1 (brighter); never 0. */
  | { kind: 'brightness'; amount: number }
  /** Contrast from -1 (flatter) to 1 (harder); never 0. */
  | { kind: 'contrast'; amount: number }
  /** Saturation from -1 (duller) to 1 (more vivid); never 0. */
  | { kind: 'saturation'; amount: number }
  /** Colour temperature from -1 (colder) to 1 (warmer); never 0. */
  | { kind: 'temperature'; amount: number }
  /** Recolours the target; without a target, tints the whole picture. */
  | { kind: 'recolour'; colour: Colour; target?: Target }
  /** Adds subjects. Their ids are `n1`, `n2` and so on; their relations use these ids. `anchor` is
   *  the relation of the first subject to something in the picture. */
  | { kind: 'add'; subjects: Subject[]; place?: FramePlace; anchor?: { relation: RelationKind; target: Target } }
  | { kind: 'remove'; target: Target }
  | { kind: 'replace'; target: Target; subjects: Subject[] }
  | { kind: 'setting'; setting: Setting }
  | { kind: 'time'; time: TimeOfDay }
  /** The complete weather of the picture after the edit. */
  | { kind: 'weather'; weather: Weather[] }
  | { kind: 'season'; season: Season }
  | { kind: 'style'; style: StyleKind }
  | { kind: 'mood'; mood: string }
  | { kind: 'camera'; camera: Partial<Camera> }
  | { kind: 'text'; lettering: Omit<Lettering, 'on'>; on?: Target }
  /** Adds a border. Its `width` is a share of the picture's short side, 0.01 to 0.2. */
  | { kind: 'border'; colour: Colour; width: number; rounded: boolean }
  | { kind: 'vignette'; amount: Amount }
  /** Changes the size of the subject by a factor of 0.25 to 4. */
  | { kind: 'resize'; target: Target; factor: number }
  | { kind: 'move'; target: Target; place: FramePlace }
  | { kind: 'count'; target: Target; count: number }

/** The result of reading an instruction: the edits, and the words that were not understood. */
export interface Instruction {
  edits: Edit[]
  /** Words of the instruction that led to no edit, as written. */
  notUnderstood: string[]
}
