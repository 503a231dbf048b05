import type {
  Camera,
  Colour,
  FramePlace,
  PersonLook,
  Pose,
  RelationKind,
  Season,
  SettingKind,
  SizeWord,
  StyleKind,
  TimeOfDay,
  Weather,
} from '../../scene.ts'

export type HairStyle = NonNullable<NonNullable<PersonLook['hair']>['style']>

/** How a word for a place is read when the catalogue also has a drawing for it. `place`: always as
 *  the setting. `either`: as the setting after a word such as "in" or when the prompt names no
 *  other setting, and otherwise as a thing (mountain, volcano). `thing`: as the setting only after
 *  "in", "inside" or "on" (shop, moon, table). */
export type SettingStrength = 'place' | 'either' | 'thing'

/** One meaning of a word or phrase. */
export type Sense =
  | { kind: 'number'; value: number }
  /** A group noun, which stands for a number of things: "a flock of", 一群 ("a group of"). */
  | { kind: 'group'; value: number }
  | { kind: 'article'; definite: boolean }
  /** A Chinese measure word between a number and its noun, such as 只 and 个. */
  | { kind: 'measure' }
  | { kind: 'container' }
  | { kind: 'size'; size: SizeWord }
  | { kind: 'colour'; colour: Colour }
  | { kind: 'look'; look: string; colour?: Colour }
  | { kind: 'age'; age: PersonLook['age'] }
  | { kind: 'hair'; colour?: string; style?: HairStyle }
  | { kind: 'hair-noun' }
  | { kind: 'beard' }
  | { kind: 'skin'; hex: string }
  | { kind: 'garment'; garment: string }
  | { kind: 'worn'; worn: string }
  /** A part of a thing. A plain part is ignored, because the drawing shows it anyway ("a bird with
   *  wings"); a part with a description is reported when it is not drawn ("a red roof"). */
  | { kind: 'part' }
  /** A verb. It gives the subject a pose or a look, or relates the subject to its object, or does
   *  several of these. */
  | { kind: 'verb'; pose?: Pose; relation?: RelationKind; object?: ObjectRole; look?: string }
  | { kind: 'relation'; relation: RelationKind; locative: boolean }
  /** A preposition for which the relation goes from the object to the subject: in "a castle
   *  surrounded by trees", the trees are around the castle. */
  | { kind: 'reversed'; relation: RelationKind }
  /** A preposition such as "at" or "by", which only says in which place a thing is. */
  | { kind: 'locative' }
  | { kind: 'with' }
  | { kind: 'made-of' }
  | { kind: 'of' }
  | { kind: 'in' }
  | { kind: 'and' }
  | { kind: 'or' }
  | { kind: 'be' }
  | { kind: 'have' }
  | { kind: 'negation' }
  | { kind: 'pronoun'; plural: boolean }
  | { kind: 'place'; place: FramePlace }
  | { kind: 'setting'; setting: SettingKind; strength: SettingStrength; details: string[] }
  /** An adjective for places: `wooden`, `neon`, `ruined`. */
  | { kind: 'detail'; detail: string; setting?: SettingKind }
  | { kind: 'time'; time: TimeOfDay }
  | { kind: 'season'; season: Season }
  | { kind: 'weather'; weather: Weather[]; time?: TimeOfDay; season?: Season; details: string[] }
  | { kind: 'style'; style: StyleKind; undrawn: boolean }
  | { kind: 'mood'; mood: string }
  | { kind: 'camera'; camera: Partial<Camera> }
  | { kind: 'abstract' }
  | { kind: 'backdrop' }
  | { kind: 'quality' }
  | { kind: 'lettering' }
  | { kind: 'filler' }
  /** A Chinese particle that ends a modifier, such as 的 and 地. */
  | { kind: 'de' }
  /** A Chinese preposition that begins a location, such as 在 ("at"). */
  | { kind: 'at' }
  /** A Chinese word of position, which follows its noun: 上 ("on"), 旁边 ("beside"). */
  | { kind: 'localizer'; relation: RelationKind }
  /** A word whose drawing has another name in the catalogue. */
  | { kind: 'alias'; noun: string }

/** Where the object of a verb is in relation to its subject: held in the hand, in front of it
 *  (eaten, looked at), or simply near. */
export type ObjectRole = 'held' | 'before' | 'near'

export type SenseKind = Sense['kind']
export type SenseOf<K extends SenseKind> = Extract<Sense, { kind: K }>

/** Splits a row of a word table at its commas and trims the words. */
export function words(row: string): string[] {
  return row
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '')
}
