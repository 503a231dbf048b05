import { findPrivateNumbers } from './private-numbers.ts'
import { readLexicon } from './prompt-lexicon.ts'
import { type Hit, type Hits, scanPrompt } from './prompt-scan.ts'
import { assertTolerance, defaultTolerance, type SafetyReason, type SafetyVerdict } from './verdict.ts'

/** Value of `allowedFrom` for a rule that refuses at every tolerance. It is above the highest
 *  tolerance, 6. */
const never = 7
const anywhere = Number.POSITIVE_INFINITY
// Greatest distance, in words, between a concept and a context word that cancels the rule or
// selects a milder one.
const contextWindow = 15

interface Rule {
  readonly reason: SafetyReason
  /** The lowest tolerance at which this rule does not refuse. */
  readonly allowedFrom: number
  /** Concepts of prompt-lexicon.txt; an age below 18 counts as `minor` as well. The rule applies
   *  when the prompt names all of them and does not exclude them ("no blood"), and all others stand
   *  within `within` words of the first. */
  readonly all: readonly [string, ...string[]]
  /** Greatest distance of the other concepts from the first, in words; a Chinese character counts
   *  as half a word. Required when `all` has more than one concept. */
  readonly within?: number
  /** True when the other concepts must stand after the first. */
  readonly isOrdered?: boolean
  /** The rule does not apply when one of these concepts stands near the first. */
  readonly unless?: readonly string[]
  readonly unlessWithin?: number
  /** True when the rule applies even to things that the prompt excludes, so that "no" before a word
   *  does not prevent the refusal. */
  readonly countsNegated?: boolean
}

