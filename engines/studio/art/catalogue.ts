import { fileURLToPath } from 'node:url'
import type { ArtKey } from '../scene.ts'
import { drawnEntries } from './drawn-entries.ts'
import type { ArtCatalogue, ArtEntry } from './entry.ts'
import { chineseBeginnings, findWord, type Lexicon } from './find.ts'
import { longestPhrase } from './longest-phrase.ts'
import { openPack, type PackedIcon } from './pack.ts'
import { rareNounReader } from './rare-nouns.ts'
import { buildWordIndex } from './word-index.ts'

interface ArtOptions {
  /** Returns true when the engine has a drawing function for this key (`rig:`, `tree:`, `drawn:`);
   *  by default, true for every key. A thing without a drawing function gets no entry. The words
   *  for the thing then lead to its emoji, if there is one, else to a more general thing, else to
   *  nothing. */
  canDraw?: (key: ArtKey) => boolean
  /** Path of the art pack; by default, the file beside this module. */
  path?: string
}

const defaultPath = fileURLToPath(new URL('./data/art.pack', import.meta.url))

/** Opens the catalogue of everything that can be drawn. The catalogue combines the art pack (emoji)
 *  with the tables of things that have drawing functions. Keep the result, because opening takes
 *  tens of milliseconds. Throws `RangeError` when the pack has another version, and the file
 *  system's error when it is missing (`npm run art` makes it). */
export function openArt(options: ArtOptions = {}): ArtCatalogue {
  const pack = openPack(options.path ?? defaultPath)
  const canDraw = options.canDraw ?? (() => true)
  const icons = new Map<ArtKey, PackedIcon>(pack.icons.map(icon => [icon.key, icon]))
  const drawn = drawnEntries.filter(entry => canDraw(entry.key))
  const entries = new Map<ArtKey, ArtEntry>(pack.icons.map(icon => [icon.key, iconEntry(icon)]))
  for (const entry of drawn) entries.set(entry.key, drawnEntry(entry))
  if (canDraw('rig:person')) entries.set('rig:person', personEntry())
  linkAlternatives(entries, drawn)
  const lexicon: Lexicon = {
    index: buildWordIndex({ pack, things: drawnEntries, entries }),
    rareNouns: rareNounReader(pack.rareNouns),
    entries,
  }
  return {
    find: (word, language) => findWord(lexicon, word, language),
    longestPhrase: (text, from, language) => longestPhrase((word, of) => findWord(lexicon, word, of), text, from, language),
    begins: chineseBeginnings(lexicon),
    has: key => entries.has(key),
    get: key => known(entries.get(key), key),
    categoryOf: key => entries.get(key)?.category ?? (key.startsWith('rig:') ? 'animal' : known<string>(undefined, key)),
    svg: key => pack.svg(known(icons.get(key), key)),
    entries: () => [...entries.values()],
  }
}

function known<T>(value: T | undefined, key: ArtKey): T {
  if (value === undefined) throw new RangeError(`the art catalogue has no ${key}`)
  return value
}

function iconEntry(icon: PackedIcon): ArtEntry {
  const [x, y, width, height] = icon.ink
  const entry: ArtEntry = {
    key: icon.key,
    noun: icon.noun,
    nounZh: icon.nounZh,
    category: icon.category,
    heightMetres: icon.height,
    ratio: width / height,
    ink: { x, y, width, height },
    habitat: icon.habitat,
    facing: icon.facing,
    headOnly: icon.head === true,
    colours: icon.colours,
    alternatives: [],
  }
  if (icon.baked) entry.bakedScenery = icon.baked
  return entry
}

function drawnEntry(entry: (typeof drawnEntries)[number]): ArtEntry {
  return {
    key: entry.key,
    noun: entry.noun,
    nounZh: entry.wordsZh[0] ?? '',
    category: entry.category,
    heightMetres: entry.heightMetres,
    ratio: entry.ratio,
    habitat: entry.habitat,
    // A rig (a drawing function for a body with joints) can face either side. The side stored here
    // is the one that the emoji of the same thing faces.
    facing: entry.key.startsWith('rig:') ? 'left' : 'front',
    headOnly: false,
    colours: [],
    alternatives: [],
  }
}

function personEntry(): ArtEntry {
  return {
    key: 'rig:person',
    noun: 'person',
    nounZh: '人',
    category: 'person',
    heightMetres: 1.72,
    ratio: 0.38,
    habitat: 'ground',
    facing: 'front',
    headOnly: false,
    colours: [],
    alternatives: [],
  }
}

/** Lists each drawing of a thing as an alternative of its other drawings. Noto and Fluent drawings
 *  belong together when they have the same icon name; a drawing function belongs to the emoji named
 *  in its table. */
function linkAlternatives(entries: Map<ArtKey, ArtEntry>, drawn: readonly (typeof drawnEntries)[number][]): void {
  for (const entry of entries.values()) {
    if (entry.key.startsWith('noto:')) join(entry, entries.get(`fluent:${entry.key.slice(5)}`))
  }
  for (const { key, emoji } of drawn) {
    const entry = entries.get(key)
    const icon = emoji && entries.get(emoji)
    if (!entry || !icon) continue
    const second = icon.alternatives.flatMap(other => entries.get(other) ?? [])
    for (const other of [icon, ...second]) join(entry, other)
  }
}

function join(a: ArtEntry, b: ArtEntry | undefined): void {
  if (!b) return
  if (!a.alternatives.includes(b.key)) a.alternatives.push(b.key)
  if (!b.alternatives.includes(a.key)) b.alternatives.push(a.key)
}
