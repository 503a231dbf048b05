/** Stage directions inside a plain text of T2 (docs/vendors/narakeet.md#stage-directions): `(pause:
 *  5)` is a silence of 5 seconds, `(voice: fable)` changes the voice from there on. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { invalidField } from '@generation-gateway/kit/errors.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'

type Passage = NonNullable<SpeechRequest['passages']>[number]

/** Longest single pause, in seconds. */
const longestPause = 600
/** Largest number of directions in a text. Two hours of speech, the most that is spoken, have
 *  about 20,000 words. */
const mostDirections = 20_000
// Each part is bounded, so that a long run of opening brackets takes linear time.
const direction = /\([ \t]{0,9}(pause|voice)[ \t]{0,9}:([^()\n]{0,200})\)/gi

interface DirectedText {
  passages: Passage[]
  /** Sum of all pauses, in seconds. */
  silentSeconds: number
}

/** Returns the passages of a text; undefined when it has no directions. `voiceNamed` resolves the
 *  names of voices. Throws `invalid_request` for an invalid direction, which the message quotes,
 *  for more than 20,000 of them, and for a text that has directions but no words to speak. */
export function passagesOf(text: string, voiceNamed: (requested: string) => string): DirectedText | undefined {
  const passages: Passage[] = []
  let voice: string | undefined
  let pauseMs = 0
  let from = 0
  let silentSeconds = 0
  const add = (said: string): void => {
    if (!/[\p{L}\p{N}\p{S}]/u.test(said)) return
    passages.push({ text: said.trim(), pauseMs, ...defined({ voice }) })
    pauseMs = 0
  }
  let directions = 0
  for (const { 0: whole, 1: kind, 2: value = '', index } of text.matchAll(direction)) {
    directions += 1
    if (directions > mostDirections) throw problem(`has more than ${mostDirections} stage directions.`)
    add(text.slice(from, index))
    from = index + whole.length
    if (kind?.toLowerCase() === 'voice') voice = voiceNamed(wordIn(value, whole))
    else {
      const seconds = secondsIn(value, whole)
      silentSeconds += seconds
      pauseMs += Math.round(seconds * 1000)
    }
  }
  if (directions === 0) return undefined
  add(text.slice(from))
  if (passages.length === 0) throw problem('has stage directions and nothing to say.')
  if (pauseMs > 0) passages.push({ text: '', pauseMs })
  return { passages, silentSeconds }
}

function wordIn(value: string, whole: string): string {
  const name = value.trim()
  if (name === '') throw problem(`has ${JSON.stringify(whole)}; a name of a voice is missing.`)
  return name
}

function secondsIn(value: string, whole: string): number {
  const seconds = /^\s*[0-9]{1,4}(\.[0-9]{1,3})?\s*$/.test(value) ? Number(value) : Number.NaN
  if (seconds <= longestPause) return seconds
  throw problem(`has ${JSON.stringify(whole.slice(0, 60))}; a pause is a number of seconds from 0 to ${longestPause}.`)
}

function problem(says: string) {
  return invalidField('body', `The body ${says}`, 'directions')
}
