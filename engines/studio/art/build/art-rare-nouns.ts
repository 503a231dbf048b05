import { drawnEntries } from '../drawn-entries.ts'
import type { ArtCategory } from '../entry.ts'
import { personWords } from '../person-words.ts'
import { normaliseWord } from '../words.ts'
import type { IconFacts } from './art-facts.ts'
import { isSeen, type Synset, type WordNet } from './art-wordnet.ts'

/** Catalogue words that are too general to be drawn in place of a rarer noun. When the search
 *  goes from a noun up to its hypernyms (more general nouns), it skips these words. */
const tooWide = new Set(
  `animal plant food fruit vegetable meal drink beverage dessert machine engine tool toy clothes picture character figure adult human
individual friend model guy player worker fighter guard elder fellow driver elf giant hero structure dish meat fungus bug world work cell larva
glass box nut spirit spice wrap seat stand wall paper pot shelter beast creature rodent can chain fan key label pin net bow target mask paint note goal sign chart card
male female poet captain lady miss count writer stranger spy reader dinner letter mail tag staff capsule tablet medicine lock film mill shell wing bar love money music sheet graph page
toast bean cap band crystal egg heart star lap leg hand foot mouth eye arm muscle bone ear nose tongue tooth bag spiral hole pit map sweet circle square triangle
ham steps seafood pepper bud crop weed vine herb petal leaf berry citrus wood timber lumber stick log flag banner bottle jar glue hook pick pen link swing slide paddle bowling darts rugby golf
painting cross tick question mark diamond club spade infinity disc tape screen speaker plug battery horn pipe recorder organ keyboard monitor console controller`
    .split(/\s+/)
    .filter(word => word !== ''),
)

/** Catalogue words that mean something else in WordNet ("chalk" is a drug there, "alien" a
 *  foreigner), so no rare noun may lead to them. */
const wrongSenses = new Set(['chalk', 'alien', 'hamper', 'liner', 'virus', 'bacteria', 'germ', 'x ray'])

/** First words of phrases that the parser interprets as an adjective and a noun: a "blue fox" is a
 *  fox painted blue, not an arctic fox. Such phrases do not become rare nouns. */
const describing = new Set(
  `red blue green yellow orange white black brown pink purple grey gray golden gold silver big little small giant great old young new baby tall long short large huge
tiny dark light bright wild flying running dancing singing standing sitting sleeping dead hot cold wet dry round flat still open water snow oil wooden stone metal
striped spotted common american european asian african english french spanish greek indian chinese japanese giant dwarf king queen male female`
    .split(/\s+/)
    .filter(word => word !== ''),
)

/** Words that mean a colour, style, material, action or measure in a prompt, although WordNet lists
 *  them as things. They do not become rare nouns. */
const notThings = new Set(
  `tower machine monster aerial teal cyan amber navy ivory khaki watercolor watercolour fresco mural still life cartoon animation anime manga portrait landscape seascape drawing sketch
engraving etching woodcut illustration render style texture background foreground front back side top bottom left right corner edge middle centre center distance
view shot angle frame border line shape pattern colour color shade tone tint hue part piece pair bit lot group bunch set series kind type sort mini maxi midi
close wide macro gold silver bronze copper brass steel iron marble granite concrete plastic rubber leather silk velvet cotton linen canvas pastel charcoal ink
deep high low beautiful cute pretty lovely detail quality masterpiece artwork composition scene scenery setting image photo photograph photography picture print
day night morning evening noon dawn dusk sunset sunrise spring summer autumn fall winter light shadow glow shine sky air earth ground floor field area space place
spot position focus action pose look smile grin sleep run walk jump dance ride play work rest fight kiss hug wait hold stand sit fly swim climb
mist haze fog rain drizzle snow storm breeze wind frost dew thunder lightning hail flash blur noise grain film reel retro vintage noir punk goth rococo baroque
may minimalist surrealist impressionist expressionist cubist modernist realist futurist pointillist abstractionist
fantasy horror drama comedy romance fiction miniature model replica toy decoration ornament design symbol number letter word text sign`
    .split(/\s+/)
    .filter(word => word !== ''),
)

/** For each category of drawings, the numbers of the WordNet files that contain words of this
 *  category. */
const filesOf: Partial<Record<ArtCategory, number[]>> = {
  animal: [5],
  bird: [5],
  fish: [5],
  insect: [5],
  creature: [18, 5, 9],
  person: [18],
  body: [8],
  food: [13],
  fruit: [13, 20],
  vegetable: [13, 20],
  dish: [13],
  dessert: [13],
  drink: [13],
  plant: [20],
  flower: [20],
  tree: [20],
  terrain: [17],
  celestial: [17],
  weather: [19, 17, 11],
  sport: [6, 4],
}
const artefact = [6]

/** Returns how many levels of hypernyms are searched for a catalogue noun. People, animals and
 *  plants get more levels, because WordNet has many levels between a species and "bird", "fish"
 *  or "tree". */
const levels = (lexicalFile: number) => (lexicalFile === person ? 6 : lexicalFile === 5 || lexicalFile === 20 ? 8 : 3)
const person = 18

const offensive = /offensive|disparag|derogat|slur|vulgar|contempt|insult|obscene|prostitut|sexual|homosexual|racial/i

/** Returns the table of rare nouns as text (see `PackContents.rareNouns`). `direct` holds words
 *  that the catalogue already knows by name or label. */
