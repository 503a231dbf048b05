import { spokenLanguage } from '@generation-gateway/kit/languages.ts'

/** Returns the language of a text (BCP 47 primary language), detected from its letters. With
 *  `among`, only these languages are considered. Undefined when the text is too short or mixed. */
export async function textLanguage(text: string, among: readonly string[] = []): Promise<string | undefined> {
  const { eld } = await import('eld/small')
  const found = eld.detect(text.slice(0, mostChars))
  const candidates = among.map(each => spokenLanguage(each))
  const scores = Object.entries(found.getScores())
    .map(([code, score]) => ({ code: spokenLanguage(code) ?? code, score }))
    .filter(({ code }) => candidates.length === 0 || candidates.includes(code))
    .sort((one, other) => other.score - one.score)
  const [best, second] = scores
  // Without candidates the detector must be confident; among given candidates, the one with the
  // highest score is taken.
  if (candidates.length === 0) return found.isReliable() ? best?.code : undefined
  return best && best.score > (second?.score ?? 0) ? best.code : undefined
}

/** Returns whether a text is in the given language; undefined when that cannot be decided.
 *  Languages with similar spelling count as the same. */
export async function isOfLanguage(text: string, language: string): Promise<boolean | undefined> {
  const claimed = spokenLanguage(language)
  const found = await textLanguage(text)
  if (claimed === undefined || found === undefined) return undefined
  return found === claimed || alike.some(group => group.includes(found) && group.includes(claimed))
}

/** Largest number of characters of a text that are read; more characters would not change the
 *  result. */
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
