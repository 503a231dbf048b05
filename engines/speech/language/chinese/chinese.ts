/** Converts Chinese text to sentences of words with their phonemes. The words are first converted
 *  to pinyin. Words in Latin letters are pronounced as English. */
import { pinyin } from 'pinyin-pro'
import type { Unit } from '../cut.ts'
import type { SpokenText } from '../plan.ts'
import { withPronunciations } from '../pronunciations.ts'
import { type Sentence, sentencesOf } from '../sentences.ts'
import { normaliseChinese } from './normalise.ts'
import { ipaOfPinyin } from './pinyin-ipa.ts'

const segments = new Intl.Segmenter('zh', { granularity: 'word' })
const parts =
  /(?<han>[\p{Script=Han}〇]+)|(?<mark>[，、。．！？：；…—“”（）《》「」『』【】,.!?;:()"]+)|(?<other>[^\p{Script=Han}〇，、。．！？：；…—“”（）《》「」『』【】]+?(?=$|[\p{Script=Han}〇，、。．！？：；…—“”（）《》「」『』【】]|[,.!?;:](?:\s|$)))/gu
const numeral = /^[零一二三四五六七八九十百千万亿两点分之]{2,}$/
const marks: Record<string, string> = {
  '，': ',',
  '、': ',',
  '。': '.',
  '．': '.',
  '！': '!',
  '？': '?',
  '：': ':',
  '；': ';',
  '（': '(',
  '）': ')',
}

/** Yields the sentences of a text. `readEnglish` converts the parts that are not Chinese. */
export async function* chineseSentences(
  { text, pronunciations = [] }: SpokenText,
  readEnglish: (text: string, given: readonly string[]) => Promise<Unit[]>,
): AsyncGenerator<{ units: Unit[]; end: Sentence['end'] }> {
  const marked = withPronunciations(text, pronunciations)
  for (const { text: sentence, end } of sentencesOf(marked.text)) {
    const units: Unit[] = []
    for (const { 0: part, groups } of normaliseChinese(sentence).matchAll(parts)) {
      if (groups?.han !== undefined) units.push(...wordsOf(part))
      else if (groups?.mark !== undefined) units.push(markOf(part))
      else if (/\S/.test(part))
        units.push(
          ...(await readEnglish(part, marked.given)).map((unit, index) =>
            index === 0 && !unit.isMark ? { ...unit, isApart: true } : unit,
          ),
        )
    }
    yield { units, end }
  }
}

/** Returns the words of a run of Chinese characters. The pinyin is determined for the whole run,
 *  because readings depend on the context. */
function wordsOf(run: string): Unit[] {
  const syllables = pinyin(run, { toneType: 'num', type: 'array', v: true })
  let at = 0
  return run
    .split(/((?:[零一二三四五六七八九十百千万亿两点]|分之){2,})/)
    .flatMap(part => (numeral.test(part) ? [part] : [...segments.segment(part)].map(({ segment }) => segment)))
    .map(segment => {
      const length = [...segment].length
      const phonemes = syllables.slice(at, at + length).map(syllable => ipaOfPinyin(syllable) ?? '')
      at += length
      return { text: segment, phonemes: phonemes.join(''), isApart: false, isMark: false }
    })
    .filter(unit => unit.phonemes !== '')
    .map(unit => ({ ...unit, isApart: true }))
}

function markOf(text: string): Unit {
  const sign = text.charAt(0)
  const mark = marks[sign] ?? (/[《「『【]/.test(sign) ? '“' : /[》」』】"]/.test(sign) ? '”' : sign)
  return { text: sign, phonemes: mark, isApart: /[(“—]/.test(mark), isMark: true }
}