// docs/decisions/0003-safety.md explains the rules and their levels. Where a context word cancels a
// rule (`unless`), a milder rule for the same concepts may follow in this list.
const rules: readonly Rule[] = [
  { reason: 'Minors', allowedFrom: never, all: ['minor-sexual'], unless: ['prevention'], countsNegated: true },
  { reason: 'Minors', allowedFrom: 2, all: ['minor-sexual', 'prevention'], within: contextWindow },
  { reason: 'Minors', allowedFrom: never, all: ['minor', 'explicit'], within: anywhere, countsNegated: true },
  { reason: 'Minors', allowedFrom: never, all: ['minor', 'sexual'], within: anywhere },
  { reason: 'Minors', allowedFrom: never, all: ['minor', 'forced'], within: anywhere, unless: ['prevention'] },
  { reason: 'Minors', allowedFrom: never, all: ['minor', 'genital'], within: anywhere, unless: ['medical'] },
  { reason: 'Minors', allowedFrom: never, all: ['minor', 'nudity'], within: 25, unless: ['nursing'], unlessWithin: 6 },
  { reason: 'Minors', allowedFrom: never, all: ['minor', 'suggestive'], within: 12 },
  { reason: 'Minors', allowedFrom: never, all: ['minor', 'underwear'], within: 8 },
  { reason: 'Minors', allowedFrom: never, all: ['minor', 'prostitution'], within: 12, unless: ['prevention'] },

  { reason: 'Sexual Content', allowedFrom: 6, all: ['explicit'] },
  { reason: 'Sexual Content', allowedFrom: 5, all: ['sexual'], unless: ['medical', 'prevention'] },
  { reason: 'Sexual Content', allowedFrom: 2, all: ['sexual'] },
  { reason: 'Sexual Content', allowedFrom: never, all: ['forced'], unless: ['prevention', 'medical'] },
  { reason: 'Sexual Content', allowedFrom: 2, all: ['forced'] },
  { reason: 'Sexual Content', allowedFrom: 5, all: ['genital'], unless: ['medical'] },
  { reason: 'Sexual Content', allowedFrom: 2, all: ['genital'] },
  { reason: 'Sexual Content', allowedFrom: 4, all: ['nudity'], unless: ['artwork', 'painting', 'medical'] },
  { reason: 'Sexual Content', allowedFrom: 3, all: ['nudity'], unless: ['artwork', 'medical'] },
  { reason: 'Sexual Content', allowedFrom: 2, all: ['nudity'] },
  { reason: 'Sexual Content', allowedFrom: 3, all: ['prostitution'], unless: ['prevention', 'history'] },
  { reason: 'Sexual Content', allowedFrom: 2, all: ['suggestive'] },
  ...['public-figure', 'office'].flatMap((person): Rule[] => [
    { reason: 'Sexual Content', allowedFrom: never, all: [person, 'explicit'], within: 20 },
    { reason: 'Sexual Content', allowedFrom: never, all: [person, 'sexual'], within: 12 },
    { reason: 'Sexual Content', allowedFrom: never, all: [person, 'nudity'], within: 12 },
  ]),
  { reason: 'Sexual Content', allowedFrom: 4, all: ['public-figure', 'suggestive'], within: 12 },

  { reason: 'Violence', allowedFrom: 4, all: ['gore'], unless: ['fiction', 'medical', 'history'] },
  { reason: 'Violence', allowedFrom: 3, all: ['gore'] },
  { reason: 'Violence', allowedFrom: 3, all: ['killing'], unless: ['fiction', 'history', 'prevention'] },
  { reason: 'Violence', allowedFrom: 1, all: ['killing'] },
  { reason: 'Violence', allowedFrom: 3, all: ['kill-verb', 'person'], within: 3, isOrdered: true, unless: ['prey'], unlessWithin: 2 },
  { reason: 'Violence', allowedFrom: 1, all: ['blood'], unless: ['medical', 'prevention'] },
  { reason: 'Violence', allowedFrom: 3, all: ['gunpoint'] },
  { reason: 'Violence', allowedFrom: 4, all: ['mass-violence'], unless: ['history', 'prevention'] },
  { reason: 'Violence', allowedFrom: 2, all: ['mass-violence'], unless: ['prevention'] },
  { reason: 'Violence', allowedFrom: 5, all: ['abuse', 'animal'], within: 4, isOrdered: true, unless: ['prevention'] },
  { reason: 'Violence', allowedFrom: 5, all: ['abuse', 'minor'], within: 3, isOrdered: true, unless: ['prevention'] },
  ...['public-figure', 'office'].flatMap((person): Rule[] => [
    { reason: 'Violence', allowedFrom: 6, all: [person, 'kill-verb'], within: 6, unless: ['history'] },
    { reason: 'Violence', allowedFrom: 6, all: [person, 'killing'], within: 6, unless: ['history'] },
    { reason: 'Violence', allowedFrom: 6, all: [person, 'gore'], within: 8, unless: ['history'] },
  ]),
  { reason: 'Violence', allowedFrom: 5, all: ['threat'], unless: ['prevention'] },

  { reason: 'Hate', allowedFrom: never, all: ['incite', 'group'], within: 4, isOrdered: true, unless: ['history', 'prevention'] },
  { reason: 'Hate', allowedFrom: never, all: ['group', 'deserve'], within: 8, unless: ['history', 'prevention'] },
  { reason: 'Hate', allowedFrom: 5, all: ['incite', 'group'], within: 4, isOrdered: true },
  { reason: 'Hate', allowedFrom: 5, all: ['group', 'deserve'], within: 8 },
  { reason: 'Hate', allowedFrom: 4, all: ['group', 'kill-verb'], within: 4, unless: ['history', 'prevention'] },
  { reason: 'Hate', allowedFrom: 5, all: ['group', 'demean'], within: 4, unless: ['prevention'] },
  { reason: 'Hate', allowedFrom: 5, all: ['slur'] },
  { reason: 'Hate', allowedFrom: never, all: ['extremism', 'glorify'], within: 8, unless: ['history', 'prevention'] },
  { reason: 'Hate', allowedFrom: 4, all: ['extremism'], unless: ['history', 'religion', 'prevention'] },
  { reason: 'Hate', allowedFrom: 2, all: ['extremism'], unless: ['religion'] },

  { reason: 'Self Harm', allowedFrom: never, all: ['self-harm-urge'], unless: ['prevention'] },
  { reason: 'Self Harm', allowedFrom: 3, all: ['self-harm-urge'] },
  { reason: 'Self Harm', allowedFrom: never, all: ['how-to', 'self-harm'], within: 4, isOrdered: true, unless: ['prevention'] },
  { reason: 'Self Harm', allowedFrom: never, all: ['encourage', 'self-harm'], within: 8, isOrdered: true, unless: ['prevention'] },
  { reason: 'Self Harm', allowedFrom: 4, all: ['cut-verb', 'limb'], within: 2, isOrdered: true, unless: ['medical'] },
  { reason: 'Self Harm', allowedFrom: 4, all: ['self-harm'], unless: ['prevention'] },
  { reason: 'Self Harm', allowedFrom: 1, all: ['self-harm'] },

  {
    reason: 'Illegal Goods',
    allowedFrom: never,
    all: ['banned-weapon', 'how-to'],
    within: 10,
    unless: ['harmless-making'],
    unlessWithin: 10,
  },
  { reason: 'Illegal Goods', allowedFrom: 5, all: ['make', 'banned-weapon'], within: 3, isOrdered: true, unless: ['harmless-making'] },
  {
    reason: 'Illegal Goods',
    allowedFrom: never,
    all: ['gun', 'how-to', 'make'],
    within: 10,
    unless: ['harmless-making'],
    unlessWithin: 10,
  },
  { reason: 'Illegal Goods', allowedFrom: 5, all: ['gun-making'], unless: ['prevention'] },
  { reason: 'Illegal Goods', allowedFrom: 5, all: ['gun', 'illicit'], within: 6, unless: ['prevention'] },
  { reason: 'Illegal Goods', allowedFrom: never, all: ['hard-drug', 'how-to'], within: 10, unless: ['prevention', 'medical'] },
  { reason: 'Illegal Goods', allowedFrom: 6, all: ['hard-drug', 'make'], within: 3, unless: ['prevention'] },
  { reason: 'Illegal Goods', allowedFrom: 6, all: ['hard-drug', 'trade'], within: 5, unless: ['prevention', 'history'] },
  { reason: 'Illegal Goods', allowedFrom: 3, all: ['hard-drug'], unless: ['prevention', 'medical', 'history'] },
  { reason: 'Illegal Goods', allowedFrom: 1, all: ['hard-drug'] },
  { reason: 'Illegal Goods', allowedFrom: 2, all: ['soft-drug'] },
  { reason: 'Illegal Goods', allowedFrom: 5, all: ['forgery'], unless: ['prevention'] },
  {
    reason: 'Illegal Goods',
    allowedFrom: 5,
    all: ['fake', 'document'],
    within: 4,
    unless: ['prevention', 'harmless-making'],
  },
  { reason: 'Illegal Goods', allowedFrom: 5, all: ['human-trade'], unless: ['prevention', 'history'] },
  { reason: 'Illegal Goods', allowedFrom: 4, all: ['wildlife', 'trade'], within: 6, unless: ['prevention'] },

  { reason: 'Harassment', allowedFrom: 4, all: ['public-figure', 'disgrace'], within: 8 },
  { reason: 'Harassment', allowedFrom: 4, all: ['humiliate', 'target'], within: 5, unless: ['prevention'] },
  { reason: 'Harassment', allowedFrom: 4, all: ['threat'], unless: ['prevention'] },
  { reason: 'Personal Data', allowedFrom: 4, all: ['private-data', 'owner'], within: 5, unless: ['prevention'] },
  { reason: 'Profanity', allowedFrom: 2, all: ['profanity'] },
]

