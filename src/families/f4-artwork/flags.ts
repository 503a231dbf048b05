/** Reads the text of an artwork job: a prompt followed by inline flags
 *  (docs/vendors/youchuan.md#operations), in one pass without backtracking. */
import { invalidField } from '@generation-gateway/kit/errors.ts'

/** The parts of a job's text. */
export interface ParsedText {
  /** The prompt before the flags, as written. */
  prompt: string
  /** Model version, 5 to 8.1; undefined without a version flag. */
  version: number | undefined
  /** Aspect ratio `W:H` as written; undefined without an aspect flag. */
  aspect: string | undefined
  isDraft: boolean
  /** Decimal digits of the seed; undefined without a seed flag. */
  seed: string | undefined
  /** Description of things that must not be in the picture. */
  negative: string | undefined
  /** The flags for which the neutral request has no field, spelled as a target that speaks the
   *  dialect reads them; may be empty. */
  flags: string
  /** The same flags as the caller spelled them: `--version`. */
  flagNames: string[]
  /** Flags that do not suit a job of four pictures, such as `--repeat`; they are left out. */
  leftOut: string[]
}

/** Model versions: 6, 6.1 and 7, which the interface names (docs/interface/pictures.md#f4), and
 *  further versions of the vendor. */
const versions = ['5', '5.1', '5.2', '6', '6.1', '7', '8', '8.1']
/** Versions of the Niji models, which draw in anime style. */
const nijiVersions = ['', '5', '6', '7']
export const usualVersion = 7
/** An aspect ratio `W:H` in whole numbers. The limit is 14:1: in a more extreme ratio, a picture
 *  of one megapixel would have one side of less than 274 pixels and one of more than 3,800. */
const aspectPattern = /^([1-9][0-9]{0,4}):([1-9][0-9]{0,4})$/
const mostRatio = 14
const mostSeed = 4_294_967_295

/** The flags of the dialect, separated by spaces. Each is given in the spelling that is
 *  forwarded, followed by its synonyms after slashes. */
const spellings = [
  'v/version niji test testp ar/aspect draft fast turbo relax no seed sameseed s/stylize c/chaos q/quality p/profile/personalize',
  'weird/w exp style raw tile iw sref sw sv cref cw oref ow bs hd sd stop creative uplight upbeta upanime stealth public',
  'repeat/r video motion loop end',
].flatMap(line => line.split(' ').map(flag => flag.split('/')))
/** For each flag that shares a setting with other flags, the name of this setting. When a text
 *  contains several flags for one setting, the last of them applies. */
const setsSame: Readonly<Record<string, string>> = {
  ...{ v: 'version', niji: 'version', test: 'version', testp: 'version', ar: 'aspect', fast: 'speed', turbo: 'speed', relax: 'speed' },
  ...{ style: 'style', raw: 'style', hd: 'size', sd: 'size', stealth: 'access', public: 'access' },
}
const known: ReadonlyMap<string, Pick<Flag, 'name' | 'sets'>> = new Map(
  spellings.flatMap(each => {
    const [passedOn = ''] = each
    return each.map(spelling => [spelling, { name: `--${passedOn}`, sets: setsSame[passedOn] ?? passedOn }] as const)
  }),
)
const switches: ReadonlySet<string> = new Set(
  'draft fast turbo relax test testp creative raw tile hd sd uplight upbeta upanime stealth public video loop'
    .split(' ')
    .map(name => `--${name}`),
)
/** Flags for which the neutral request has fields. */
const ownFields: ReadonlySet<string> = new Set(['aspect', 'no', 'seed'])
/** Flags that would turn the job into something other than its four pictures. */
const otherJobs: ReadonlySet<string> = new Set(['repeat', 'video', 'motion', 'loop', 'end'])

/** Id of the rule in every refusal of a text. The dialect reports such a refusal with the reason
 *  `Invalid_Prompt_Parameter`. */
export const promptParameter = 'prompt-parameter'

interface Flag {
  /** The spelling of the flag that is forwarded: `--ar`. */
  name: string
  /** The flag as the caller spelled it: `--aspect`. */
  written: string
  sets: string
  value: string
}

/** Reads a text; `field` names the request field that holds it. Throws `invalid_request` with the
 *  rule `promptParameter`. */
