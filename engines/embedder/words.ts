/** Splits a text into words as BERT does: in lower case and without accents. Every punctuation mark
 *  and every Chinese character is a word of its own. */
import { normalForm } from '@generation-gateway/kit/normal-form.ts'

/** Matches Unicode's White_Space. JavaScript's \s would also match U+FEFF. */
const spaces = /\p{White_Space}+/u
/** Characters that are removed: control, format and private-use characters, single halves of
 *  surrogate pairs, and U+FFFD, which replaces unreadable characters. */
const removed = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu
const accents = /\p{Mn}/gu
/** The blocks of Chinese characters that BERT lists. */
const chinese =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu
const punctuation = /[!-/:-@[-`{-~\p{P}]/gu
const isPlain = /^[\x20-\x7e\t\n\r]*$/

export function wordsOf(text: string): string[] {
  const clean = isPlain.test(text) ? text.toLowerCase() : normal(text)
  return clean
    .replace(punctuation, ' $& ')
    .split(spaces)
    .filter(word => word !== '')
}

function normal(text: string): string {
  const separated = text
    // Tabs and line ends are also control characters, but they separate words.
    .replace(removed, character => ('\t\n\r'.includes(character) ? ' ' : ''))
    .replace(chinese, ' $& ')
    // Marks other than accents stay, but `normalForm` shortens a long run of them. A word with such
    // a run is a single unknown token with or without the shortening.
    .replace(accents, '')
  return lower(normalForm(separated, 'NFD').replace(accents, ''))
}

/** Converts each character to lower case by itself. In a whole text, JavaScript would convert a
 *  sigma at the end of a word to another character than elsewhere. */
function lower(text: string): string {
  return text.includes('Σ')
    ? text
        .split('Σ')
        .map(part => part.toLowerCase())
        .join('σ')
    : text.toLowerCase()
}
