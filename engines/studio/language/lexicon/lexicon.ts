import {
  type PersonLook,
  type RelationKind,
  type Season,
  type SizeWord,
  type StyleKind,
  settingKinds,
  type TimeOfDay,
} from '../../scene.ts'
import { linkingVerbs, verbForms, verbRows } from './actions.ts'
import { colourWords } from './colours.ts'
import { famousAliases } from './famous.ts'
import { makeRows } from './makes.ts'
import { ageRows, containerWords, detailWords, groupRows, lookWords, measureWords, numberRows, sizeRows } from './modifiers.ts'
import { aliasRows } from './nouns.ts'
import { beardWords, garmentRows, hairNouns, hairRows, partWords, skinRows, vagueWords, wornRows } from './people.ts'
import {
  abstractWords,
  aroundVerbs,
  articles,
  backdropWords,
  functionWords,
  localizerRows,
  locativeWords,
  placeRows,
  pronouns,
  relationRows,
  reversedRows,
} from './relations.ts'
import { type HairStyle, type Sense, type SenseKind, type SenseOf, words } from './senses.ts'
import { settingEntries } from './settings.ts'
import { seasonWords, skyRows, timeWords, weatherRows } from './sky.ts'
import { cameraRows, moodWords, qualityWords, styleWords, undrawnStyles } from './styles.ts'

const table = new Map<string, Sense[]>()
/** For the first word of each known English phrase: the number of words in the longest phrase that
 *  begins with it. */
const longest = new Map<string, number>()
let mostCharacters = 1
const beginnings = new Set<string>()

/** Returns the meanings of an English phrase (lower case, single spaces) or of a Chinese text, most
 *  likely first; empty for unknown words. */
export function sensesOf(phrase: string): readonly Sense[] {
  return table.get(phrase) ?? []
}

/** Returns the largest number of words in a known English phrase that begins with this word. */
export const longestEnglish = (first: string) => longest.get(first) ?? 1

/** Returns the largest number of characters in a known Chinese phrase. */
export const longestChinese = () => mostCharacters

/** True when a known Chinese phrase begins with these two characters. */
export const beginsPhrase = (pair: string) => beginnings.has(pair)

export function senseOf<K extends SenseKind>(senses: readonly Sense[], kind: K): SenseOf<K> | undefined {
  return senses.find((sense): sense is SenseOf<K> => sense.kind === kind)
}

function add(written: string, sense: Sense): void {
  const word = /[a-z]/.test(written) ? written.replaceAll('-', ' ') : written
  const list = table.get(word)
  if (list) list.push(sense)
  if (!list) table.set(word, [sense])
  beginnings.add(word.slice(0, 2))
  if (!/[a-z]/.test(word)) {
    mostCharacters = Math.max(mostCharacters, word.length)
    return
  }
  const [first = '', ...rest] = word.split(' ')
  longest.set(first, Math.max(longestEnglish(first), rest.length + 1))
}

function addAll(row: string, sense: Sense): void {
  for (const word of words(row)) add(word, sense)
}

function entriesOf<K extends string>(rows: Record<K, string>): [K, string][] {
  const list: [K, string][] = []
  for (const key in rows) list.push([key, rows[key]])
  return list
}

/** Splits `word>canonical` into its two parts. Without the arrow, both parts are the word. */
function splitArrow(item: string): [string, string] {
  const [word = '', canonical] = item.split('>')
  return [word.trim(), (canonical ?? word).trim()]
}

function addFunctionWords(): void {
  const kinds: SenseKind[] = ['negation', 'made-of', 'with', 'of', 'in', 'and', 'or', 'be', 'have', 'de', 'at', 'lettering']
  for (const kind of kinds) addAll(functionWords[kind] ?? '', bareSense(kind))
  addAll(articles.definite, { kind: 'article', definite: true })
  addAll(articles.indefinite, { kind: 'article', definite: false })
  addAll(pronouns.single, { kind: 'pronoun', plural: false })
  addAll(pronouns.plural, { kind: 'pronoun', plural: true })
}

function bareSense(kind: SenseKind): Sense {
  switch (kind) {
    case 'negation':
    case 'made-of':
    case 'with':
    case 'of':
    case 'in':
    case 'and':
    case 'or':
    case 'be':
    case 'have':
    case 'de':
    case 'at':
    case 'lettering':
      return { kind }
    default:
      return { kind: 'filler' }
  }
}

function addPlaces(): void {
  for (const row of placeRows) addAll(row.words, { kind: 'place', place: row.place })
  for (const row of relationRows) {
    addAll(row.locative ?? '', { kind: 'relation', relation: row.relation, locative: true })
    addAll(row.plain ?? '', { kind: 'relation', relation: row.relation, locative: false })
  }
  for (const row of reversedRows) addAll(row.words, { kind: 'reversed', relation: row.relation })
  addAll(aroundVerbs, { kind: 'verb', relation: 'around' })
  addAll(locativeWords, { kind: 'locative' })
  for (const [relation, row] of entriesOf<RelationKind>(localizerRows)) addAll(row, { kind: 'localizer', relation })
}

