import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Habitat } from '../../scene.ts'
import { type ArtCategory, artCategories, type BakedScenery, type Facing } from '../entry.ts'

const habitats = ['ground', 'air', 'water-surface', 'underwater', 'sky', 'surface', 'wall', 'space'] as const satisfies readonly Habitat[]
const facings = ['left', 'right', 'front'] as const satisfies readonly Facing[]
const bakedKinds = ['water', 'background', 'ground', 'glow'] as const satisfies readonly BakedScenery[]

export interface IconLook {
  facing: Facing
  isHead: boolean
  baked?: BakedScenery
}

/** Describes one emoji drawing: one line of a table in `engines/studio/art/tables/*.txt`. */
export interface IconFacts {
  icon: string
  noun: string
  category: ArtCategory
  heightMetres: number
  habitat: Habitat
  look: IconLook
  /** Properties of the Fluent drawing of the same thing; absent when only the Noto drawing is
   *  used. */
  fluent?: IconLook
  words: string[]
  wordsZh: string[]
  /** Emojibase labels that must not lead to this icon. In the tables, these labels begin with a
   *  minus. */
  blocked: string[]
}

/** Returns one `IconFacts` for each line of the hand-written tables in `folder`. Throws a
 *  `RangeError` that quotes the invalid line, or names the icon that is listed twice. */
export function readFacts(folder: string): IconFacts[] {
  const facts = readdirSync(folder)
    .filter(name => name.endsWith('.txt'))
    .sort()
    .flatMap(name => parseTable(readFileSync(join(folder, name), 'utf8')))
  const seen = new Set<string>()
  for (const { icon } of facts) {
    if (seen.has(icon)) throw new RangeError(`${icon} is listed twice in the tables of art facts`)
    seen.add(icon)
  }
  return facts
}

interface Defaults {
  category: ArtCategory
  habitat: Habitat
  facing: Facing
}

function parseTable(text: string): IconFacts[] {
  let defaults: Defaults = { category: 'object', habitat: 'surface', facing: 'front' }
  const facts: IconFacts[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('#') || line.trim() === '') continue
    if (line.startsWith('[')) defaults = parseDefaults(line)
    else facts.push(parseLine(line, defaults))
  }
  return facts
}

function parseDefaults(line: string): Defaults {
  const [category, habitat, facing] = line.slice(1, -1).split(' ')
  const defaults = {
    category: artCategories.find(item => item === category),
    habitat: habitats.find(item => item === habitat),
    facing: facings.find(item => item === facing),
  }
  if (!defaults.category || !defaults.habitat || !defaults.facing) throw new RangeError(`bad heading in the tables of art facts: ${line}`)
  return { category: defaults.category, habitat: defaults.habitat, facing: defaults.facing }
}

function parseLine(line: string, defaults: Defaults): IconFacts {
  const [icon = '', noun = '', height = '', attributes = '', words = '', wordsZh = ''] = line.split('|').map(cell => cell.trim())
  const heightMetres = Number(height)
  if (icon === '' || !(heightMetres > 0)) throw new RangeError(`bad line in the tables of art facts: ${line}`)
  const english = words.split(',').flatMap(word => word.trim() || [])
  const chinese = wordsZh.split(' ').filter(word => word !== '')
  const facts: IconFacts = {
    icon,
    noun: noun === '' ? icon.replaceAll('-', ' ') : noun,
    category: defaults.category,
    heightMetres,
    habitat: defaults.habitat,
    look: { facing: defaults.facing, isHead: false },
    words: english.filter(word => !word.startsWith('-')),
    wordsZh: chinese.filter(word => !word.startsWith('-')),
    blocked: [...english, ...chinese].flatMap(word => (word.startsWith('-') ? word.slice(1) : [])),
  }
  const tokens = attributes.split(' ').filter(token => token !== '')
  for (const token of tokens.filter(token => !token.startsWith('3d'))) applyAttribute(facts, token, line)
  for (const token of tokens.filter(token => token.startsWith('3d'))) applyFluent(facts, token, line)
  return facts
}

function applyAttribute(facts: IconFacts, token: string, line: string): void {
  const habitat = habitats.find(item => item === token)
  const category = artCategories.find(item => item === token)
  const baked = bakedKinds.find(item => item === token)
  // In the tables, `ground` can mean the habitat or that the drawing includes a piece of ground.
  // When the habitat of the thing is the ground already, `ground` has the second meaning.
  if (baked === 'ground' && facts.habitat === 'ground') facts.look.baked = baked
  else if (habitat) facts.habitat = habitat
  else if (category) facts.category = category
  else if (!applyLook(facts.look, token)) throw new RangeError(`unknown attribute ${token} in the tables of art facts: ${line}`)
}

function applyFluent(facts: IconFacts, token: string, line: string): void {
  facts.fluent ??= { ...facts.look }
  const rest = token.slice(3)
  if (rest !== '' && !applyLook(facts.fluent, rest)) throw new RangeError(`unknown attribute ${token} in the tables of art facts: ${line}`)
}

function applyLook(preview: IconLook, token: string): boolean {
  const facing = facings.find(item => item === token)
  const baked = bakedKinds.find(item => item === token)
  if (facing) preview.facing = facing
  else if (baked) preview.baked = baked
  else if (token === 'head') preview.isHead = true
  else return false
  return true
}
