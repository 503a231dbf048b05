/** The scene graph: the studio engine's understanding of a prompt, and everything it needs to draw
 *  it. It is plain JSON, stored with the task; every later edit (redraw, upscale, variation,
 *  negative prompt, instruction) changes this graph and renders it again. */

import type { PlacedSubject } from './subjects/placed.ts'

export type TimeOfDay = 'dawn' | 'morning' | 'day' | 'afternoon' | 'sunset' | 'dusk' | 'night'
export type Season = 'spring' | 'summer' | 'autumn' | 'winter'
export type Weather = 'clear' | 'cloudy' | 'overcast' | 'rain' | 'storm' | 'lightning' | 'snow' | 'fog' | 'wind' | 'rainbow' | 'aurora'

/** Places that the environment painter can draw. `abstract` is for prompts without an object or
 *  place; `backdrop` is a plain studio background. */
export const settingKinds = [
  'meadow',
  'field',
  'farm',
  'garden',
  'park',
  'forest',
  'jungle',
  'mountains',
  'hills',
  'desert',
  'snowfield',
  'beach',
  'sea',
  'underwater',
  'lake',
  'river',
  'waterfall',
  'swamp',
  'cave',
  'volcano',
  'island',
  'village',
  'street',
  'city',
  'rooftop',
  'road',
  'railway',
  'harbour',
  'stadium',
  'playground',
  'market',
  'castle-grounds',
  'ruins',
  'graveyard',
  'sky',
  'space',
  'moon',
  'planet',
  'room',
  'bedroom',
  'kitchen',
  'restaurant',
  'cafe',
  'library',
  'classroom',
  'office',
  'laboratory',
  'hospital',
  'shop',
  'museum',
  'theatre',
  'concert-hall',
  'gym',
  'pool',
  'workshop',
  'garage',
  'table',
  'window-table',
  'shelf',
  'wall',
  'backdrop',
  'abstract',
] as const
export type SettingKind = (typeof settingKinds)[number]

export const styleKinds = [
  'illustration',
  'watercolor',
  'oil',
  'sketch',
  'ink',
  'pixel',
  'anime',
  'comic',
  'vintage',
  'noir',
  'cinematic',
  'flat',
  'clay',
  'neon',
  'pastel',
  'low-poly',
  'stained-glass',
  'mosaic',
  'woodcut',
  'impressionist',
  'pop-art',
  'chalk',
  'paper-cut',
  'cubist',
  'cross-stitch',
  'blueprint',
  'papyrus',
  'crayon',
  'line-art',
  'ukiyo-e',
  'pointillism',
  'synthwave',
  'fresco',
  'tapestry',
  'photo',
] as const
export type StyleKind = (typeof styleKinds)[number]

/** An sRGB colour `#rrggbb` with the word it came from (`red`, `navy`). */
export interface Colour {
  hex: string
  name: string
}

export interface Setting {
  kind: SettingKind
  /** The words of the prompt for the place; empty when the engine chose it. */
  words: string
  /** Modifiers the painter may honour: `wooden` (table), `neon` (city), `futuristic`, `ruined`,
   *  `abandoned`, `cozy`, `flowers`, `autumn`, ... */
  details: string[]
  /** A colour that the prompt gives to the place itself ("blue background", "red room", "golden
   *  field"). */
  colour?: Colour
}

export type Framing = 'close-up' | 'medium' | 'full' | 'wide' | 'panorama'
export type ViewAngle = 'eye' | 'low' | 'high' | 'top' | 'aerial'
export interface Camera {
  framing: Framing
  angle: ViewAngle
  /** Shallow depth of field: everything behind the subject is blurred. */
  bokeh: boolean
  /** `back` when people are seen from behind. */
  side?: 'back'
  /** The frame through which the viewer looks. */
  through?: ViewFrame
}

const viewFrames = ['window', 'car', 'plane', 'porthole', 'doorway', 'arch', 'tent', 'cave', 'keyhole', 'binoculars', 'hole'] as const
export type ViewFrame = (typeof viewFrames)[number]

export type SizeWord = 'tiny' | 'small' | 'normal' | 'large' | 'huge'

/** Position of a subject relative to another one, or in the frame. `of` is a subject id; absent for
 *  a position in the frame. */
