/** Streams the samples of a request while they are made: chunk by chunk for a text, and at the time
 *  of each cue for subtitles. */
import type { FairRequest } from '@generation-gateway/kit/process/fair-queue.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import type { VoiceChoice } from './choose-voice.ts'
import type { SpeechHost } from './host.ts'
import type { Chunk } from './language/index.ts'
import { spokenLanguages } from './language/plan.ts'
import { levels } from './levels.ts'
import { lapOf, makers, rateOf } from './makers.ts'
import { plainChunks } from './plain-chunks.ts'
import { createJoiner } from './sound/join.ts'
import { resampled } from './sound/resample.ts'

interface SpeechWork {
  /** The account that owns the request. */
  account: string | undefined
  host: SpeechHost
  speaker: VoiceChoice
  request: SpeechRequest
  signal: AbortSignal
  /** Number of code points of the texts that produced sound so far; the usage is reported from
   *  it. */
  said: { characters: number }
}

type Cue = NonNullable<SpeechRequest['cues']>[number]

/** Number of sounds that are started before the reader requests them. */
const ahead = 2
/** Matches a text that ends in the middle of a sentence. Such a sentence continues in the request's
 *  `nextText`. */
const isOpenEnd = /[\p{L}\p{N}]\s*$/u

/** A text with its own voice, spoken after a silence. */
interface Passage {
  text: string
  pauseMs: number
  speaker: VoiceChoice
}

/** Yields the sound of the passages one after the other, each in its voice, all at the same sample
 *  rate. */
export async function* speakPassages(
  work: Omit<SpeechWork, 'speaker'> & { rate: number },
  passages: readonly Passage[],
): AsyncGenerator<Float32Array> {
  const { request, rate } = work
  const begun = new Set<AsyncGenerator<Float32Array>>()
  const jobs = (async function* () {
    for (const { text, pauseMs, speaker } of passages) {
      const parts = speakText({ ...work, speaker, request: { ...request, text } })
      begun.add(parts)
      yield { pauseMs, parts, from: rateOf(speaker.voice.maker), made: parts.next() }
    }
  })()
  try {
    for await (const { pauseMs, parts, from, made } of fetchedAhead(jobs)) {
      yield* silent(pauseMs / 1000, rate)
      for (let next = await made; !next.done; next = await parts.next()) yield resampled(next.value, from, rate)
      begun.delete(parts)
    }
  } finally {
    await Promise.allSettled([...begun].map(parts => parts.return(undefined)))
  }
}

/** Yields the sound of a text with its pauses, without silence at either end. */
export function speakText(work: SpeechWork): AsyncGenerator<Float32Array> {
  const { request, speaker } = work
  const text = request.nextText !== undefined && isOpenEnd.test(request.text) ? `${request.text.trimEnd()},` : request.text
  const { firstChars } = makers[speaker.voice.maker]
  return partsSpoken(work, { text, counted: request.text, firstIndex: 1, isUrgent: true, firstChars })
}

interface Text {
  text: string
  /** The text whose characters are charged once it has produced sound. */
  counted: string
  /** Number of the text's first part; the random numbers for a part depend on the part's number. */
  firstIndex: number
  /** True when the listener is waiting for the first part of the text. */
  isUrgent: boolean
  firstChars?: number
}

/** Yields the parts of a text, each made by a separate job, and the pauses between them. */
async function* partsSpoken(work: SpeechWork, { text, counted, firstIndex, isUrgent, firstChars }: Text): AsyncGenerator<Float32Array> {
  const { request, speaker, said } = work
  let pauseMs = 0
  const jobs = (async function* () {
    let index = firstIndex
    for await (const part of chunksOf(work, text, firstChars)) {
      const lap = part.after === undefined ? 0 : lapOf(speaker.voice.maker, request.speed)
      yield { pauseMs: part.pauseMs, lap, made: speakPart(work, { part, index, isUrgent: isUrgent && index === firstIndex }) }
      index += 1
    }
  })()
  const joiner = createJoiner()
  let isSaid = false
  for await (const { pauseMs: after, lap, made } of fetchedAhead(jobs)) {
    if (pauseMs > 0) yield silence(pauseMs / request.speed / 1000, speaker)
    const sound = await made
    isSaid ||= sound.length > 0
    yield joiner.add(sound, lap)
    pauseMs = after
  }
  const last = joiner.end()
  if (last.length > 0) yield last
  if (isSaid) said.characters += [...counted].length
}

/** Yields the sound of cues. Each cue begins at its start time, or, if the previous cue is still
 *  sounding then, right after the previous cue. A cue that is too long for its time is sped up, at
 *  most to twice the pace. At the end, silence is added until the end time of the last cue. */
