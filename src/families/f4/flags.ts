/** The text of an artwork job: words, then inline flags (`vendors-media.md` 5.2). One pass over the words; nothing looks back. */
import { invalidField } from '@generation-gateway/kit/errors.ts'

/** A text read into its parts. */
export interface ReadText {
  /** The words before the flags, as written. */
  prompt: string
  /** Model version, 5 to 8.1; undefined: none was given. */
  version: number | undefined
  /** `W:H` as written; undefined: none was. */
  aspect: string | undefined
  isDraft: boolean
  /** Decimal digits; undefined: none was given. */
  seed: string | undefined
  /** What must not be there. */
  negative: string | undefined
  /** The flags that the request has no field for, as a target that speaks the dialect reads them; empty: none. */
  flags: string
}

/** Versions that Part A speaks of (6, 6.1 and 7), and the vendor's others. */
const versions = ['5', '5.1', '5.2', '6', '6.1', '7', '8', '8.1']
/** Of the second kind of models, which draw in the manner of anime. */
const nijiVersions = ['', '5', '6', '7']
export const usualVersion = 7
/** `W:H`: whole numbers. More than 14 to 1 would be sides of less than 270 pixels beside ones of almost 4,000. */
const aspectPattern = /^([1-9][0-9]{0,4}):([1-9][0-9]{0,4})$/
const mostRatio = 14
const mostSeed = 4_294_967_295

/** Spelling -> what is set by it: of several that set the same thing the last one wins. */
const known: Readonly<Record<string, string>> = {
  ...{ v: 'version', version: 'version', ar: 'aspect', aspect: 'aspect', draft: 'draft', fast: 'speed', turbo: 'speed', relax: 'speed' },
  ...{ no: 'no', seed: 'seed', niji: 'version', s: 's', c: 'c', q: 'q', iw: 'iw', sref: 'sref', oref: 'oref', p: 'p', bs: 'bs', hd: 'hd' },
}
const switches: ReadonlySet<string> = new Set(['draft', 'speed', 'hd'])
/** What the neutral request has fields for. */
const ownFields: ReadonlySet<string> = new Set(['aspect', 'no', 'seed'])

/** The rule that every refusal of a text names: its reason is Invalid_Prompt_Parameter. */
export const promptParameter = 'prompt-parameter'

interface Flag {
  /** As it is passed on: `--ar`. */
  name: string
  sets: string
  value: string
}

/** Reads a text; `field` is the one that it came in. Throws `invalid_request` with the rule `promptParameter`. */
export function readText(text: string, field: 'text' | 'remixPrompt'): ReadText {
  const { prompt, flags } = split(text, field)
  if (prompt === '') throw refused(field, 'has no words before its flags')
  const last = new Map(flags.map(flag => [flag.sets, flag]))
  const given = (sets: string) => last.get(sets)?.value
  for (const flag of last.values()) check(flag, field)
  const named = last.get('version')
  const seed = given('seed')
  const passed = [...last.values()].filter(({ sets }) => !ownFields.has(sets))
  return {
    prompt,
    version: named === undefined ? undefined : Number(named.value || usualVersion),
    aspect: given('aspect'),
    isDraft: last.has('draft'),
    seed: seed === undefined ? undefined : String(Number(seed)),
    negative: given('no'),
    flags: passed.map(({ name, value }) => (value === '' ? name : `${name} ${value}`)).join(' '),
  }
}

/** The value of a flag is everything up to the next one. */
function split(text: string, field: string): { prompt: string; flags: Flag[] } {
  const flags: { name: string; sets: string; values: string[] }[] = []
  let end = text.length
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const flag = flagIn(word, field)
    if (flag) {
      if (flags.length === 0) end = index
      flags.push({ ...flag, values: [] })
    } else flags.at(-1)?.values.push(word)
  }
  return {
    prompt: text.slice(0, end).trim(),
    flags: flags.map(({ values, ...flag }) => ({ ...flag, value: values.join(' ') })),
  }
}

/** Phones write a long dash for two hyphens: one before the name of a flag is meant so. Before anything else it belongs to the words, as hyphens do that no letter follows. */
function flagIn(word: string, field: string): Pick<Flag, 'name' | 'sets'> | undefined {
  if (word === '-v') return { name: '--v', sets: 'version' }
  const [, dash, name = ''] = /^(--|[\u2012-\u2015])([a-z].*)$/i.exec(word) ?? []
  if (dash === undefined) return undefined
  const lower = name.toLowerCase()
  const sets = Object.hasOwn(known, lower) ? known[lower] : undefined
  if (sets !== undefined) return { name: `--${lower}`, sets }
  if (dash !== '--') return undefined
  throw refused(field, `has the flag ${JSON.stringify(word.slice(0, 40))}, which is not known; known are ${spellings}`)
}

const spellings = Object.keys(known)
  .map(name => `--${name}`)
  .join(', ')

function check(flag: Flag, field: string): void {
  const { name, value } = flag
  const said = JSON.stringify(value.slice(0, 40))
  const must = mustBe(flag)
  if (must !== undefined)
    throw refused(field, `has ${name} ${value === '' ? 'without a value' : said}; ${must}. Flags stand behind all words`)
}

/** What the value has to be; undefined when it is. */
function mustBe({ name, sets, value }: Flag): string | undefined {
  if (switches.has(sets)) return value === '' ? undefined : 'it takes no value'
  if (name === '--niji') return nijiVersions.includes(value) ? undefined : 'it is one of 5, 6, 7'
  if (sets === 'version') return versions.includes(value) ? undefined : `it is one of ${versions.join(', ')}`
  if (sets === 'no') return value === '' ? 'it names what must not be there' : undefined
  if (sets === 'seed')
    return /^[0-9]{1,10}$/.test(value) && Number(value) <= mostSeed ? undefined : `it is a whole number of 0 to ${mostSeed}`
  if (sets === 'aspect') return isAspect(value) ? undefined : `it is two whole numbers like 16:9, from 1:${mostRatio} to ${mostRatio}:1`
  return undefined
}

function isAspect(value: string): boolean {
  const [, wide, high] = aspectPattern.exec(value) ?? []
  const ratio = Number(wide) / Number(high)
  return ratio >= 1 / mostRatio && ratio <= mostRatio
}

function refused(field: string, says: string) {
  return invalidField(field, `${field} ${says}.`, promptParameter)
}

/** About one megapixel, sides multiples of 32: what diffusion models are trained on, so a target of any kind can draw it (the same rule as F1's, `vendors-media.md` 2.2). A draft has half the sides. */
export function sizeOf({ aspect = '1:1', isDraft }: Pick<ReadText, 'aspect' | 'isDraft'>): { width: number; height: number } {
  const [wide = 1, high = 1] = aspect.split(':').map(Number)
  const height = Math.round(Math.sqrt(2 ** 20 / (wide / high)) / 32) * 32
  const width = Math.round((height * wide) / high / 32) * 32
  return isDraft ? { width: width / 2, height: height / 2 } : { width, height }
}