export type RelationKind =
  | 'on'
  | 'in'
  | 'under'
  | 'above'
  | 'behind'
  | 'in-front-of'
  | 'beside'
  | 'left-of'
  | 'right-of'
  | 'between'
  | 'around'
  | 'riding'
  | 'holding'
  | 'wearing'
  | 'carrying'
  | 'chasing'
  | 'facing'
  /** Drawn on the other subject: the cat on a shirt, the motif of a painting. */
  | 'printed-on'
export interface Relation {
  kind: RelationKind
  of: string
  /** The part of the body on which the subject is. */
  part?: BodyPart
  /** Id of the second subject, for `between`. */
  and?: string
}

export type BodyPart = 'head' | 'shoulder' | 'lap' | 'back'

/** A position in the frame that the prompt names: "in the top left corner", "in the background". */
export interface FramePlace {
  horizontal?: 'left' | 'center' | 'right'
  vertical?: 'top' | 'middle' | 'bottom'
  depth?: 'near' | 'middle' | 'far'
}

/** Appearance of a person. The seed chooses absent fields. Colours are `#rrggbb`. */
export interface PersonLook {
  age: 'baby' | 'child' | 'adult' | 'elder'
  gender: 'woman' | 'man' | 'any'
  skin?: string
  hair?: { colour?: string; style?: 'short' | 'long' | 'curly' | 'bald' | 'bun' | 'ponytail' | 'bob' | 'afro' }
  beard?: boolean
  /** Colour of the iris. */
  eyes?: string
  /** Garments with colours: `{ kind: 'dress', colour: '#c0392b' }`. Kinds: shirt, t-shirt,
   *  jacket, leather-jacket, coat, suit, tuxedo, hoodie, sweater, dress, skirt, kilt, trousers,
   *  jeans, shorts, uniform, robe, apron, gloves, belt, spacesuit, armour, kimono, swimsuit,
   *  boots, shoes. */
  clothes: { kind: string; colour?: string }[]
  /** Things worn on head, face, neck or back: the kinds of `wornRows`. */
  wears: { kind: string; colour?: string }[]
  /** Occupation, which determines clothes and props when the prompt does not: `firefighter`,
   *  `astronaut`, `chef`, ... */
  role?: string
}

export type Pose =
  | 'standing'
  | 'sitting'
  | 'walking'
  | 'running'
  | 'jumping'
  | 'dancing'
  | 'sleeping'
  | 'lying'
  | 'waving'
  | 'reading'
  | 'flying'
  | 'swimming'
  | 'riding'
  | 'playing'
  | 'cooking'
  | 'painting'
  | 'singing'
  | 'eating'
  | 'kneeling'
  | 'climbing'
  | 'fishing'
  | 'working'
  | 'holding'
  | 'looking'
  | 'speaking'
  | 'giving'
  | 'reaching'
  | 'pushing'
  | 'throwing'
  | 'kicking'
  | 'leaning'
  | 'pouring'
  | 'hugging'
  | 'fighting'

/** A part with a colour of its own: the wheels of a car, the sails of a boat. */
export interface PaintedPart {
  part: string
  colour: Colour
}

/** Selects one of a group by its side, or by its number from the left, from 0. */
export type DifferingPlace = 'left' | 'right' | 'middle' | 'top' | 'bottom' | 'any' | number

/** How an art entry is drawn; the part after the colon names the drawing inside its kind. */
export type ArtKey = `noto:${string}` | `fluent:${string}` | `rig:${string}` | `tree:${string}` | `drawn:${string}`

/** The natural place of a subject: determines its layer, baseline and shadow. */
export type Habitat = 'ground' | 'air' | 'water-surface' | 'underwater' | 'sky' | 'surface' | 'wall' | 'space'