export function buildRareNouns(facts: readonly IconFacts[], direct: ReadonlySet<string>, wordNet: WordNet): string {
  const meanings = catalogueMeanings(facts, wordNet)
  const drawnFiles = new Map(
    drawnEntries.flatMap(({ noun, words, category }) => [noun, ...words].map(word => [normaliseWord(word), filesOf[category] ?? artefact])),
  )
  const rows: string[] = []
  for (const [noun, senses] of wordNet.nouns()) {
    if (noun.length < 3 || direct.has(noun) || noun.split(' ').length > 3 || !/^[a-z][a-z ]*$/.test(noun) || wordNet.isMainlyOther(noun))
      continue
    if (notThings.has(noun) || (noun.includes(' ') && describing.has(noun.split(' ')[0] ?? ''))) continue
    // A drawing function draws only one meaning of a word, so only the senses in its category are
    // used. Otherwise "iceberg" could lead to iceberg lettuce.
    const files = drawnFiles.get(noun)
    const meant = files ? senses.filter(sense => files.includes(sense.lexicalFile)) : senses
    const targets = bestTargets(noun, meant, meanings, wordNet)
    if (targets.length > 0) rows.push(`${noun}\t${targets.slice(0, 3).join('\t')}`)
  }
  return rows.sort().join('\n')
}

interface Meaning {
  word: string
  isMainNoun: boolean
}

/** Returns the catalogue word for each synset (an entry of WordNet with one meaning). A word stands
 *  for its first sense in the category of its drawing. When two words stand for the same synset,
 *  the main noun of a drawing (`isMainNoun`) is preferred to its other words. */
function catalogueMeanings(facts: readonly IconFacts[], wordNet: WordNet): Map<number, Meaning> {
  const named: { word: string; category: ArtCategory; isMainNoun: boolean }[] = []
  const people = personWords.map(({ noun, words }) => ({ noun, words, category: 'person' as const }))
  const bodies = facts.filter(fact => !fact.look.isHead)
  for (const { noun, words, category } of [...drawnEntries, ...people, ...bodies]) {
    named.push({ word: normaliseWord(noun), category, isMainNoun: true })
    for (const word of words) named.push({ word: normaliseWord(word), category, isMainNoun: false })
  }
  const meanings = new Map<number, Meaning>()
  // The first senses of all words are assigned before any second sense. Second senses are used only
  // for food: the first sense of "pasta" is a dish, but linguine are listed under its second sense,
  // the dough.
  for (const nth of [0, 1]) {
    for (const { word, category, isMainNoun } of named.sort((a, b) => Number(b.isMainNoun) - Number(a.isMainNoun))) {
      const files = filesOf[category] ?? artefact
      const sense = wordNet.senses(word).filter(synset => files.includes(synset.lexicalFile))[nth]
      if (nth > 0 && !files.includes(13)) continue
      if (sense && !meanings.has(sense.id) && !wrongSenses.has(word)) meanings.set(sense.id, { word, isMainNoun })
    }
  }
  return meanings
}

/** Returns the targets of a rare noun (see `PackContents.rareNouns`): the targets of the most
 *  common sense that has any. Only the first three senses are searched. A sense whose only
 *  target is "person" comes last, so "adder" is a snake rather than someone who adds. */
function bestTargets(noun: string, senses: readonly Synset[], meanings: ReadonlyMap<number, Meaning>, wordNet: WordNet): string[] {
  const [first] = senses
  // When the first sense is not a visible thing ("opera"), only the first two senses are searched.
  const seen = senses.slice(0, first && isSeen(first) ? 3 : 2).filter(sense => isSeen(sense) && isCommonNoun(noun, sense))
  if (seen.some(sense => offensive.test(sense.gloss))) return []
  const found = seen.map(sense => targetsOf(noun, sense, meanings, wordNet)).filter(targets => targets.length > 0)
  return found.find(targets => targets[0] !== '<person') ?? found[0] ?? []
}

function targetsOf(noun: string, sense: Synset, meanings: ReadonlyMap<number, Meaning>, wordNet: WordNet): string[] {
  const synonym = meanings.get(sense.id)
  const isPerson = sense.lexicalFile === person
  const targets: string[] = synonym && synonym.word !== noun ? [`=${synonym.word}`] : []
  let level = [...sense.hypernyms]
  for (let depth = 0; depth < levels(sense.lexicalFile) && targets.length < 3; depth++) {
    for (const id of level) {
      const meaning = meanings.get(id)
      // A word for a person ("surgeon") gets a more general word ("doctor") as its target only if
      // that word is the main noun of a drawing. The other words that lead to a drawing are too
      // vague for people.
      if (meaning && !tooWide.has(meaning.word) && (!isPerson || meaning.isMainNoun)) targets.push(`<${meaning.word}`)
    }
    level = level.flatMap(id => wordNet.synset(id)?.hypernyms ?? [])
  }
  if (isPerson && targets.length === 0) targets.push('<person')
  return [...new Set(targets)]
}

/** Returns false for proper names, which WordNet capitalises. Animals, plants and food always
 *  count as common nouns, because their names may be capitalised, too: "Siamese cat". */
function isCommonNoun(noun: string, sense: Synset): boolean {
  if ([5, 13, 20].includes(sense.lexicalFile)) return true
  const written = sense.words.find(word => word.toLowerCase().replaceAll("'", '').replace(/[_-]+/g, ' ') === noun)
  return written !== undefined && written === written.toLowerCase()
}
