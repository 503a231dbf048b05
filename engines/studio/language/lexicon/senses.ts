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

/** How a place word behaves when the catalogue can draw it as a thing, too. `place`: always a
 *  setting. `either`: a setting after a locative word or when no other is named, else a thing
 *  (mountain, volcano). `thing`: a setting only after "in", "inside" or "on" (shop, moon,
 *  table). */
export type SettingStrength = 'place' | 'either' | 'thing'

/** One meaning of a word or phrase. */
export type Sense =
  | { kind: 'number'; value: number }
  /** "a flock of", 一群: a count that takes the place of a number. */
  | { kind: 'group'; value: number }
  | { kind: 'article'; definite: boolean }
  /** Chinese 只, 个; also "pieces of". */
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
  /** A part of a thing: drawn anyway when bare ("a bird with wings"), reported when described ("a
   *  red roof"). */
  | { kind: 'part' }
  /** A verb: sets a pose, relates its object, or both. */
  | { kind: 'verb'; pose?: Pose; relation?: RelationKind; object?: ObjectRole; look?: string }
  | { kind: 'relation'; relation: RelationKind; locative: boolean }
  /** The object stands in this relation to what came before: "surrounded by". */
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
  /** An adjective that belongs to a place: `wooden`, `neon`, `ruined`. */
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
  /** Chinese 的 and 地. */
  | { kind: 'de' }
  /** Chinese 在. */
  | { kind: 'at' }
  /** Chinese 上, 旁边: a relation said after its object. */
  | { kind: 'localizer'; relation: RelationKind }
  /** The thing is looked up in the catalogue under another name. */
  | { kind: 'alias'; noun: string }

/** The place of a verb's object relative to its subject: held in the hand, worn, ridden, in front
 *  of it (eaten, looked at), or simply near. */
export type ObjectRole = 'held' | 'before' | 'near'

export type SenseKind = Sense['kind']
export type SenseOf<K extends SenseKind> = Extract<Sense, { kind: K }>

/** Splits one row of a word table: comma-separated, spaces around trimmed. */
export function words(row: string): string[] {
  return row
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '')
}
