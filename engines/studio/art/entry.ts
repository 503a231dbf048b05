import type { ArtKey, Habitat, PersonLook } from '../scene.ts'

/** Categories of things. The category decides the defaults of a thing's facts and how it may be
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

/** The side a drawing looks or moves to as it is stored; `front` is towards the viewer or
 *  without a direction. */
export type Facing = 'left' | 'right' | 'front'

/** The painted part of the square drawing, as fractions (0 to 1) of its side. */
export interface InkBox {
  x: number
  y: number
  width: number
  height: number
}

/** Scenery painted into the drawing besides the thing itself: `water` under a ship, a full
 *  `background` square, `ground` under a house, `glow` around it. */
export type BakedScenery = 'water' | 'background' | 'ground' | 'glow'

/** One thing that can be drawn. Emoji art (`noto:`, `fluent:`) has SVG text; the other kinds are
 *  drawn by code in `subjects/`. */
export interface ArtEntry {
  key: ArtKey
  /** English lemma: `fox`, `sailboat`, `cherry tree`. */
  noun: string
  /** Chinese name; empty when none is known. */
  nounZh: string
  category: ArtCategory
  /** Height in metres of the real thing as drawn (tip of the ears to the feet, mast top to the
   *  water line). */
  heightMetres: number
  /** Width divided by height of the painted part. */
  ratio: number
  /** Absent for other drawings than emoji art. */
  ink?: InkBox
  habitat: Habitat
  facing: Facing
  /** True when only a head or face is drawn, so that it must not stand in a scene as a whole
   *  body. */
  headOnly: boolean
  bakedScenery?: BakedScenery
  /** Natural colours `#rrggbb` by painted area, largest first; empty for code-drawn things. */
  colours: string[]
  /** Other drawings of the same thing, best first: a rig for poses, a second look, the emoji
   *  behind a code-drawn thing. */
  alternatives: ArtKey[]
}

/** How a word led to an entry, best first. */
export const matchVias = ['name', 'label', 'tag', 'synonym', 'hypernym'] as const
export type MatchVia = (typeof matchVias)[number]

/** The looks that a word for a person implies: `grandmother` is an elder woman, `firefighter` a
 *  role. */
export interface PersonHint {
  age: PersonLook['age']
  gender: PersonLook['gender']
  role?: string
}

export interface ArtMatch {
  entry: ArtEntry
  via: MatchVia
  /** The dictionary form that matched, in the language of the query: `puppy` for "puppies". */
  word: string
  /** English name for the subject: the matched word where it is more exact than the entry's noun
   *  (`puppy`, `firefighter`), else the entry's noun. */
  noun: string
  /** Height in metres of the thing named; differs from the entry's for young or small kinds
   *  (`puppy`, `kitten`, `boy`). */
  heightMetres: number
  /** Present for words that name a person. */
  person?: PersonHint
}

/** A match of `longestPhrase`. `length` is the covered part of the text, in UTF-16 code units. */
export interface PhraseMatch {
  length: number
  /** Number of words (English) or characters (Chinese) covered. */
  words: number
  matches: ArtMatch[]
}

export type ArtLanguage = 'en' | 'zh'

/** The reader of the subset file. Looking up never throws; `get` and `svg` throw `RangeError`
 *  for an unknown key. */
export interface ArtCatalogue {
  /** Matches of one word or phrase, best first (exact name, label, tag, synonym, hypernym);
   *  empty when nothing fits. Plurals and letter case are understood. */
  find(word: string, language: ArtLanguage): ArtMatch[]
  /** Returns the longest phrase (English up to 4 words, Chinese up to 8 characters) that starts at
   *  `from` and names something; undefined when none does. English phrases are matched by name,
   *  label, tag, synonym and hypernym, Chinese ones by name, label and tag. */
  longestPhrase(text: string, from: number, language: ArtLanguage): PhraseMatch | undefined
  /** False when no Chinese word of two characters or more that `find` knows begins with these
   *  two characters. */
  begins(pair: string): boolean
  has(key: ArtKey): boolean
  get(key: ArtKey): ArtEntry
  /** Returns the category of a drawing, such as `animal` or `vehicle`. Rigs that have no entry
   *  (`rig:raccoon`, in a series) are animals. Throws `RangeError` for any other unknown key. */
  categoryOf(key: ArtKey): string
  /** Returns the SVG text of emoji art (`noto:`, `fluent:`), a square view box. Read from disk at
   *  each call; callers cache what they rasterise. */
  svg(key: ArtKey): string
  /** Returns every entry, emoji art first. */
  entries(): readonly ArtEntry[]
}