function addModifiers(): void {
  for (const [value, row] of Object.entries(numberRows)) addAll(row, { kind: 'number', value: Number(value) })
  for (const [value, row] of Object.entries(groupRows)) addAll(row, { kind: 'group', value: Number(value) })
  for (const [size, row] of entriesOf<SizeWord>(sizeRows)) addAll(row, { kind: 'size', size })
  for (const [age, row] of entriesOf<PersonLook['age']>(ageRows)) addAll(row, { kind: 'age', age })
  for (const [word, colour] of colourWords) add(word, { kind: 'colour', colour })
  for (const item of words(lookWords)) addLook(item)
  for (const item of words(detailWords)) addDetail(item)
  addAll(containerWords, { kind: 'container' })
  addAll(measureWords, { kind: 'measure' })
}

function addLook(item: string): void {
  const [text = '', colourName] = item.split('#')
  const [word, look] = splitArrow(text)
  const colour = colourName === undefined ? undefined : colourWords.get(colourName)
  add(word, colour === undefined ? { kind: 'look', look } : { kind: 'look', look, colour })
}

function addDetail(item: string): void {
  const [text = '', kind] = item.split('=')
  const [word, detail] = splitArrow(text)
  const setting = settingKinds.find(item => item === kind)
  add(word, setting === undefined ? { kind: 'detail', detail } : { kind: 'detail', detail, setting })
}

function addSky(): void {
  for (const [time, row] of entriesOf<TimeOfDay>(timeWords)) addAll(row, { kind: 'time', time })
  for (const [season, row] of entriesOf<Season>(seasonWords)) addAll(row, { kind: 'season', season })
  for (const row of [...weatherRows, ...skyRows]) {
    addAll(row.words, {
      kind: 'weather',
      weather: row.weather,
      details: row.details ?? [],
      ...(row.time === undefined ? {} : { time: row.time }),
      ...(row.season === undefined ? {} : { season: row.season }),
    })
  }
}

function addStyles(): void {
  for (const [style, row] of entriesOf<StyleKind>(styleWords)) {
    for (const word of words(row)) {
      add(word, { kind: 'style', style, undrawn: undrawnStyles.includes(style) })
      if (!/[a-z]/.test(word) && !/(风格|风|画)$/.test(word))
        add(`${word}风格`, { kind: 'style', style, undrawn: undrawnStyles.includes(style) })
    }
  }
  for (const [mood, row] of entriesOf(moodWords)) addAll(row, { kind: 'mood', mood })
  for (const row of cameraRows) addAll(row.words, { kind: 'camera', camera: row.camera })
}

function addPeople(): void {
  for (const [garment, row] of entriesOf(garmentRows)) addAll(row, { kind: 'garment', garment })
  for (const [worn, row] of entriesOf(wornRows)) addAll(row, { kind: 'worn', worn })
  for (const [hex, row] of entriesOf(skinRows)) addAll(row, { kind: 'skin', hex })
  for (const line of hairRows.trim().split('\n')) addHair(line)
  addAll(hairNouns, { kind: 'hair-noun' })
  addAll(beardWords, { kind: 'beard' })
  addAll(partWords, { kind: 'part' })
}

function addHair(line: string): void {
  const [row = '', meaning = ''] = line.split('>')
  const [colour = '', style = ''] = meaning.split('/').map(part => part.trim())
  const shape = hairStyles.find(item => item === style)
  addAll(row, { kind: 'hair', ...(colour === '' ? {} : { colour }), ...(shape === undefined ? {} : { style: shape }) })
}

const hairStyles: readonly HairStyle[] = ['short', 'long', 'curly', 'bald', 'bun', 'ponytail', 'bob', 'afro']

function addVerbs(): void {
  for (const row of verbRows) {
    const { verbs = '', forms = '', ...meaning } = row
    const sense: Sense = { kind: 'verb', ...meaning }
    for (const item of words(verbs)) for (const form of verbForms(item)) add(form, sense)
    for (const form of words(forms)) add(form.replace(/:$/, ''), sense)
  }
  for (const form of words(linkingVerbs)) add(form, { kind: 'verb' })
}

function addRest(): void {
  for (const { word, setting, strength, details } of settingEntries()) add(word, { kind: 'setting', setting, strength, details })
  addAll(abstractWords, { kind: 'abstract' })
  addAll(backdropWords, { kind: 'backdrop' })
  for (const line of `${aliasRows.trim()}\n${famousAliases}\n${makeRows}`.split('\n')) {
    const [row = '', noun = ''] = line.split('>')
    addAll(row, { kind: 'alias', noun: noun.trim() })
  }
  addAll(qualityWords, { kind: 'quality' })
  addAll(vagueWords, { kind: 'quality' })
  addAll(functionWords.filler ?? '', { kind: 'filler' })
}

// A word can get meanings from several of these tables; the first table gives its most likely
// meaning.
addFunctionWords()
addPlaces()
addModifiers()
addPeople()
addRest()
addSky()
addStyles()
addVerbs()