export function parseText(text: string, field: 'text' | 'remixPrompt'): ParsedText {
  const { prompt, flags } = split(text, field)
  if (prompt === '') throw refused(field, 'has no words before its flags')
  const last = new Map(flags.map(flag => [flag.sets, flag]))
  const given = (sets: string) => last.get(sets)?.value
  for (const flag of last.values()) check(flag, field)
  const named = last.get('version')
  const seed = given('seed')
  const others = [...last.values()].filter(({ sets }) => !ownFields.has(sets))
  const passed = others.filter(({ sets }) => !otherJobs.has(sets))
  return {
    prompt,
    version: named === undefined ? undefined : Number(named.value || usualVersion),
    aspect: given('aspect'),
    isDraft: last.has('draft'),
    seed: seed === undefined ? undefined : String(Number(seed)),
    negative: given('no'),
    flags: passed.map(({ name, value }) => (value === '' ? name : `${name} ${value}`)).join(' '),
    flagNames: passed.map(({ written }) => written),
    leftOut: others.filter(({ sets }) => otherJobs.has(sets)).map(({ written }) => written),
  }
}

/** Splits the text into the prompt and its flags; the value of a flag extends to the next flag. */
function split(text: string, field: string): { prompt: string; flags: Flag[] } {
  const flags: (Omit<Flag, 'value'> & { values: string[] })[] = []
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
    flags: flags.map(({ values, ...flag }) => ({ ...flag, value: plainVersion(flag, values.join(' ')) })),
  }
}

/** Normalizes a version written with a fraction: 7.0 becomes 7. */
function plainVersion({ sets }: Pick<Flag, 'sets'>, value: string): string {
  return sets === 'version' ? value.replace(/^([0-9])\.0$/, '$1') : value
}

/** Reads a word as a flag. Phones replace two hyphens by a long dash, so a dash before the name of
 *  a flag counts as `--`; any other long dash, and hyphens without a letter after them, belong to
 *  the prompt. */
function flagIn(word: string, field: string): Omit<Flag, 'value'> | undefined {
  if (word === '-v') return { ...known.get('v')!, written: '-v' }
  const [, dash, name = ''] = /^(--|[\u2012-\u2015])([a-z].*)$/i.exec(word) ?? []
  if (dash === undefined) return undefined
  const spelling = name.toLowerCase()
  const flag = known.get(spelling)
  if (flag) return { ...flag, written: `--${spelling}` }
  if (dash !== '--') return undefined
  throw refused(field, `has the flag ${JSON.stringify(word.slice(0, 40))}, which is not known; known are ${allSpellings}`)
}

const allSpellings = [...known.keys()].map(name => `--${name}`).join(', ')

function check(flag: Flag, field: string): void {
  const { written, value } = flag
  const said = JSON.stringify(value.slice(0, 40))
  const must = mustBe(flag)
  if (must !== undefined)
    throw refused(field, `has ${written} ${value === '' ? 'without a value' : said}; ${must}. Flags stand behind all words`)
}

/** Returns a description of the valid values; undefined when the flag's value is valid. */
function mustBe({ name, sets, value }: Flag): string | undefined {
  if (switches.has(name)) return value === '' ? undefined : 'it takes no value'
  if (name === '--niji') return nijiVersions.includes(value) ? undefined : 'it is one of 5, 6, 7'
  if (sets === 'version') return versions.includes(value) ? undefined : `it is one of ${versions.join(', ')}`
  if (name === '--style') return value === '' ? 'it names a style, like raw' : undefined
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

/** Returns a size of about one megapixel whose sides are multiples of 32: diffusion models are
 *  trained on such sizes, so any target can draw them (the same rule as F1's,
 *  docs/vendors/bfl.md#pixels-of-a-ratio). A draft has half the sides. */
export function sizeOf({ aspect = '1:1', isDraft }: Pick<ParsedText, 'aspect' | 'isDraft'>): { width: number; height: number } {
  const [wide = 1, high = 1] = aspect.split(':').map(Number)
  const height = Math.round(Math.sqrt(2 ** 20 / (wide / high)) / 32) * 32
  const width = Math.round((height * wide) / high / 32) * 32
  return isDraft ? { width: width / 2, height: height / 2 } : { width, height }
}
