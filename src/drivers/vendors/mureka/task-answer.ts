/** Reads what the vendor reports about a task (docs/vendors/mureka.md#answers, #states). */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Failed, Running } from '@generation-gateway/kit/requests/job.ts'
import type { MusicResult } from '@generation-gateway/kit/requests/music.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { idOf, secondsOf } from '../../shared/upstream/read-json.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import { owner } from './settings.ts'

type Lines = MusicResult['pieces'][number]['lines']

/** A finished piece. */
export interface ReadyPiece {
  url: string
  flacUrl: string | undefined
  /** The length that the vendor reports; undefined when it reports none. */
  seconds: number | undefined
  lines: Lines
}

/** Links to the sound of pieces that are still being produced, by index of the piece. */
export type StreamLinks = ReadonlyMap<number, string>

export type MusicState = (Running & { streams: StreamLinks }) | Failed | { state: 'ready'; pieces: ReadyPiece[] }

const maxReasonLength = 200
const moderated = /sensitiv|moderat|violat|prohibit|forbidden|illegal|inappropriate|copyright/i

/** Returns the state of a task, from the vendor's answer. Removes the `secrets` from the vendor's
 *  texts. Throws `upstream_error` for an invalid answer. */
export function musicStateIn(answer: Json, secrets: readonly string[]): MusicState {
  const task = objectOf(answer)
  switch (task.status) {
    case 'preparing':
    case 'queued':
    case 'running':
    case 'streaming':
    case 'reviewing':
      return runningOf(task)
    case 'succeeded':
      return readyOf(task)
    case 'failed':
      return failureOf(task, secrets)
    // The vendor really spells the state like this.
    case 'timeouted':
    case 'timeout':
      return failed('upstream_timeout', `${owner} did not finish the task in its time.`)
    case 'cancelled':
      return failed('upstream_error', `The task was cancelled at ${owner}.`)
    default:
      throw new GatewayError('upstream_error', `${owner} answered with a state that is not known.`)
  }
}

/** Returns the id of the task that was created. Answers of newer models call it `taskId`; in some
 *  answers it is a number. */
export function taskIdIn({ id, taskId }: JsonObject): string | undefined {
  return idOf(textOf(id) ?? textOf(taskId) ?? (Number.isSafeInteger(id) ? String(id) : undefined))
}

function runningOf(task: JsonObject): MusicState {
  const streams = new Map<number, string>()
  for (const [at, choice] of objectsOf(task.choices).entries()) {
    const url = textOf(choice.stream_url)
    if (url !== undefined) streams.set(indexOf(choice, at), url)
  }
  // Some answers contain one link for the whole task, which plays the first piece.
  const first = textOf(task.stream_url)
  if (first !== undefined && !streams.has(0)) streams.set(0, first)
  return { state: 'running', streams, ...(streams.size > 0 ? { hasEvents: true } : {}) }
}

function indexOf({ index }: JsonObject, at: number): number {
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : at
}

function readyOf({ choices }: JsonObject): MusicState {
  const pieces = objectsOf(choices)
    .map((choice, at) => ({ choice, index: indexOf(choice, at) }))
    .sort((a, b) => a.index - b.index)
    .flatMap(({ choice }): ReadyPiece[] => {
      const url = textOf(choice.url)
      const seconds = secondsIn(choice.duration)
      return url === undefined ? [] : [{ url, flacUrl: textOf(choice.flac_url), seconds, lines: linesOf(choice) }]
    })
  if (pieces.length > 0) return { state: 'ready', pieces }
  return failedAfterPay('upstream_error', `${owner} calls the task succeeded and gives no piece.`)
}

function linesOf({ lyrics_sections }: JsonObject): Lines {
  return objectsOf(lyrics_sections).flatMap(({ lines }) =>
    objectsOf(lines).flatMap(({ text, start, end }) => {
      const [said, startSeconds, endSeconds] = [textOf(text), secondsIn(start), secondsIn(end)]
      return said === undefined || startSeconds === undefined || endSeconds === undefined ? [] : [{ text: said, startSeconds, endSeconds }]
    }),
  )
}

/** Converts the vendor's milliseconds to seconds; undefined when they are not a plausible
 *  number. */
function secondsIn(ms: Json | undefined): number | undefined {
  return typeof ms === 'number' ? secondsOf(ms / 1000) : undefined
}

function failureOf({ failed_reason }: JsonObject, secrets: readonly string[]): Failed {
  const reason = withoutSecrets(textOf(failed_reason) ?? '', secrets).slice(0, maxReasonLength)
  if (moderated.test(reason)) return failed('content_moderated', `${owner} refused the music.`, [reason])
  return failed('upstream_error', `${owner} failed on the task${reason === '' ? '' : ` (${reason})`}.`)
}
