/** Chinese in the characters of its region: Whisper writes both scripts as they come. */
import type { SpokenSegment, SpokenWord } from '../transcript/words.ts'

type Convert = (text: string) => string

/** Simplified ones where nothing else is said; undefined for other languages. Cantonese is left
 *  as it is unless its region is told. */
export function chineseScriptOf(language: string): 'simplified' | 'traditional' | undefined {
  const [primary = '', ...parts] = language.toLowerCase().split(/[-_]/)
  if (primary !== 'zh' && primary !== 'yue') return undefined
  if (parts.includes('hans')) return 'simplified'
  if (parts.some(part => ['hant', 'tw', 'hk', 'mo'].includes(part))) return 'traditional'
  return primary === 'zh' || parts.includes('cn') ? 'simplified' : undefined
}

/** The segments in the script of a language (BCP 47); the same ones where it has none of its
 *  own. */
export async function inScriptOf(segments: SpokenSegment[], language: string): Promise<SpokenSegment[]> {
  const script = chineseScriptOf(language)
  if (!script) return segments
  const convert = await converterTo(script)
  return segments.map(segment => ({ ...segment, words: converted(segment.words, convert) }))
}

/** Words decide about characters that have several forms: the whole is converted, and given out
 *  to its words again where no character came or went. */
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

/** Parts of characters stay what they are. */
function tokenAs(token: SpokenWord['tokens'][number], convert: Convert): SpokenWord['tokens'][number] {
  const text = convert(token.token)
  return text === token.token || text.includes('\uFFFD') ? token : { ...token, token: text, bytes: [...Buffer.from(text)] }
}

const converters = new Map<string, Promise<Convert>>()

/** The tables are read when they are first wanted. */
function converterTo(script: 'simplified' | 'traditional'): Promise<Convert> {
  const known = converters.get(script) ?? openConverter(script)
  converters.set(script, known)
  return known
}

async function openConverter(script: 'simplified' | 'traditional'): Promise<Convert> {
  if (script === 'simplified') return (await import('opencc-js/t2cn')).Converter({ from: 't', to: 'cn' })
  return (await import('opencc-js/cn2t')).Converter({ from: 'cn', to: 't' })
}
