/** The scene graph: how the studio interpreted a prompt, with everything needed to draw the
 *  picture. The graph is plain JSON and is stored with the task. A later edit (redraw, upscale,
 *  variation, negative prompt, instruction) changes the graph and draws it again. */

import type { PlacedSubject } from './subjects/placed.ts'

export type TimeOfDay = 'dawn' | 'morning' | 'day' | 'afternoon' | 'sunset' | 'dusk' | 'night'
export type Season = 'spring' | 'summer' | 'autumn' | 'winter'
export type Weather = 'clear' | 'cloudy' | 'overcast' | 'rain' | 'storm' | 'lightning' | 'snow' | 'fog' | 'wind' | 'rainbow' | 'aurora'

/** The kinds of places that can be painted. `abstract` is for prompts that name neither an object
 *  nor a place; `backdrop` is a plain studio background. */
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

/** An sRGB colour `#rrggbb`, with the word of the prompt that names it (`red`, `navy`). */
export interface Colour {
  hex: string
  name: string
}

export interface Setting {
  kind: SettingKind
  /** The words of the prompt that name the place; empty when the engine chose it. */
  words: string
  /** Properties of the place: `wooden` (table), `neon` (city), `futuristic`, `ruined`, `abandoned`,
   *  `cozy`, `flowers`, `autumn`, ... Painters of places draw those that they support. */
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
  /** True for a shallow depth of field: everything behind the subject is blurred. */
  bokeh: boolean
  /** `back` when people are seen from behind. */
  side?: 'back'
  /** A frame through which the viewer looks, such as a window or binoculars. */
  through?: ViewFrame
}

const viewFrames = ['window', 'car', 'plane', 'porthole', 'doorway', 'arch', 'tent', 'cave', 'keyhole', 'binoculars', 'hole'] as const
export type ViewFrame = (typeof viewFrames)[number]

export type SizeWord = 'tiny' | 'small' | 'normal' | 'large' | 'huge'

/** Position of a subject relative to another subject (`Relation.of`). */
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
  /** The subject is a print or picture on the other one: a cat on a shirt, the motif of a
   *  painting. */
  | 'printed-on'
