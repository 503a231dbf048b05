import type { ArtKey, Habitat } from '../scene.ts'
import { type ArtCategory, artCategories } from './entry.ts'
import { drawnRows } from './rows/rows.ts'

/** A thing that a function in `subjects/` draws, with the words that name it. */
export interface DrawnEntry {
  key: ArtKey
  noun: string
  category: ArtCategory
  heightMetres: number
  /** Aspect ratio (width / height) of the drawing in its default pose. Animals stand in this pose
   *  and are seen from the side. */
  ratio: number
  habitat: Habitat
  /** Other English words for the same thing, singular. */
  words: string[]
  /** Chinese words, the usual name first. */
  wordsZh: string[]
  /** Key of the emoji that shows the same thing. */
  emoji?: ArtKey
  /** True when the emoji is the better drawing. The drawing function is then used only for poses,
   *  other views and recolouring. */
  isSecond: boolean
}

const habitats = ['ground', 'air', 'water-surface', 'underwater', 'sky', 'surface', 'wall', 'space'] as const satisfies readonly Habitat[]

/** Every thing with a drawing function except people. People are not listed here, because one
 *  drawing, `rig:person`, serves all words for people (see `person-words.ts`). */
export const drawnEntries: readonly DrawnEntry[] = drawnRows.flatMap(parseRows)

function parseRows(text: string): DrawnEntry[] {
  return text
    .trim()
    .split('\n')
    .map(line => parseRow(line))
}

function parseRow(line: string): DrawnEntry {
  const cells = line.split('|').map(cell => cell.trim())
  const [key = '', noun = '', category = '', height = '', ratio = '', habitat = '', words = '', wordsZh = '', emoji = ''] = cells
  const entry: DrawnEntry = {
    key: parseKey(key, line),
    noun,
    category: member(artCategories, category, line),
    heightMetres: positive(height, line),
    ratio: positive(ratio, line),
    habitat: member(habitats, habitat, line),
    words: words.split(',').flatMap(word => word.trim() || []),
    wordsZh: wordsZh.split(' ').filter(word => word !== ''),
    isSecond: emoji.startsWith('<'),
  }
  if (emoji !== '') entry.emoji = `noto:${emoji.replace(/^[<>]\s*/, '')}`
  return entry
}

function parseKey(text: string, line: string): ArtKey {
  const [kind, name] = text.split(':')
  if ((kind !== 'rig' && kind !== 'tree' && kind !== 'drawn') || !name)
    throw new RangeError(`bad key in the table of drawn things: ${line}`)
  return `${kind}:${name}`
}

function member<T extends string>(list: readonly T[], text: string, line: string): T {
  const found = list.find(item => item === text)
  if (found === undefined) throw new RangeError(`unknown word ${text} in the table of drawn things: ${line}`)
  return found
}

function positive(text: string, line: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new RangeError(`${text} is not a positive number in the table of drawn things: ${line}`)
  return value
}
