/** Chooses the pronunciation of homographs (words such as "read" and "live") for which the lexicons
 *  are not enough: the part of speech does not decide the pronunciation, or the lexicons have only
 *  one of the pronunciations. */
import type { Accent } from '../plan.ts'
import type { Token } from './tokens.ts'

interface Neighbours {
  tokens: readonly Token[]
  tagOf(index: number): string
  accent: Accent
}

/** The surroundings of a homograph: the words before it (nearest first) and after it, in lower case
 *  and without punctuation. */
interface Context {
  tag: string
  before: string[]
  after: string[]
  all: ReadonlySet<string>
}

interface Homograph {
  /** The pronunciations among which `choose` chooses, in American and British phonemes. */
  readings: Record<string, [us: string, gb: string]>
  choose(context: Context): string | undefined
}

/** Returns the phonemes of a homograph. Undefined for a word without a rule in this file, and when
 *  the usual pronunciation applies. */
export function homograph(index: number, { tokens, tagOf, accent }: Neighbours): string | undefined {
  const entry = homographs.get(tokens[index]!.text.toLowerCase())
  if (!entry) return undefined
  const words = tokens.map(token => token.text.toLowerCase())
  const isWord = (_: string, at: number): boolean => tokens[at]?.kind !== 'mark'
  const context: Context = {
    tag: tagOf(index),
    before: words.slice(0, index).filter(isWord).reverse(),
    after: words.slice(index + 1).filter((_, at) => isWord('', index + 1 + at)),
    all: new Set(words),
  }
  const chosen = entry.choose(context)
  return chosen === undefined ? undefined : entry.readings[chosen]?.[accent === 'us' ? 0 : 1]
}

const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const some = (words: Iterable<string>, set: ReadonlySet<string>): boolean => [...words].some(word => set.has(word))
const pronouns = wordSet('i you we they he she it who')
const determiners = wordSet('a an the this that his her my your our their its some any no every each')
const being = wordSet('am is are was were be been being feel feels felt seem seems seemed look looks looked quite very perfectly')
const habits = wordSet('every always usually often sometimes rarely seldom daily weekly nowadays generally')
const metal = wordSet(
  'poisoning pipe pipes paint weights pencil pencils shot bullets metal roof acid battery batteries oxide mine mines ore zinc copper tin exposure crystal glass solder contamination',
)
const fish = wordSet(
  'fish fishing caught catch lake river pond sea boat striped largemouth smallmouth bait hook grilled fried fillet swim swam',
)
const tiny = wordSet(
  'amount amounts detail details quantity quantities particle particles difference differences fraction fractions trace traces changes variations crack cracks hole insects creatures grains pieces',
)
const scholars = wordSet(
  'friend friends man men woman judge scholar scholars society societies colleague colleagues professor journal journals counsel institutions',
)
const people = wordSet('man men woman women person people parent parents mother father relative relatives couple lady gentleman population')

const homographs = new Map<string, Homograph>([
  [
    'read',
    {
      readings: { present: ['ɹˈid', 'ɹˈiːd'] },
      choose: ({ tag, before, all }) =>
        /^VB[DP]$/.test(tag) &&
        some(all, habits) &&
        !all.has('yesterday') &&
        !some(before.slice(0, 2), wordSet('have has had having was were been'))
          ? 'present'
          : undefined,
    },
  ],
  [
    'lead',
    {
      readings: { metal: ['lˈɛd', 'lˈɛd'] },
      choose: ({ tag, before, after }) => {
        if (metal.has(after[0] ?? '')) return 'metal'
        const isOf = /^(?:of|from|with|contains|containing|contain|like|melt|melted|molten)$/.test(before[0] ?? '')
        return isOf && tag.startsWith('NN') && !determiners.has(before[0] ?? '') ? 'metal' : undefined
      },
    },
  ],
  [
    'object',
    {
      readings: { verb: ['əbʤˈɛkt', 'əbʤˈɛkt'] },
      choose: ({ before, after }) => (pronouns.has(before[0] ?? '') && (after[0] === undefined || after[0] === 'to') ? 'verb' : undefined),
    },
  ],
  [
    'content',
    {
      readings: { pleased: ['kəntˈɛnt', 'kəntˈɛnt'] },
      choose: ({ before, after }) =>
        being.has(before[0] ?? '') && /^(?:with|to|in|and|just|$)/.test(after[0] ?? '') ? 'pleased' : undefined,
    },
  ],
  ['minute', { readings: { tiny: ['mInˈut', 'mInjˈuːt'] }, choose: ({ after }) => (tiny.has(after[0] ?? '') ? 'tiny' : undefined) }],
  ['bass', { readings: { music: ['bˈAs', 'bˈAs'] }, choose: ({ all }) => (some(all, fish) ? undefined : 'music') }],
  [
    'project',
    {
      readings: { verb: ['pɹəʤˈɛkt', 'pɹəʤˈɛkt'] },
      choose: ({ before, after }) => (pronouns.has(before[0] ?? '') && determiners.has(after[0] ?? '') ? 'verb' : undefined),
    },
  ],
  [
    'invalid',
    {
      readings: { person: ['ˈɪnvəlɪd', 'ˈɪnvəlɪd'] },
      choose: ({ before, after }) =>
        /^(?:an|the)$/.test(before[0] ?? '') && /^(?:$|who|was|is|and|for|since|in)/.test(after[0] ?? '') ? 'person' : undefined,
    },
  ],
  ['learned', { readings: { wise: ['lˈɜɹnɪd', 'lˈɜːnɪd'] }, choose: ({ after }) => (scholars.has(after[0] ?? '') ? 'wise' : undefined) }],
  ['aged', { readings: { old: ['ˈAʤɪd', 'ˈAʤɪd'] }, choose: ({ after }) => (people.has(after[0] ?? '') ? 'old' : undefined) }],
  [
    'row',
    {
      readings: { quarrel: ['ɹˈW', 'ɹˈW'] },
      choose: ({ before, after }) =>
        /^(?:about|over|with)$/.test(after[0] ?? '') && /^(?:a|blazing|big|terrible|the)$/.test(before[0] ?? '') ? 'quarrel' : undefined,
    },
  ],
  [
    'bow',
    {
      readings: { bend: ['bˈW', 'bˈW'] },
      choose: ({ before, after }) =>
        (before[0] === 'a' && /^(?:take|took|takes|taking|taken|make|made|deep|with)$/.test(before[1] ?? '')) ||
        /^(?:down|before|out)$/.test(after[0] ?? '') ||
        (after[0] === 'of' && /^(?:ship|boat|vessel)$/.test(after[2] ?? ''))
          ? 'bend'
          : undefined,
    },
  ],
  [
    'resume',
    {
      readings: { papers: ['ɹˈɛzəmˌA', 'ɹˈɛzjʊmˌA'] },
      choose: ({ before }) => (/^(?:a|my|your|his|her|their|the|updated|strong|good)$/.test(before[0] ?? '') ? 'papers' : undefined),
    },
  ],
  ['used', { readings: { employed: ['jˈuzd', 'jˈuːzd'] }, choose: ({ after }) => (after[0] === 'to' ? undefined : 'employed') }],
  [
    'reading',
    {
      readings: { town: ['ɹˈɛdɪŋ', 'ɹˈɛdɪŋ'] },
      choose: ({ tag, before }) => (tag === 'NNP' && /^(?:in|from|to|near|at|of)$/.test(before[0] ?? '') ? 'town' : undefined),
    },
  ],
])
