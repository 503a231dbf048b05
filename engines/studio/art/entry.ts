import type { ArtKey, Habitat, PersonLook } from '../scene.ts'

/** Categories of things. A thing's category decides its default properties, and how it may be
 *  drawn, lit and shadowed. */
export const artCategories = [
  'person',
  'body',
  'face',
  'animal',
  'bird',
  'fish',
  'insect',
  'creature',
  'food',
  'fruit',
  'vegetable',
  'dish',
  'dessert',
  'drink',
  'plant',
  'flower',
  'tree',
  'terrain',
  'celestial',
  'weather',
  'building',
  'landmark',
  'structure',
  'vehicle',
  'watercraft',
  'aircraft',
  'furniture',
  'object',
  'tool',
  'toy',
  'instrument',
  'sport',
  'clothing',
  'symbol',
] as const
export type ArtCategory = (typeof artCategories)[number]

/** The side to which a stored drawing faces or moves. `front` means that it faces the viewer or has
 *  no direction. */
export type Facing = 'left' | 'right' | 'front'

/** Bounding box of the painted part of a square drawing, as fractions (0 to 1) of its side. */
export interface InkBox {
  x: number
  y: number
  width: number
  height: number
}

/** Scenery that is part of a stored drawing: `water` under a ship, a `background` that fills the
 *  square, `ground` under a house, a `glow` around the thing. */
export type BakedScenery = 'water' | 'background' | 'ground' | 'glow'

/** One thing that can be drawn. The drawings `noto:` and `fluent:` are emoji, stored as SVG text;
 *  functions in `subjects/` draw all others. */
export interface ArtEntry {
  key: ArtKey
  /** English dictionary form: `fox`, `sailboat`, `cherry tree`. */
  noun: string
  /** Chinese name; empty when none is known. */
  nounZh: string
  category: ArtCategory
  /** Real height of the thing in metres, measured as it is drawn: from the feet to the tips of the
   *  ears, or from the water line to the top of the mast. */
  heightMetres: number
  /** Aspect ratio (width / height) of the painted part. */
  ratio: number
  /** Set only for emoji drawings. */
  ink?: InkBox
  habitat: Habitat
  facing: Facing
  /** True when the drawing shows only a head or face. Such a drawing must not be used as a whole
   *  body in a scene. */
  headOnly: boolean
  bakedScenery?: BakedScenery
  /** Natural colours `#rrggbb`, largest area first; empty for things with a drawing function. */
  colours: string[]
  /** Other drawings of the same thing. For an emoji: the drawing of the other emoji set, then
   *  drawings by functions. For a drawing by a function: the emoji of both sets, then other
   *  drawings by functions. */
  alternatives: ArtKey[]
}

/** The ways in which a word can match an entry, best first. */
export const matchVias = ['name', 'label', 'tag', 'synonym', 'hypernym'] as const
export type MatchVia = (typeof matchVias)[number]

/** The appearance that a word for a person implies: "grandmother" is an old woman, "firefighter"
 *  has a role. */
export interface PersonHint {
  age: PersonLook['age']
  gender: PersonLook['gender']
  role?: string
}

export interface ArtMatch {
  entry: ArtEntry
  via: MatchVia
  /** The dictionary form that matched, in the language of the query: "puppy" for "puppies". */
  word: string
  /** English name for the subject: the matched word if it is more precise than the entry's noun
   *  ("puppy", "firefighter"), else the entry's noun. */
  noun: string
  /** Height in metres of the named thing; young or small kinds (`puppy`, `kitten`, `boy`) differ
   *  from the entry's height. */
  heightMetres: number
  /** Set for words that name a person. */
  person?: PersonHint
}

/** A match of `longestPhrase`. `length` is the length of the matched phrase in UTF-16 code
 *  units. */
export interface PhraseMatch {
  length: number
  /** Number of words (English) or characters (Chinese) in the matched phrase. */
  words: number
  matches: ArtMatch[]
}

export type ArtLanguage = 'en' | 'zh'

/** Looks up words and drawings in the art pack. Lookups of words never throw; `get` and `svg` throw
 *  `RangeError` for an unknown key. */
export interface ArtCatalogue {
  /** Returns the matches of a word or phrase, best first (exact name, label, tag, synonym,
   *  hypernym); empty when nothing matches. Plurals and upper case are understood. */
  find(word: string, language: ArtLanguage): ArtMatch[]
  /** Returns the longest phrase (up to 4 English words or 8 Chinese characters) that starts at
   *  `from` and names something; undefined when none does. English phrases match by name, label,
   *  tag, synonym and hypernym; Chinese ones by name, label and tag, and by their English noun if
   *  the thing has no drawing. */
  longestPhrase(text: string, from: number, language: ArtLanguage): PhraseMatch | undefined
  /** Returns false when no Chinese word known to `find` begins with these two characters. Words of
   *  a single character are not counted. */
  begins(pair: string): boolean
  has(key: ArtKey): boolean
  get(key: ArtKey): ArtEntry
  /** Returns the category of a drawing, such as `animal` or `vehicle`. Rigs without an entry
   *  (`rig:raccoon`, used in series) are animals. Throws `RangeError` for any other unknown key. */
  categoryOf(key: ArtKey): string
  /** Returns the SVG text of an emoji drawing (`noto:`, `fluent:`); its view box is square. Each
   *  call reads from disk, so callers keep the bitmap that they make from it. */
  svg(key: ArtKey): string
  /** Returns every entry, emoji drawings first. */
  entries(): readonly ArtEntry[]
}
