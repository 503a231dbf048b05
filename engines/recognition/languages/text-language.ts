import { spokenLanguage } from '@generation-gateway/kit/languages.ts'

/** Returns the language of a text (BCP 47 primary language), from its letters alone; one of
 *  `among`, if that has languages that it can distinguish. Undefined when the text is too short or
 *  a mix. */
export async function textLanguage(text: string, among: readonly string[] = []): Promise<string | undefined> {
  const { eld } = await import('eld/small')
  const found = eld.detect(text.slice(0, mostChars))
  const candidates = among.map(each => spokenLanguage(each))
  const scores = Object.entries(found.getScores())
    .map(([code, score]) => ({ code: spokenLanguage(code) ?? code, score }))
    .filter(({ code }) => candidates.length === 0 || candidates.includes(code))
    .sort((one, other) => other.score - one.score)
  const [best, second] = scores
  // Among all languages the detector's own confidence counts; among a few it is enough that one
  // leads.
  if (candidates.length === 0) return found.isReliable() ? best?.code : undefined
  return best && best.score > (second?.score ?? 0) ? best.code : undefined
}

/** Returns whether a text is in the given language; undefined when that cannot be decided.
 *  Languages with similar writing count as one. */
export async function isOfLanguage(text: string, language: string): Promise<boolean | undefined> {
  const claimed = spokenLanguage(language)
  const found = await textLanguage(text)
  if (claimed === undefined || found === undefined) return undefined
  return found === claimed || alike.some(group => group.includes(found) && group.includes(claimed))
}

/** Most characters of a text that are read; more characters would not change the result. */
const mostChars = 2000

const alike = [
  ['hr', 'sr', 'bs', 'sl'],
  ['no', 'nn', 'da', 'sv'],
  ['id', 'ms', 'jv', 'su'],
  ['es', 'gl', 'ca', 'pt', 'oc'],
  ['cs', 'sk'],
  ['ru', 'uk', 'be', 'bg', 'mk', 'sr'],
  ['hi', 'mr', 'ne', 'sa'],
  ['ar', 'fa', 'ur', 'ps', 'sd'],
]
