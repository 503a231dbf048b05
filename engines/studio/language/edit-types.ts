/** The edits of an instruction, as data. `parseInstruction` makes them; the pixel editor (foreign
 *  images) and the graph editor (own scenes) carry them out, in the order of the instruction. */
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

/** The words an instruction uses for something that is already in the picture ("the red car on
 *  the left"). */
export interface Target {
  /** English lemma: `car`. `background`, `sky`, `person`, `text` and `it` (the main subject) are
   *  possible too. */
  noun: string
  /** Text as written, in the language of the instruction. */
  words: string
  colour?: Colour
  place?: FramePlace
  /** True for "all the dogs", "every dog" or a plural without a number. */
  all?: boolean
}

/** Share of the full effect: 0.2 for "slightly", 0.5 without such a word, 0.9 for "strongly", 1 for
 *  "fully". */
type Amount = number

export type CropEdit =
  /** Keep the centre of this share of both sides (0.1 to 1). */
  | { kind: 'crop'; mode: 'zoom'; share: number; on?: Target }
  /** Cut this share (0 to 0.9) off the named side. */
  | { kind: 'crop'; mode: 'cut'; side: 'left' | 'right' | 'top' | 'bottom'; share: number }
  /** Keep this side's share (0.1 to 1) and cut the rest: "crop to the left half". */
  | { kind: 'crop'; mode: 'keep'; side: 'left' | 'right' | 'top' | 'bottom' | 'center'; share: number }
  /** The largest centred part of this ratio, width to height. */
  | { kind: 'crop'; mode: 'ratio'; width: number; height: number }

export type Edit =
  | { kind: 'grey' }
  | { kind: 'sepia' }
  | { kind: 'invert' }
  | { kind: 'blur'; area: 'whole' | 'background'; amount: Amount }
  | { kind: 'sharpen'; amount: Amount }
  | CropEdit
  /** Degrees clockwise, -359 to 359. */
  | { kind: 'rotate'; degrees: number }
  /** `horizontal` mirrors left and right. */
  | { kind: 'flip'; axis: 'horizontal' | 'vertical' }
  /** -1 (darker) to 1 (brighter); never 0. */
  | { kind: 'brightness'; amount: number }
  /** -1 (flatter) to 1 (harder); never 0. */
  | { kind: 'contrast'; amount: number }
  /** -1 (duller) to 1 (more vivid); never 0. */
  | { kind: 'saturation'; amount: number }
  /** -1 (colder) to 1 (warmer); never 0. */
  | { kind: 'temperature'; amount: number }
  /** `target` absent: tint the whole picture. */
  | { kind: 'recolour'; colour: Colour; target?: Target }
  /** New subjects, with ids `n1`, `n2`, ...; relations among them use those ids. `anchor` relates
   *  the first one to something that is in the picture. */
  | { kind: 'add'; subjects: Subject[]; place?: FramePlace; anchor?: { relation: RelationKind; target: Target } }
  | { kind: 'remove'; target: Target }
  | { kind: 'replace'; target: Target; subjects: Subject[] }
  | { kind: 'setting'; setting: Setting }
  | { kind: 'time'; time: TimeOfDay }
  /** All weather of the picture after the edit. */
  | { kind: 'weather'; weather: Weather[] }
  | { kind: 'season'; season: Season }
  | { kind: 'style'; style: StyleKind }
  | { kind: 'mood'; mood: string }
  | { kind: 'camera'; camera: Partial<Camera> }
  | { kind: 'text'; lettering: Omit<Lettering, 'on'>; on?: Target }
  /** Width is a share of the short side, 0.01 to 0.2. */
  | { kind: 'border'; colour: Colour; width: number; rounded: boolean }
  | { kind: 'vignette'; amount: Amount }
  /** Factor on the size of the subject, 0.25 to 4. */
  | { kind: 'resize'; target: Target; factor: number }
  | { kind: 'move'; target: Target; place: FramePlace }
  | { kind: 'count'; target: Target; count: number }

/** An instruction, understood as far as possible. */
export interface Instruction {
  edits: Edit[]
  /** Words of the instruction that led to no edit, as written. */
  notUnderstood: string[]
}
