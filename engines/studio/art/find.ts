import type { ArtKey } from '../scene.ts'
import { type ArtEntry, type ArtLanguage, type ArtMatch, matchVias } from './entry.ts'
import type { WordIndex, WordReference } from './word-index.ts'
import { normaliseWord, singularForms } from './words.ts'

export interface Lexicon {
  index: WordIndex
  /** Returns the targets of a rare noun; each begins with `=` or `<`, see
   *  `PackContents.rareNouns`. */
  rareNouns: (noun: string) => string[]
  entries: ReadonlyMap<ArtKey, ArtEntry>
}

interface WordMatch {
  reference: WordReference
  /** The dictionary form that matched. */
  word: string
  /** 0 for the word as the prompt writes it; 1 and more for the possible singular forms of this
   *  word. */
  depth: number
}

/** Heights of young animals and small kinds, as shares of the height of the adult animal. */
const youngParts: ReadonlyMap<string, number> = new Map([
  ['puppy', 0.5],
  ['pup', 0.5],
  ['kitten', 0.55],
  ['foal', 0.65],
  ['colt', 0.75],
  ['filly', 0.75],
  ['calf', 0.6],
  ['lamb', 0.55],
  ['kid goat', 0.6],
  ['piglet', 0.4],
  ['fawn', 0.6],
  ['tiger cub', 0.45],
  ['lion cub', 0.45],
  ['duckling', 0.35],
  ['bear cub', 0.5],
  ['gosling', 0.4],
])

/** See `ArtCatalogue.find`. */
export function findWord(lexicon: Lexicon, word: string, language: ArtLanguage): ArtMatch[] {
  const found = language === 'en' ? findEnglish(lexicon, normaliseWord(word)) : findChinese(lexicon, word.trim())
  const matches = new Map<ArtKey, ArtMatch>()
  for (const { reference, word: form } of found) {
    if (!matches.has(reference.entry.key)) matches.set(reference.entry.key, toMatch(reference, form, language))
  }
  return [...matches.values()]
}

function findEnglish(lexicon: Lexicon, word: string): WordMatch[] {
  const { index } = lexicon
  const forms = [word, ...singularForms(word)]
  const direct = sorted(forms.flatMap((form, depth) => referencesOf(index.en, form, depth)))
  if (direct.some(({ reference }) => reference.via !== 'tag')) return direct
  return [...direct, ...rareFound(lexicon, forms)]
}

function rareFound({ index, rareNouns }: Lexicon, forms: readonly string[]): WordMatch[] {
  return forms.flatMap(form => rareNouns(form).flatMap(target => rareReferences(index, form, target)))
}

/** Catalogue words that are too general to stand in for a rare noun that is only a kind of them.
 *  WordNet lists very different things below them: a rim is a kind of "ring" there, but the
 *  drawing shows a finger ring; a sticker is a kind of "ornament", but the drawing shows one for
 *  Christmas trees. */
const widestKinds: ReadonlySet<string> = new Set(
  'ornament ring barrier cutlery bacterium clothing garment tube vessel machinery gear bandage cube box satellite tool shield'.split(' '),
)

/** Words that WordNet lists as people, but that mean something else in prompts. */
const noPeople: ReadonlySet<string> = new Set('soul nature fixture fossil fossils rube nobody chased blonde virgin kachina'.split(' '))

function rareReferences(index: WordIndex, form: string, target: string): WordMatch[] {
  const via = target.startsWith('=') ? ('synonym' as const) : ('hypernym' as const)
  if (via === 'hypernym' && (widestKinds.has(target.slice(1)) || noPeople.has(form))) return []
  const named = referencesOf(index.en, target.slice(1)).filter(({ reference }) => reference.via === 'name')
  return sorted(named).map(({ reference }) => {
    const found: WordReference = { ...reference, via, noun: form }
    if (reference.person) found.person = { ...reference.person, role: reference.person.role ?? form }
    return { reference: found, word: form, depth: 0 }
  })
}

/** Patterns of Chinese words with an affix: 小, 大 and 老 before a thing give its size or age (小狗
 *  small dog, 老树 old tree), 儿 after it is a diminutive, 们 and 群 mark a group. */
const chineseForms = [/^[小大老](.+)$/, /^(.{2,})[儿们群]$/] as const
/** Pattern of a Chinese word that ends with its class, as 柯基犬 (corgi dog) ends with dog. The
 *  pattern is used only if the first part alone names a thing of the same category as the class;
 *  otherwise the word is a compound of two different things. */
const chineseClass = /^(.{2,})([犬狗猫鸟鱼花树车船])$/

function findChinese(lexicon: Lexicon, word: string): WordMatch[] {
  const { index } = lexicon
  const exact = sorted(referencesOf(index.zh, word))
  if (exact.length > 0) return exact
  const english = index.undrawn.get(word)
  if (english !== undefined) return rareFound(lexicon, [english])
  for (const pattern of chineseForms) {
    const form = pattern.exec(word)?.[1]
    const found = form === undefined ? [] : namesOf(index, form)
    if (found.length > 0) return found
  }
  const [, kind = '', category = ''] = chineseClass.exec(word) ?? []
  const classes = new Set(namesOf(index, category).map(({ reference }) => reference.entry.category))
  return namesOf(index, kind).filter(({ reference }) => classes.has(reference.entry.category))
}

/** Returns the function `ArtCatalogue.begins`. The function also returns true for any two
 *  characters of which the first is 小, 大 or 老, because these can stand before every thing. */
export function chineseBeginnings({ index }: Lexicon): (pair: string) => boolean {
  const pairs = new Set<string>()
  for (const words of [index.zh, index.undrawn]) for (const word of words.keys()) pairs.add(word.slice(0, 2))
  return pair => pairs.has(pair) || /^[小大老]/.test(pair)
}

function namesOf(index: WordIndex, form: string): WordMatch[] {
  return sorted(referencesOf(index.zh, form)).filter(({ reference }) => reference.via === 'name')
}

function referencesOf(words: ReadonlyMap<string, WordReference[]>, form: string, depth = 0): WordMatch[] {
  return (words.get(form) ?? []).map(reference => ({ reference, word: form, depth }))
}

/** Sorts matches: first by `matchVias`; then the word as written before its singular forms (the
 *  word "glasses" means spectacles rather than several of "glass"); then by `order`. */
function sorted(found: WordMatch[]): WordMatch[] {
  const rank = ({ reference, depth }: WordMatch) => matchVias.indexOf(reference.via) * 100 + depth * 10 + reference.order
  return found.sort((a, b) => rank(a) - rank(b))
}

function toMatch(reference: WordReference, word: string, language: ArtLanguage): ArtMatch {
  const { entry, via } = reference
  const isNamed = language === 'en' && (via === 'name' || via === 'label')
  const noun = reference.noun ?? (isNamed ? word : entry.noun)
  const match: ArtMatch = {
    entry,
    via,
    word,
    noun,
    heightMetres: (reference.heightMetres ?? entry.heightMetres) * (youngParts.get(noun) ?? 1),
  }
  if (reference.person) match.person = reference.person
  return match
}
