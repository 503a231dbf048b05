/** Replaces emoji by their names; skin tones are not spoken. Equal emoji in a row become one name
 *  with a count. */
import { emojiNames } from './emoji-names.ts'
import { cardinal } from './numbers.ts'

const countries = new Intl.DisplayNames('en', { type: 'region' })
const one =
  '(?:[\\u{1F1E6}-\\u{1F1FF}]{2}|[0-9#*]\\uFE0F?\\u20E3|(?![0-9#*©®™←-⇿−])\\p{Extended_Pictographic}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}\\u{E0020}-\\u{E007F}]*(?:\\u200D\\p{Extended_Pictographic}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]*)*)'
const runs = new RegExp(`(${one})(?:\\s*\\1)*`, 'gu')

const faces: readonly [RegExp, string][] = [
  [/(?<=^|\s)[:=;]-?[)\]D](?=$|[\s.,!?])/g, 'smile'],
  [/(?<=^|\s):['’]?-?\((?=$|[\s.,!?])/g, 'frown'],
  [/(?<=^|\s)[:;]-?[Pp](?=$|[\s.,!?])/g, 'tongue out'],
  [/(?<=^|\s):-?[oO](?=$|[\s.,!?])/g, 'surprise'],
  [/<3(?=$|[\s.,!?])/g, 'heart'],
  [/(?<=^|\s)<\/3(?=$|[\s.,!?])/g, 'broken heart'],
]
/** Marks the start and end of an emoji's name until all emoji are replaced. The mark is a
 *  private-use character; where the text itself has this character, it is removed first. */
const edge = '\uF8FF'

/** Replaces each emoji by a clause: `I love it 😍!` becomes `I love it, heart eyes!`. */
export function readEmoji(text: string): string {
  const plain = text.replaceAll(edge, ' ')
  const named = faces
    .reduce((all, [pattern, name]) => all.replace(pattern, edge + name + edge), plain)
    .replace(runs, (run: string, emoji: string) => {
      const count = run.replace(/\s/g, '').length / emoji.length
      return `${edge}${nameOf(emoji)}${count > 1 ? ` ${cardinal(String(count))} times` : ''}${edge}`
    })
  if (!named.includes(edge)) return plain
  return named
    .replace(/(?:\s*\uF8FF)+\s*/g, edge)
    .replace(/^\uF8FF|\uF8FF$/g, '')
    .replace(/\uF8FF(?=[,.!?;:…)])/g, '')
    .replace(/([,.!?;:…(])\uF8FF/g, '$1 ')
    .replaceAll(edge, ', ')
}

function nameOf(emoji: string): string {
  const flag = /^[\u{1F1E6}-\u{1F1FF}]{2}$/u.test(emoji)
  if (flag) {
    const code = [...emoji].map(letter => String.fromCharCode(letter.codePointAt(0)! - 0x1f1e6 + 65)).join('')
    return `flag of ${countries.of(code) ?? code}`
  }
  if (/^[0-9#*]/.test(emoji)) return emoji.startsWith('#') ? 'hash' : emoji.startsWith('*') ? 'star' : cardinal(emoji.charAt(0))
  const parts = emoji.replace(/[\uFE0F\u{1F3FB}-\u{1F3FF}\u{E0020}-\u{E007F}]/gu, '').split('\u200D')
  const names = parts.map(part => emojiNames.get(part) ?? 'emoji')
  if (names.length > 1 && names.every(name => /^(?:man|woman|boy|girl|person|adult|child|baby|older man|older woman)$/.test(name)))
    return 'family'
  return names.filter(name => !/^(?:male|female)$/.test(name)).join(' ')
}