export interface Subject {
  /** `s1`, `s2`, ...; stable across edits. */
  id: string
  /** English lemma as understood: `fox`, `sailboat`, `cherry tree`. */
  noun: string
  /** The words of the prompt for the subject, in the prompt's language. */
  words: string
  art: ArtKey
  /** Number of copies, 1 to 60; "a flock", "many" and the like become a number here. */
  count: number
  /** Present when the prompt names a colour other than the natural one ("red fox"). */
  colour?: Colour
  /** Copies whose colour differs from the rest. */
  differing?: { at: DifferingPlace; colour: Colour }[]
  /** Parts whose colour differs from the whole; only parts that its drawing supports
   *  (`art/painted-parts.ts`). */
  parts?: PaintedPart[]
  /** A pattern or material: `striped`, `spotted`, `golden`, `wooden`, `glass`, `furry`, `metal`,
   *  ... */
  looks: string[]
  size: SizeWord
  /** Real height of one copy, metres: a mouse 0.05, a person 1.7, a house 7, a mountain 900. */
  heightMetres: number
  habitat: Habitat
  pose?: Pose
  person?: PersonLook
  relations: Relation[]
  place?: FramePlace
  /** True for scenery that belongs behind the main subjects (trees of a forest, mountains named
   *  in passing). */
  isBackground: boolean
  /** Seed and id of the scene in which the subject was first drawn, if that was another scene: the
   *  looks that the seed chose there stay (hair, clothes that the prompt did not name). */
  origin?: { seed: string; id: string }
}

/** Returns the scene with another seed: a different picture of the same subjects. */
export function reseeded(scene: Scene, seed: string): Scene {
  return { ...scene, seed, subjects: scene.subjects.map(subject => fromScene(subject, scene)) }
}

/** Returns the subject with its origin, for use in another scene. */
export function fromScene(subject: Subject, { seed }: Scene): Subject {
  return { ...subject, origin: subject.origin ?? { seed, id: subject.id } }
}

/** Materials and styles of letters. */
export const letterMakes = ['neon', 'chalk', 'graffiti', 'carved', 'embroidered', 'flowers', 'balloons'] as const
export type LetterMake = (typeof letterMakes)[number]
export interface Lettering {
  text: string
  /** Material or style of the letters; printed when absent. */
  made?: LetterMake
  /** Id of the subject that bears the text (a sign, a shirt); absent for text on the picture
   *  itself. */
  on?: string
  /** Written on the place itself: the wall of a room, or the ground outdoors. */
  onPlace?: boolean
  place?: FramePlace
  colour?: Colour
}

/** The positions of all things of a scene, stored once a part of it was redrawn, so that the rest
 *  keeps its place. Copies that `things` lacks have been removed. */
export interface Pins {
  /** Width divided by height of the picture for which the positions hold; for another ratio the
   *  scene is laid out again. */
  ratio: number
  things: PlacedSubject[]
  /** Id of the only person who is shown from the chest or waist up. */
  portrait?: string
}

const formatKinds = ['poster', 'cover', 'card', 'stamp', 'logo', 'icon', 'comic', 'grid', 'polaroid'] as const
export type FormatKind = (typeof formatKinds)[number]
/** The object that the picture is printed on: the scene is drawn inside it, once or panel by
 *  panel. */
export interface Format {
  kind: FormatKind
  /** Number of pictures on a comic page or in a grid, 2 to 16. */
  panels?: number
  /** Appearance of the first subject in each panel of a grid. */
  looks?: string[]
  /** Ornament of a poster's frame. */
  manner?: 'deco' | 'nouveau'
}

export interface Scene {
  version: 1
  /** The prompt as drawn (after expansion, if any). */
  prompt: string
  language: 'en' | 'zh' | 'mixed'
  /** Signed 64-bit integer in decimal digits. Equal scenes with equal seeds give equal bytes. */
  seed: string
  setting: Setting
  time: TimeOfDay
  season: Season
  weather: Weather[]
  style: StyleKind
  /** Mood words that affect the colour grading: `dark`, `bright`, `dreamy`, `warm`, `cold`,
   *  `vivid`, `muted`, `magical`, `spooky`, `festive`. */
  moods: string[]
  camera: Camera
  /** Subjects in order of mention; the first is the main one unless `isBackground`. */
  subjects: Subject[]
  letterings: Lettering[]
  /** When absent, the scene fills the picture. */
  format?: Format
  /** When absent, the layout decides. */
  pins?: Pins
  /** How many inferred extras (petals, birds, props) may be added, 0 to 1; 0 draws only what the
   *  prompt names. */
  extras: number
  /** Words of the prompt that could not be drawn, as written. */
  notDrawn: string[]
}
