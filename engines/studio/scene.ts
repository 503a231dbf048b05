/** The scene graph: what the studio engine understood of a prompt, and all it needs to draw it.
 *  It is plain JSON, stored with the task, and every later edit (redraw, upscale, variation, negative prompt, instruction)
 *  is a change of this graph followed by a new rendering. */

import type { PlacedSubject } from './subjects/placed.ts'

export type TimeOfDay = 'dawn' | 'morning' | 'day' | 'afternoon' | 'sunset' | 'dusk' | 'night'
export type Season = 'spring' | 'summer' | 'autumn' | 'winter'
export type Weather = 'clear' | 'cloudy' | 'overcast' | 'rain' | 'storm' | 'lightning' | 'snow' | 'fog' | 'wind' | 'rainbow' | 'aurora'

/** Places the environment painter knows. `abstract` is for prompts without a thing or place; `backdrop` is a plain studio background. */
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
  /** The words of the prompt this came from; empty when it was chosen by the engine. */
  words: string
  /** Modifiers the painter may honour: `wooden` (table), `neon` (city), `futuristic`, `ruined`, `abandoned`, `cozy`, `flowers`, `autumn`, ... */
  details: string[]
  /** A colour the prompt gives to the place itself ("blue background", "red room", "golden field"). */
  colour?: Colour
}

export type Framing = 'close-up' | 'medium' | 'full' | 'wide' | 'panorama'
export type ViewAngle = 'eye' | 'low' | 'high' | 'top' | 'aerial'
export interface Camera {
  framing: Framing
  angle: ViewAngle
  /** Shallow depth of field: what is behind the subject is blurred. */
  bokeh: boolean
  /** People are seen from behind. */
  side?: 'back'
  /** What the viewer looks through: it frames the picture. */
  through?: ViewFrame
}

const viewFrames = ['window', 'car', 'plane', 'porthole', 'doorway', 'arch', 'tent', 'cave', 'keyhole', 'binoculars', 'hole'] as const
export type ViewFrame = (typeof viewFrames)[number]

export type SizeWord = 'tiny' | 'small' | 'normal' | 'large' | 'huge'

/** Where a subject stands relative to another one or in the frame. `of` is a subject id; absent for a place in the frame. */
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
  /** Drawn on the other one: the cat of a shirt with a cat on it, what a painting shows. */
  | 'printed-on'
export interface Relation {
  kind: RelationKind
  of: string
  /** The part of a body that the subject is on. */
  part?: BodyPart
  /** The second one, for `between`. */
  and?: string
}

export type BodyPart = 'head' | 'shoulder' | 'lap' | 'back'

/** A place in the frame that the prompt names: "in the top left corner", "in the background". */
export interface FramePlace {
  horizontal?: 'left' | 'center' | 'right'
  vertical?: 'top' | 'middle' | 'bottom'
  depth?: 'near' | 'middle' | 'far'
}

