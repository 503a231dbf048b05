import { normalForm } from '@generation-gateway/kit/normal-form.ts'
import { withoutEnd } from './trim.ts'

/** A word, a character, a quote or a punctuation mark of the prompt, before its meaning is looked
 *  up. */
export interface RawToken {
  kind: 'latin' | 'chinese' | 'punctuation' | 'quote'
  /** Text as written; for a quote, its contents. */
  text: string
  /** Lower case, without accents; a typographic apostrophe is replaced by a straight one, and
   *  punctuation at the end of the word is cut off. */
  key: string
  /** True when a hyphen joins the token to the word before. */
  isJoined: boolean
  /** True when no space or line break is before the token. */
  isTight: boolean
}

const pattern =
  /(?<quote>"[^"\n]{1,200}"|“[^”\n]{1,200}”|‘(?:[^’\n]|(?<=\p{L})’(?=\p{L})){1,200}’|「[^」\n]{1,200}」|『[^』\n]{1,200}』|《[^》\n]{1,200}》|(?<![\p{L}\p{N}])'(?:[^'\n]|(?<=\p{L})'(?=\p{L})){1,200}'(?![\p{L}\p{N}]))|(?<hex>#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b)|(?<latin>[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}][\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{M}'’/.&]*)|(?<chinese>[\p{Script=Han}〇])|(?<other>[^\s])/gu

/** Splits a prompt into Latin words, single Chinese characters, quotes and punctuation marks. A
 *  hyphenated word is split; its further parts are marked as joined. */
export function rawTokens(prompt: string): RawToken[] {
  const tokens: RawToken[] = []
  let end = -1
  for (const found of prompt.matchAll(pattern)) {
    const { quote, hex, latin, chinese } = found.groups ?? {}
    const isTight = found.index === end
    end = found.index + found[0].length
    if (quote !== undefined) tokens.push({ kind: 'quote', text: quote.slice(1, -1), key: '', isJoined: false, isTight })
    if (hex !== undefined) tokens.push({ kind: 'latin', text: hex, key: hex.toLowerCase(), isJoined: false, isTight })
    if (chinese !== undefined) tokens.push({ kind: 'chinese', text: chinese, key: chinese, isJoined: false, isTight })
    if (latin !== undefined) pushLatin(tokens, latin, isTight)
    if (quote === undefined && hex === undefined && latin === undefined && chinese === undefined) pushOther(tokens, found[0], isTight)
  }
  return tokens
}

function pushLatin(tokens: RawToken[], text: string, isTight: boolean): void {
  const trimmed = withoutEnd(text, /['’/.&]/)
  const last = tokens.at(-1)
  const isJoined = isTight && last?.kind === 'punctuation' && /^[-‐‑]$/.test(last.text) && tokens.at(-2)?.kind === 'latin' && last.isTight
  if (isJoined) tokens.pop()
  // Tags for image models such as "1girl" and "2boys" are split.
  const counted = /^(\d{1,2})(girls?|boys?|women|woman|men|man|people|person|cats?|dogs?|others?)$/i.exec(trimmed)
  const parts = counted ? [counted[1] ?? '', counted[2] ?? ''] : [trimmed]
  parts.forEach((part, index) => {
    tokens.push({ kind: 'latin', text: part, key: latinKey(part), isJoined, isTight: isTight && index === 0 })
  })
  if (trimmed.length < text.length && /\.$/.test(text))
    tokens.push({ kind: 'punctuation', text: '.', key: '.', isJoined: false, isTight: true })
}

function pushOther(tokens: RawToken[], text: string, isTight: boolean): void {
  tokens.push({ kind: 'punctuation', text, key: text, isJoined: false, isTight })
}

function latinKey(text: string): string {
  return normalForm(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/’/g, "'")
}