export async function* speakCues(work: SpeechWork, cues: readonly Cue[]): AsyncGenerator<Float32Array> {
  const rate = rateOf(work.speaker.voice.maker)
  const sorted = cues.toSorted((a, b) => a.startMs - b.startMs)
  const jobs = (async function* () {
    for (const [index, cue] of sorted.entries()) yield { cue, made: speakCue(work, cue, index) }
  })()
  let at = 0
  const until = function* (ms: number) {
    for (const part of silent(ms / 1000 - at / rate, rate)) {
      at += part.length
      yield part
    }
  }
  for await (const { cue, made } of fetchedAhead(jobs)) {
    const samples = await made
    yield* until(cue.startMs)
    at += samples.length
    yield samples
  }
  yield* until(sorted.reduce((latest, { endMs }) => Math.max(latest, endMs), 0))
}

async function speakCue(work: SpeechWork, { text, startMs, endMs }: Cue, index: number): Promise<Float32Array> {
  const parts: Float32Array[] = []
  for await (const part of partsSpoken(work, { text, counted: text, firstIndex: index, isUrgent: index === 0 })) parts.push(part)
  const samples = joined(parts)
  const rate = rateOf(work.speaker.voice.maker)
  const factor = samples.length / rate / Math.max((endMs - startMs) / 1000, 0.001)
  return factor <= 1 ? samples : work.host.hasten({ samples, rate, factor: Math.min(2, factor) }, turnOf(work))
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Estimated run time in ms per character with the slowest voice. */
const workMsOfChar = 60

/** Returns the queue entry for a part. An account's requests are sorted by their total length, the
 *  shortest first. A part for which a listener is waiting comes first. */
function turnOf({ account, request: { text, cues = [], passages = [] }, signal }: SpeechWork, isUrgent = false): FairRequest {
  const chars = [...cues, ...passages].reduce((sum, each) => sum + each.text.length, text.length)
  return { account, workMs: isUrgent ? 0 : chars * workMsOfChar, signal }
}

function chunksOf(work: SpeechWork, text: string, firstChars?: number): AsyncIterable<Chunk> | Iterable<Chunk> {
  const { host, request, speaker } = work
  const { voice, language } = speaker
  const read = spokenLanguages.find(known => known === language)
  if (voice.maker === 'Flite' || read === undefined) return plainChunks(text)
  const { pronunciations } = request
  const { mostChars, isInParts } = makers[voice.maker]
  return host.read(
    {
      ...{ text, language: read, accent: voice.language === 'en-GB' ? 'gb' : 'us' },
      ...(firstChars === undefined ? {} : { firstChars }),
      ...(mostChars === undefined ? {} : { mostChars }),
      ...(isInParts ? { isInParts } : {}),
      ...(pronunciations ? { pronunciations } : {}),
    },
    turnOf(work),
  )
}

interface Part {
  part: Chunk
  /** Number of the part; the random numbers for the part depend on it. */
  index: number
  isUrgent: boolean
}

function speakPart(work: SpeechWork, { part, index, isUrgent }: Part): Promise<Float32Array> {
  const { host, speaker, request } = work
  const { voice } = speaker
  const { speed, volume, seed = 0, style = {} } = request
  const { stability = 0.5, similarity = 1, exaggeration = 0, boost = false } = style
  return host.speak(
    {
      ...{ maker: voice.maker, voice: voice.name, part, speed },
      gain: volume === 'normalized' ? 0 : volume + (levels[voice.id] ?? 0),
      isNormalized: volume === 'normalized',
      isBoosted: boost,
      liveliness: Math.min(1, 1 - stability + exaggeration / 2),
      likeness: similarity,
      seed: (Math.imul(seed, 0x9e3779b1) + index) | 0,
    },
    turnOf(work, isUrgent),
  )
}

/** Yields silence in pieces of a second, so that hours of silence need no memory. */
function* silent(seconds: number, rate: number): Generator<Float32Array> {
  for (let left = Math.round(seconds * rate); left > 0; left -= rate) yield new Float32Array(Math.min(left, rate))
}

function silence(seconds: number, { voice }: VoiceChoice): Float32Array {
  return new Float32Array(Math.round(seconds * rateOf(voice.maker)))
}

/** Yields the jobs in order; up to `ahead` jobs are started before the reader requests them. */
async function* fetchedAhead<Job extends { made: Promise<unknown> }>(jobs: AsyncGenerator<Job>): AsyncGenerator<Job> {
  const begun: Promise<IteratorResult<Job, void>>[] = []
  const begin = () => {
    const next = jobs.next().then(result => {
      // Prevents an unhandled rejection if the job fails before the reader awaits it.
      if (!result.done) result.value.made.catch(() => undefined)
      return result
    })
    next.catch(() => undefined)
    begun.push(next)
  }
  try {
    begin()
    for (;;) {
      const next = await begun.shift()
      if (!next || next.done) return
      while (begun.length < ahead) begin()
      yield next.value
    }
  } finally {
    await jobs.return(undefined)
  }
}
