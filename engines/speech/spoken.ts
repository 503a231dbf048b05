/** The samples of a request as they are made: a text chunk by chunk, or cues each at its time. */
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import type { Speaker } from './choose-voice.ts'
import type { SpeechHost } from './host.ts'
import type { Chunk } from './language/index.ts'
import { spokenLanguages } from './language/plan.ts'
import { levels } from './levels.ts'
import { lapOf, makers, rateOf } from './makers.ts'
import type { SpeakJob } from './messages.ts'
import { plainChunks } from './plain-chunks.ts'
import { createJoiner } from './sound/join.ts'
import { resampled } from './sound/resample.ts'

export interface Work {
  host: SpeechHost
  speaker: Speaker
  request: SpeechRequest
  signal: AbortSignal
  /** Counts the code points of the texts that make a sound. */
  said: { characters: number }
}

type Cue = NonNullable<SpeechRequest['cues']>[number]

/** Sounds that are made before they are wanted. */
const ahead = 2
/** What has no end of a sentence, and goes on in the next text. */
const isOpenEnd = /[\p{L}\p{N}]\s*$/u

/** A text that is spoken by its own speaker behind some silence. */
export interface Passage {
  text: string
  pauseMs: number
  speaker: Speaker
}

/** One behind the other, each in its voice, all at the rate of the work. */
export async function* passagesSpoken(
  work: Omit<Work, 'speaker'> & { rate: number },
  passages: readonly Passage[],
): AsyncGenerator<Float32Array> {
  const { request, rate } = work
  for (const { text, pauseMs, speaker } of passages) {
    yield* silent(pauseMs / 1000, rate)
    for await (const part of textSpoken({ ...work, speaker, request: { ...request, text } }))
      yield resampled(part, rateOf(speaker.voice.maker), rate)
  }
}

/** The text with its pauses; silent at neither end. */
export async function* textSpoken(work: Work): AsyncGenerator<Float32Array> {
  const { request, speaker, said } = work
  const text = request.nextText !== undefined && isOpenEnd.test(request.text) ? `${request.text.trimEnd()},` : request.text
  let pauseMs = 0
  let index = 0
  const jobs = (async function* () {
    for await (const chunk of chunksOf(work, text, makers[speaker.voice.maker].firstChars)) {
      const isFirst = index === 0
      index += 1
      const lap = chunk.after === undefined ? 0 : lapOf(speaker.voice.maker, request.speed)
      yield { pauseMs: chunk.pauseMs, lap, made: speakParts(work, { parts: [chunk], index, isUrgent: isFirst }) }
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
  if (isSaid) said.characters += [...request.text].length
}

/** Each cue at its time, or right behind the one before it when that takes longer; what is too long is spoken up to twice as fast. Lasts to the end of the last cue at least. */
export async function* cuesSpoken(work: Work, cues: readonly Cue[]): AsyncGenerator<Float32Array> {
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

async function speakCue(work: Work, { text, startMs, endMs }: Cue, index: number): Promise<Float32Array> {
  const parts: Chunk[] = []
  for await (const chunk of chunksOf(work, text)) parts.push(chunk)
  if (parts.length === 0) return new Float32Array()
  work.said.characters += [...text].length
  return speakParts(work, { parts, index, isUrgent: index === 0, mostSeconds: (endMs - startMs) / 1000 })
}

function chunksOf({ host, speaker, request, signal }: Work, text: string, firstChars?: number): AsyncIterable<Chunk> | Iterable<Chunk> {
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
    signal,
  )
}

interface Parts extends Pick<SpeakJob, 'parts' | 'mostSeconds'> {
  /** Of the sound in the request. */
  index: number
  isUrgent: boolean
}

function speakParts({ host, speaker, request, signal }: Work, { parts, index, isUrgent, mostSeconds }: Parts): Promise<Float32Array> {
  const { voice } = speaker
  const { speed, volume, seed = 0, style = {} } = request
  const { stability = 0.5, similarity = 1, exaggeration = 0, boost = false } = style
  return host.speak(
    {
      ...{ maker: voice.maker, voice: voice.name, parts, speed },
      gain: volume === 'normalized' ? 0 : volume + (levels[voice.id] ?? 0),
      isNormalized: volume === 'normalized',
      isBoosted: boost,
      liveliness: Math.min(1, 1 - stability + exaggeration / 2),
      likeness: similarity,
      seed: (Math.imul(seed, 0x9e3779b1) + index) | 0,
      ...(mostSeconds === undefined ? {} : { mostSeconds }),
    },
    { signal, isUrgent },
  )
}

/** A second at a time: hours of silence are no memory. */
function* silent(seconds: number, rate: number): Generator<Float32Array> {
  for (let left = Math.round(seconds * rate); left > 0; left -= rate) yield new Float32Array(Math.min(left, rate))
}

function silence(seconds: number, { voice }: Speaker): Float32Array {
  return new Float32Array(Math.round(seconds * rateOf(voice.maker)))
}

/** The jobs in their order, `ahead` of them under way before they are asked for. */
async function* fetchedAhead<Job extends { made: Promise<unknown> }>(jobs: AsyncGenerator<Job>): AsyncGenerator<Job> {
  const begun: Promise<IteratorResult<Job, void>>[] = []
  const begin = () => {
    const next = jobs.next().then(result => {
      // It is awaited by the reader; until then its failure has one here.
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