export interface Relation {
  kind: RelationKind
  of: string
  /** The part of the other subject's body on which this subject sits or lies. */
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

/** Appearance of a person. For absent fields, the seed decides. Colours are `#rrggbb`. */
/** A pattern on a garment. */
export type ClothPattern = 'spotted' | 'striped' | 'checkered' | 'flowery'

export interface PersonLook {
  age: 'baby' | 'child' | 'adult' | 'elder'
  gender: 'woman' | 'man' | 'any'
  skin?: string
  hair?: { colour?: string; style?: 'short' | 'long' | 'curly' | 'bald' | 'bun' | 'ponytail' | 'bob' | 'afro' }
  beard?: boolean
  /** Colour of the iris. */
  eyes?: string
  /** Garments with their colours: `{ kind: 'dress', colour: '#c0392b' }`. Kinds: shirt, t-shirt,
   *  jacket, leather-jacket, coat, suit, tuxedo, hoodie, sweater, dress, skirt, kilt, trousers,
   *  jeans, shorts, uniform, robe, apron, gloves, belt, spacesuit, armour, kimono, swimsuit, boots,
   *  shoes. */
  clothes: { kind: string; colour?: string; pattern?: ClothPattern }[]
  /** Things worn on the head, face, neck or back. The kinds are listed in `wornRows`. */
  wears: { kind: string; colour?: string }[]
  /** Occupation; decides clothes and props that the prompt does not mention: `firefighter`,
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

/** A part that has another colour than the rest of its subject: the wheels of a car, the sails of a
 *  boat. */
export interface PaintedPart {
  part: string
  colour: Colour
}

/** The copy of a group whose colour differs: named by its position in the group, or by its number,
 *  counted from 0 at the left. */
export type DifferingPlace = 'left' | 'right' | 'middle' | 'top' | 'bottom' | 'any' | number

/** Key of a drawing. The prefix names the source: `noto` and `fluent` are emoji sets, the others
 *  are drawing functions of the engine. The part after the colon is the drawing's name. */
export type ArtKey = `noto:${string}` | `fluent:${string}` | `rig:${string}` | `tree:${string}` | `drawn:${string}`

/** The natural place of a subject: determines its layer, baseline and shadow. */
export type Habitat = 'ground' | 'air' | 'water-surface' | 'underwater' | 'sky' | 'surface' | 'wall' | 'space'

export interface Subject {
  /** `s1`, `s2`, ...; stable across edits. */
  id: string
  /** English dictionary form: `fox`, `sailboat`, `cherry tree`. */
  noun: string
  /** The words of the prompt that name the subject, in the prompt's language. */
  words: string
  art: ArtKey
  /** Number of copies, 1 to 60; words such as "a flock" or "many" are converted to a number. */
  count: number
  /** Set when the prompt names a colour for the subject. Not set when the colour is part of the
   *  name of the thing ("red fox"). */
  colour?: Colour
  /** Copies with a colour that differs from the rest of the group. */
  differing?: { at: DifferingPlace; colour: Colour }[]
  /** Parts whose colour differs from that of the whole. Only some drawings can colour parts
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
  /** True for a subject that the prompt places far away, and for scenery behind the main
   *  subjects, such as the trees of a forest or mountains. */
  isBackground: boolean
  /** Set when the subject was first drawn in another scene: that scene's seed and the subject's id
   *  there. Hair, clothes and other details that the seed decides are then chosen by this seed, so
   *  that the subject keeps its appearance. */
  origin?: { seed: string; id: string }
}

/** Returns the scene with another seed. The subjects keep their appearance, but the picture is laid
 *  out and painted differently. */
export function reseeded(scene: Scene, seed: string): Scene {
  return { ...scene, seed, subjects: scene.subjects.map(subject => fromScene(subject, scene)) }
}

/** Returns the subject with `origin` set, so that it keeps its appearance in another scene. */
export function fromScene(subject: Subject, { seed }: Scene): Subject {
  return { ...subject, origin: subject.origin ?? { seed, id: subject.id } }
}

/** Materials and styles of letters. */
export const letterMakes = ['neon', 'chalk', 'graffiti', 'carved', 'embroidered', 'flowers', 'balloons'] as const
export type LetterMake = (typeof letterMakes)[number]
export interface Lettering {
  text: string
  /** Material or style of the letters; when absent, plain printed letters. */
  made?: LetterMake
  /** Id of the subject that bears the text (a sign, a shirt); when absent, the text is on the
   *  picture itself. */
  on?: string
  /** True when the text is written on the place itself: the wall of a room, or the ground
   *  outdoors. */
  onPlace?: boolean
  place?: FramePlace
  colour?: Colour
}

/** The positions of all things in a scene. The positions are stored when a part of the picture is
 *  redrawn, so that the other things stay where they are. A copy of a subject that is missing from
 *  `things` has been removed. */
export interface Pins {
  /** Aspect ratio (width / height) for which the positions are valid; for another ratio the layout
   *  is computed again. */
  ratio: number
  things: PlacedSubject[]
  /** Id of the person who is shown from the chest or waist up. Set only if that person is the only
   *  one in the scene. */
  portrait?: string
}

const formatKinds = ['poster', 'cover', 'card', 'stamp', 'logo', 'icon', 'comic', 'grid', 'polaroid'] as const
export type FormatKind = (typeof formatKinds)[number]
/** The object on which the picture is printed, such as a poster, book cover or comic page. The
 *  scene is drawn inside it, once or in several panels. */
export interface Format {
  kind: FormatKind
  /** Number of panels on a comic page or in a grid, 2 to 16. */
  panels?: number
  /** Appearance, such as the expression, that the first subject has in each panel of a grid. */
  looks?: string[]
  /** Ornamental style of a poster's frame. */
  manner?: 'deco' | 'nouveau'
}

export interface Scene {
  version: 1
  /** The prompt that was drawn, after expansion. */
  prompt: string
  language: 'en' | 'zh' | 'mixed'
  /** Signed 64-bit integer in decimal digits. Scenes that are equal, including the seed, give equal
   *  bytes. */
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
  /** When absent, the scene fills the whole picture. */
  format?: Format
  /** When absent, the layout is computed from the scene. */
  pins?: Pins
  /** How many things (petals, birds, props) the engine may add that the prompt does not name: 0
   *  (none) to 1. */
  extras: number
  /** Words of the prompt that the engine cannot draw, unchanged. */
  notDrawn: string[]
}
