/** Converts Chinese text to the script of its region, because Whisper mixes simplified and
 *  traditional characters. */
import { loadOnce } from '@generation-gateway/kit/load-once.ts'
import type { SpokenSegment, SpokenWord } from '../transcript/words.ts'

type Convert = (text: string) => string

/** Returns the script for a BCP 47 tag of Chinese: traditional for `Hant`, Taiwan, Hong Kong and
 *  Macau, else simplified. Undefined for every other language, and for Cantonese (`yue`) when
 *  its tag has neither a script nor one of these regions or China. */
export function chineseScriptOf(language: string): 'simplified' | 'traditional' | undefined {
  const [primary = '', ...parts] = language.toLowerCase().split(/[-_]/)
  if (primary !== 'zh' && primary !== 'yue') return undefined
  if (parts.includes('hans')) return 'simplified'
  if (parts.some(part => ['hant', 'tw', 'hk', 'mo'].includes(part))) return 'traditional'
  return primary === 'zh' || parts.includes('cn') ? 'simplified' : undefined
}

/** Returns the segments in the script that belongs to a BCP 47 language tag; unchanged for a
 *  language without a choice of scripts. */
export async function inScriptOf(segments: SpokenSegment[], language: string): Promise<SpokenSegment[]> {
  const script = chineseScriptOf(language)
  if (!script) return segments
  const convert = await converterTo(script)
  return segments.map(segment => ({ ...segment, words: converted(segment.words, convert) }))
}

/** Converts the whole text at once, because the right form of a character can depend on its word,
 *  and divides the result into the original words. If the conversion changed the number of
 *  characters, the result cannot be divided into the original words, so each word is converted
 *  alone. */
function converted(words: readonly SpokenWord[], convert: Convert): SpokenWord[] {
  const whole = [...convert(words.map(({ text }) => text).join(''))]
  const counts = words.map(({ text }) => [...text].length)
  const isEven = whole.length === counts.reduce((sum, count) => sum + count, 0)
  let at = 0
  return words.map((word, index) => {
    const from = at
    at += counts[index] ?? 0
    const text = isEven ? whole.slice(from, at).join('') : convert(word.text)
    return { ...word, text, tokens: word.tokens.map(token => tokenAs(token, convert)) }
  })
}

/** Converts the text of a token; a token that holds only part of a character stays unchanged. */
function tokenAs(token: SpokenWord['tokens'][number], convert: Convert): SpokenWord['tokens'][number] {
  const text = convert(token.token)
  return text === token.token || text.includes('\uFFFD') ? token : { ...token, token: text, bytes: [...Buffer.from(text)] }
}

const converters = new Map<string, Promise<Convert>>()

/** Returns the converter; its tables are read on first use. */
function converterTo(script: 'simplified' | 'traditional'): Promise<Convert> {
  return loadOnce(converters, script, () => openConverter(script))
}

async function openConverter(script: 'simplified' | 'traditional'): Promise<Convert> {
  if (script === 'simplified') return (await import('opencc-js/t2cn')).Converter({ from: 't', to: 'cn' })
  return (await import('opencc-js/cn2t')).Converter({ from: 'cn', to: 't' })
}