/** Looks of a person rig. Absent fields are chosen by the seed. Colours are `#rrggbb`. */
export interface PersonLook {
  age: 'baby' | 'child' | 'adult' | 'elder'
  gender: 'woman' | 'man' | 'any'
  skin?: string
  hair?: { colour?: string; style?: 'short' | 'long' | 'curly' | 'bald' | 'bun' | 'ponytail' | 'bob' | 'afro' }
  beard?: boolean
  /** Iris. */
  eyes?: string
  /** Garments with colours: `{ kind: 'dress', colour: '#c0392b' }`. Kinds: shirt, t-shirt, jacket, leather-jacket, coat, suit, tuxedo, hoodie, sweater, dress, skirt, kilt, trousers, jeans, shorts, uniform, robe, apron, gloves, belt, spacesuit, armour, kimono, swimsuit, boots, shoes. */
  clothes: { kind: string; colour?: string }[]
  /** Things worn on head, face, neck or back: the kinds of `wornRows`. */
  wears: { kind: string; colour?: string }[]
  /** Occupation, which decides clothes and props when they are not given: `firefighter`, `astronaut`, `chef`, ... */
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

/** A part of a thing that has a colour of its own: the wheels of a car, the sails of a boat. */
export interface PaintedPart {
  part: string
  colour: Colour
}

/** Which one of a group: by its side, or its number from the left, counted from 0. */
export type DifferingPlace = 'left' | 'right' | 'middle' | 'top' | 'bottom' | 'any' | number

/** How an art entry is drawn; the part after the colon names the drawing inside its kind. */
export type ArtKey = `noto:${string}` | `fluent:${string}` | `rig:${string}` | `tree:${string}` | `drawn:${string}`

/** Where a subject naturally is: decides its layer, baseline and shadow. */
export type Habitat = 'ground' | 'air' | 'water-surface' | 'underwater' | 'sky' | 'surface' | 'wall' | 'space'

export interface Subject {
  /** `s1`, `s2`, ... stable across edits. */
  id: string
  /** English lemma as understood: `fox`, `sailboat`, `cherry tree`. */
  noun: string
  /** The words of the prompt it came from, in the prompt's language. */
  words: string
  art: ArtKey
  /** 1 to 60. "A flock", "many" and the like are resolved to a number here. */
  count: number
  /** Present when the prompt names a colour for it (not when the colour is its natural one, "red fox"). */
  colour?: Colour
  /** Copies in another colour than the rest. */
  differing?: { at: DifferingPlace; colour: Colour }[]
  /** Parts in other colours than the whole; only those that its drawing knows (`art/painted-parts.ts`). */
  parts?: PaintedPart[]
  /** A pattern or material: `striped`, `spotted`, `golden`, `wooden`, `glass`, `furry`, `metal`, ... */
  looks: string[]
  size: SizeWord
  /** Height of one, in metres, of the real thing: a mouse 0.05, a person 1.7, a house 7, a mountain 900. */
  heightMetres: number
  habitat: Habitat
  pose?: Pose
  person?: PersonLook
  relations: Relation[]
  place?: FramePlace
  /** True for scenery that belongs behind the main subjects (trees of a forest, mountains named in passing). */
  isBackground: boolean
  /** Seed and id it was first drawn with, where that was in another scene: it keeps what the seed chose then (hair, clothes nobody named). */
  origin?: { seed: string; id: string }
}

/** The scene with another seed: another picture of the same subjects. */
export function reseeded(scene: Scene, seed: string): Scene {
  return { ...scene, seed, subjects: scene.subjects.map(subject => fromScene(subject, scene)) }
}

/** A subject as it leaves its scene. */
export function fromScene(subject: Subject, { seed }: Scene): Subject {
  return { ...subject, origin: subject.origin ?? { seed, id: subject.id } }
}

/** Lettering the prompt asks for: `a sign that says "OPEN"`. */
export const letterMakes = ['neon', 'chalk', 'graffiti', 'carved', 'embroidered', 'flowers', 'balloons'] as const
export type LetterMake = (typeof letterMakes)[number]
export interface Lettering {
  text: string
  /** What the letters are made of, or how; absent: printed. */
  made?: LetterMake
  /** Subject that carries it (a sign, a shirt); absent for text on the picture itself. */
  on?: string
  /** Written on the place itself: on the wall of a room, on the ground outdoors. */
  onPlace?: boolean
  place?: FramePlace
  colour?: Colour
}

/** Where all things of a scene are, once a part of it was redrawn: the rest then stays where it was. Copies that are not among `things` are gone. */
export interface Pins {
  /** Width to height of the picture they are for; at another ratio the scene is laid out anew. */
  ratio: number
  things: PlacedSubject[]
  /** The one person shown from the chest or waist up. */
  portrait?: string
}

const formatKinds = ['poster', 'cover', 'card', 'stamp', 'logo', 'icon', 'comic', 'grid', 'polaroid'] as const
export type FormatKind = (typeof formatKinds)[number]
/** What the picture is printed on: the scene is drawn inside of it, once or panel by panel. */
export interface Format {
  kind: FormatKind
  /** Pictures on a page of a comic or in a grid: 2 to 16. */
  panels?: number
  /** What is said of the first subject panel by panel, in a grid. */
  looks?: string[]
  /** The ornament of a poster's frame. */
  manner?: 'deco' | 'nouveau'
}

export interface Scene {
  version: 1
  /** The prompt as drawn (after expansion, if any). */
  prompt: string
  language: 'en' | 'zh' | 'mixed'
  /** Decimal digits of a signed 64-bit integer. Equal scenes with equal seeds give equal bytes. */
  seed: string
  setting: Setting
  time: TimeOfDay
  season: Season
  weather: Weather[]
  style: StyleKind
  /** Extra mood words honoured by grading: `dark`, `bright`, `dreamy`, `warm`, `cold`, `vivid`, `muted`, `magical`, `spooky`, `festive`. */
  moods: string[]
  camera: Camera
  /** In order of mention. Main subject first unless `isBackground`. */
  subjects: Subject[]
  letterings: Lettering[]
  /** Absent: the scene fills the picture. */
  format?: Format
  /** Absent: the layout decides. */
  pins?: Pins
  /** 0 to 1: how many inferred extras (petals, birds, props) may be added; 0 draws only what was asked. */
  extras: number
  /** Words of the prompt that could not be drawn, as written. */
  notDrawn: string[]
}