const privateNumbersAllowedFrom = 4
const lexicon = readLexicon()

/** Returns whether a prompt is allowed at `tolerance`, 0 (strictest) to 6 (most lenient), and if
 *  not, the reasons. Understands English and Chinese (simplified and traditional). A prompt allowed
 *  at one tolerance is allowed at every higher one. Pass only text that a picture is to show, never
 *  a negative prompt. Pure; takes less than 0.3 ms for a usual prompt, less than 20 ms for 8000
 *  characters. Throws a RangeError for a tolerance outside 0 to 6. */
export function judgePrompt(prompt: string, tolerance: number = defaultTolerance): SafetyVerdict {
  assertTolerance(tolerance)
  const hits = scanPrompt(prompt, lexicon)
  const reasons = new Set<SafetyReason>()
  for (const rule of rules) if (rule.allowedFrom > tolerance && !reasons.has(rule.reason) && applies(rule, hits)) reasons.add(rule.reason)
  if (privateNumbersAllowedFrom > tolerance && findPrivateNumbers(prompt)) reasons.add('Personal Data')
  return reasons.size === 0 ? { allowed: true } : { allowed: false, reasons: [...reasons] }
}

/** Returns the severity of a prompt for each reason except personal data. The severity is the
 *  number of tolerances (1 to 7) at which the prompt is refused for this reason. The map is empty
 *  when no rule refuses the prompt at any tolerance. Takes as long as `judgePrompt`. */
export function severityOf(prompt: string): Map<SafetyReason, number> {
  const hits = scanPrompt(prompt, lexicon)
  const severities = new Map<SafetyReason, number>()
  for (const rule of rules)
    if (rule.allowedFrom > (severities.get(rule.reason) ?? 0) && applies(rule, hits)) severities.set(rule.reason, rule.allowedFrom)
  return severities
}

function applies(
  { all: [first, ...others], within = 0, isOrdered = false, unless = [], unlessWithin = contextWindow, countsNegated = false }: Rule,
  hits: Hits,
): boolean {
  const anchors = hits.get(first)
  if (anchors === undefined) return false
  const companions = others.map(concept => hits.get(concept)?.filter(({ isNegated }) => countsNegated || !isNegated) ?? [])
  if (companions.some(list => list.length === 0)) return false
  const contexts = unless.map(concept => hits.get(concept) ?? [])
  return anchors.some(
    ({ at, isNegated }) =>
      (countsNegated || !isNegated) &&
      companions.every(list => isNear(list, isOrdered ? at : at - within, at + within)) &&
      !contexts.some(list => isNear(list, at - unlessWithin, at + unlessWithin)),
  )
}

/** True when one of `hits`, which are sorted by position, lies between two positions. Uses a binary
 *  search, so that long prompts take little time. */
function isNear(hits: readonly Hit[], from: number, to: number): boolean {
  let low = 0
  let high = hits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (hits[middle]!.at < from) low = middle + 1
    else high = middle
  }
  return low < hits.length && hits[low]!.at <= to
}
