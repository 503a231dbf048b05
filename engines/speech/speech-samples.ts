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
  const spoken = ({ text, speaker }: Passage) => speakText({ ...work, speaker, request: { ...request, text } })
  for await (const { item, sound } of soundsAhead(passages, spoken)) {
    yield* silent(item.pauseMs / 1000, rate)
    for await (const part of sound) yield resampled(part, rateOf(item.speaker.voice.maker), rate)
  }
}

/** Yields the sound of a text with its pauses, without silence at either end. */
export function speakText(work: SpeechWork): AsyncGenerator<Float32Array> {
  const { request, speaker } = work
  const text = request.nextText !== undefined && isOpenEnd.test(request.text) ? `${request.text.trimEnd()},` : request.text
  const chunks = chunksOf(work, text, makers[speaker.voice.maker].firstChars)
  return joined(work, spokenParts(work, { chunks, counted: request.text, firstIndex: 1, isUrgent: true }))
}

interface Text {
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>
  /** The text whose characters are charged once it has produced sound. */
  counted: string
  /** Number of the text's first part; the random numbers for a part depend on the part's number. */
  firstIndex: number
  /** True when the listener is waiting for the first part of the text. */
  isUrgent: boolean
}

/** The sound of a part of a text. */
interface SoundPart {
  /** Seconds of silence before the part. */
  pause: number
  samples: Float32Array
  /** Number of samples at its end that overlap the next part. */
  lap: number
  /** Length of the spoken words in characters. */
  chars: number
}

/** Yields the parts of a text, each made by a separate job. */
async function* spokenParts(work: SpeechWork, { chunks, counted, firstIndex, isUrgent }: Text): AsyncGenerator<SoundPart> {
  const { request, speaker, said } = work
  const jobs = (async function* () {
    let index = firstIndex
    let pause = 0
    for await (const part of chunks) {
      const lap = part.after === undefined ? 0 : lapOf(speaker.voice.maker, request.speed)
      yield { pause, lap, chars: charsOf(part), made: speakPart(work, { part, index, isUrgent: isUrgent && index === firstIndex }) }
      index += 1
      pause = part.pauseMs / request.speed / 1000
    }
  })()
  let isSaid = false
  for await (const { made, ...part } of fetchedAhead(jobs)) {
    const samples = await made
    isSaid ||= samples.length > 0
    yield { ...part, samples }
  }
  if (isSaid) said.characters += [...counted].length
}

function charsOf({ text }: Chunk): number {
  return Math.max(1, text.length)
}

/** Yields the sound of the parts and the pauses between them. */
async function* joined({ speaker }: SpeechWork, parts: AsyncIterable<SoundPart>): AsyncGenerator<Float32Array> {
  const joiner = createJoiner()
  for await (const { pause, samples, lap } of parts) {
    if (pause > 0) yield silence(pause, speaker)
    yield joiner.add(samples, lap)
  }
  const last = joiner.end()
  if (last.length > 0) yield last
}

/** Yields the sound of cues. Each cue begins at its start time, or, if the previous cue is still
 *  sounding then, right after the previous cue. A cue that is too long for its time is sped up, at
 *  most to twice the pace. At the end, silence is added until the end time of the last cue. */
export async function* speakCues(work: SpeechWork, cues: readonly Cue[]): AsyncGenerator<Float32Array> {
  const rate = rateOf(work.speaker.voice.maker)
  const sorted = cues.toSorted((a, b) => a.startMs - b.startMs)
  let at = 0
  const until = function* (ms: number) {
    for (const part of silent(ms / 1000 - at / rate, rate)) {
      at += part.length
      yield part
    }
  }
  for await (const { item, sound } of soundsAhead(sorted, (cue, index) => speakCue(work, cue, index))) {
    for await (const part of sound) {
      yield* until(item.startMs)
      at += part.length
      yield part
    }
  }
  yield* until(sorted.reduce((latest, { endMs }) => Math.max(latest, endMs), 0))
}

async function* speakCue(work: SpeechWork, { text, startMs, endMs }: Cue, index: number): AsyncGenerator<Float32Array> {
  // The whole text is analysed first, so that the length of its sound can be estimated from a part
  // of it.
  const chunks: Chunk[] = []
  for await (const chunk of chunksOf(work, text)) chunks.push(chunk)
  const parts = spokenParts(work, { chunks, counted: text, firstIndex: index, isUrgent: index === 0 })
  const chars = chunks.reduce((sum, chunk) => sum + charsOf(chunk), 0)
  yield* joined(work, fitted(work, parts, { seconds: Math.max((endMs - startMs) / 1000, 0.001), chars }))
}

/** Greatest speed-up of a cue that is too long for its time. */
const mostFactor = 2
/** Length in seconds of the sound of a cue that is held until its length is known; 5.8 MB. */
const mostHeldSeconds = 60

/** Yields the parts of a text sped up so that all `chars` characters last about `seconds`, at most
 *  to twice the pace. The first parts are held back until the whole length is known or estimated:
 *  when all parts are made, when even twice the pace is certainly too slow, or when a minute of
 *  sound is held, from which the length is estimated. Each part is sped up in a job of its own, so
 *  that other callers do not wait. */
async function* fitted(
  work: SpeechWork,
  parts: AsyncIterable<SoundPart>,
  { seconds, chars }: { seconds: number; chars: number },
): AsyncGenerator<SoundPart> {
  const rate = rateOf(work.speaker.voice.maker)
  const made = { seconds: 0, chars: 0 }
  const hastened = async (part: SoundPart): Promise<SoundPart> => {
    const factor = Math.min(mostFactor, (made.seconds * (chars / made.chars)) / seconds)
    if (factor <= 1) return part
    const samples = await work.host.hasten({ samples: part.samples, rate, factor }, turnOf(work))
    return { ...part, samples, pause: part.pause / factor, lap: Math.round(part.lap / factor) }
  }
  const held: SoundPart[] = []
  for await (const part of parts) {
    held.push(part)
    made.seconds += part.pause + (part.samples.length - part.lap) / rate
    made.chars += part.chars
    if (made.seconds < Math.min(mostFactor * seconds, mostHeldSeconds)) continue
    for (const each of held.splice(0)) yield await hastened(each)
  }
  for (const each of held) yield await hastened(each)
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

/** Yields the items in order, each with its sound, which is to be read before the next item. The
 *  first part of a sound is made up to `ahead` items before the reader requests it. */
async function* soundsAhead<Item>(
  items: Iterable<Item>,
  soundOf: (item: Item, index: number) => AsyncGenerator<Float32Array>,
): AsyncGenerator<{ item: Item; sound: AsyncIterable<Float32Array> }> {
  const begun = new Set<AsyncGenerator<Float32Array>>()
  const jobs = (async function* () {
    let index = 0
    for (const item of items) {
      const parts = soundOf(item, index)
      begun.add(parts)
      yield { item, parts, made: parts.next() }
      index += 1
    }
  })()
  try {
    for await (const { item, parts, made } of fetchedAhead(jobs)) {
      yield { item, sound: continued(made, parts) }
      begun.delete(parts)
    }
  } finally {
    await Promise.allSettled([...begun].map(parts => parts.return(undefined)))
  }
}

async function* continued<Part>(first: Promise<IteratorResult<Part>>, parts: AsyncIterator<Part>): AsyncGenerator<Part> {
  for (let next = await first; !next.done; next = await parts.next()) yield next.value
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
