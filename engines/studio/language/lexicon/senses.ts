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

/** How a word for a place is used when the catalogue also has a drawing of it as a thing. `place`:
 *  always the setting. `either`: the setting after a word such as "in", or when no other is named,
 *  else a thing (mountain, volcano). `thing`: the setting only after "in", "inside" or "on" (shop,
 *  moon, table). */
export type SettingStrength = 'place' | 'either' | 'thing'

/** One meaning of a word or phrase. */
export type Sense =
  | { kind: 'number'; value: number }
  /** A group noun that stands for a number: "a flock of", 一群. */
  | { kind: 'group'; value: number }
  | { kind: 'article'; definite: boolean }
  /** A measure word: Chinese 只, 个; also "pieces of". */
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
  /** A part of a thing. Without a description it is ignored, because drawings show it anyway ("a
   *  bird with wings"); with one it is reported ("a red roof"). */
  | { kind: 'part' }
  /** A verb: it sets a pose, relates the subject to its object, or both. */
  | { kind: 'verb'; pose?: Pose; relation?: RelationKind; object?: ObjectRole; look?: string }
  | { kind: 'relation'; relation: RelationKind; locative: boolean }
  /** A preposition whose object stands in this relation to the thing before it: in "a castle
   *  surrounded by trees", the trees are around the castle. */
  | { kind: 'reversed'; relation: RelationKind }
  /** Words such as "at" and "by", which only place things in a setting. */
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
  /** The Chinese particles 的 and 地. */
  | { kind: 'de' }
  /** The Chinese preposition 在. */
  | { kind: 'at' }
  /** A Chinese relation word after its object: 上, 旁边. */
  | { kind: 'localizer'; relation: RelationKind }
  /** A word that is looked up in the catalogue under another name. */
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
