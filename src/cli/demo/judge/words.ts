import { parsedJson } from '@generation-gateway/kit/json.ts'
import type { OutputJudge } from '../demo.ts'

/** Returns a check of the result's text: it matches each of these patterns. */
export function says(...patterns: readonly RegExp[]): OutputJudge {
  return async ({ text = '' }) => {
    const missing = patterns.find(pattern => !pattern.test(text))
    return missing === undefined ? undefined : `The text has nothing like ${missing}: ${short(text)}`
  }
}

/** Returns a check of a transcript: it contains at least `share` (0 to 1) of these words, without
 *  regard to case and line breaks. */
export function hasWords(words: readonly string[], share = 0.8): OutputJudge {
  return async ({ text = '' }) => {
    const found = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    const missing = words.filter(word => !found.has(word.toLowerCase()))
    return missing.length > words.length * (1 - share) ? `The transcript lacks ${missing.join(', ')}: ${short(text)}` : undefined
  }
}

const timing = /^(\d\d):(\d\d):(\d\d),(\d{3}) --> (\d\d):(\d\d):(\d\d),(\d{3})$/

/** Returns a check of SRT subtitles: the cues are numbered, do not overlap, and end by `seconds` at
 *  the latest. */
export function isSrt(seconds: number): OutputJudge {
  return async ({ text = '' }) => {
    const cues = text.trim().split(/\n\s*\n/)
    let last = 0
    for (const [index, cue] of cues.entries()) {
      const [number, times = '', ...lines] = cue.split('\n')
      const parts = timing.exec(times)?.slice(1).map(Number)
      if (number !== String(index + 1) || !parts || lines.length === 0) return `Cue ${index + 1} is no cue of an SRT file: ${short(cue)}`
      const [from, to] = [inSeconds(parts.slice(0, 4)), inSeconds(parts.slice(4))]
      if (from < last || to <= from || to > seconds) return `Cue ${index + 1} has impossible times: ${times}`
      last = to
    }
    return undefined
  }
}

function inSeconds([hours = 0, minutes = 0, seconds = 0, milliseconds = 0]: readonly number[]): number {
  return hours * 3600 + minutes * 60 + seconds + milliseconds / 1000
}

/** Returns a check of JSON: the text is an object with exactly these members. */
export function isObject(expected: Readonly<Record<string, unknown>>): OutputJudge {
  return async ({ text = '' }) => {
    const value = parsedJson(text)
    if (value === undefined) return `The answer is no JSON: ${short(text)}`
    const names = Object.keys(Object(value))
    const wrong = Object.entries(expected).find(([name, each]) => Object(value)[name] !== each)
    if (wrong) return `${wrong[0]} is ${JSON.stringify(Object(value)[wrong[0]])}; ${JSON.stringify(wrong[1])} was expected.`
    return names.length === Object.keys(expected).length ? undefined : `The answer has other members: ${names.join(', ')}.`
  }
}

function short(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
