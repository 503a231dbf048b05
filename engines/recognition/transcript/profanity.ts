/** Hides offensive words: this project's own short word lists, by language. */
import { spokenLanguage } from '@generation-gateway/kit/languages.ts'
import type { TranscribeRequest } from '@generation-gateway/kit/requests/transcript.ts'

/** Stems of the words by primary language. A stem with one of the usual endings matches, too. */
const stems: Readonly<Record<string, string>> = {
  en: 'fuck motherfuck shit bullshit bitch asshole bastard cunt dick dickhead cock pussy piss wank twat slut whore damn goddamn',
  es: 'mierda puta puto joder jodid coño cabron cabrón gilipoll pendej hostia chinga verga culero',
  fr: 'merde putain connard connass salop enculé encule bordel couille chier foutre bite',
  it: 'cazzo merda stronz puttana vaffancul coglion minchia troia',
  pt: 'merda porra caralho puta foda foder cacete buceta cuzão cuzao viado',
  de: 'scheiß scheiss scheiße scheisse arschloch fick fotze hure wichser verdammt',
}

const endings: Readonly<Record<string, string>> = {
  en: '(?:s|es|ed|er|ers|ing|in|y|ty|ting|ted|face)?',
  es: '(?:s|es|a|as|o|os|as|ada|ado)?',
  fr: '(?:s|e|es|ard|ards|er)?',
  it: '(?:i|e|o|a|ate|ata|one|oni)?',
  pt: '(?:s|a|as|o|os|r)?',
  de: '(?:e|en|er|es|n|t|st|end)?',
}

const patterns = new Map(
  Object.entries(stems).map(([language, list]) => {
    const words = list.split(' ').toSorted((a, b) => b.length - a.length)
    return [language, new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})${endings[language]}(?![\\p{L}\\p{N}])`, 'giu')] as const
  }),
)

/** Returns the text, which is in `language` (a BCP 47 tag), with offensive words hidden. `masked`
 *  puts a star for each letter, `tagged` puts `<profanity>` around the word, `kept` changes
 *  nothing; any other mode removes the word. */
export function withProfanity(text: string, mode: TranscribeRequest['profanity'], language: string): string {
  const pattern = patterns.get(spokenLanguage(language) ?? '')
  if (mode === 'kept' || pattern === undefined) return text
  return text
    .replace(pattern, word => {
      if (mode === 'tagged') return `<profanity>${word}</profanity>`
      return mode === 'masked' ? '*'.repeat([...word].length) : ''
    })
    .replace(/ {2,}/g, ' ')
}
