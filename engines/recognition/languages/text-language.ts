import { spokenLanguage } from '@generation-gateway/kit/languages.ts'

/** Language of a text (BCP 47 primary language), by its letters alone; of `among`, where that is
 *  given and has languages that it can tell apart. Undefined where it can't be told: too short,
 *  or a mix. */
export async function textLanguage(text: string, among: readonly string[] = []): Promise<string | undefined> {
  const { eld } = await import('eld/small')
  const found = eld.detect(text.slice(0, mostChars))
  const candidates = among.map(each => spokenLanguage(each))
  const scores = Object.entries(found.getScores())
    .map(([code, score]) => ({ code: spokenLanguage(code) ?? code, score }))
    .filter(({ code }) => candidates.length === 0 || candidates.includes(code))
    .sort((one, other) => other.score - one.score)
  const [best, second] = scores
  // Among all languages its own judgement counts; among a few it is enough that one is ahead.
  if (candidates.length === 0) return found.isReliable() ? best?.code : undefined
  return best && best.score > (second?.score ?? 0) ? best.code : undefined
}

/** Whether a text is of the language that it is said to be; undefined where that can't be told.
 *  Languages that look alike in writing count as one. */
export async function isOfLanguage(text: string, language: string): Promise<boolean | undefined> {
  const claimed = spokenLanguage(language)
  const found = await textLanguage(text)
  if (claimed === undefined || found === undefined) return undefined
  return found === claimed || alike.some(group => group.includes(found) && group.includes(claimed))
}

/** More tells nothing new. */
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
