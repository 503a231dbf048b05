/** Recognises the speech of a recording, window by window. */
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DecodedSound, type DecodeOptions, decodeSound, readSamples } from '@generation-gateway/kit/audio/decode.ts'
import { pcmBytes, wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { localeOf } from '@generation-gateway/kit/languages.ts'
import type { FairQueue, FairRequest, QueueSlot } from '@generation-gateway/kit/process/fair-queue.ts'
import { runInTurns } from '@generation-gateway/kit/process/run-in-turns.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import type { TranscribeRequest } from '@generation-gateway/kit/requests/transcript.ts'
import { inScriptOf } from './languages/chinese-script.ts'
import { languageOf, whisperCode } from './languages/whisper-language.ts'
import type { IdentifyJob } from './speakers/identify-job.ts'
import { averageLogprob, withoutHallucinations } from './transcript/hallucinations.ts'
import { joined } from './transcript/join.ts'
import { type SpokenSegment, wordsOf } from './transcript/words.ts'
import { sampleRate } from './voice/frames.ts'
import type { VoiceFacts } from './voice/silero.ts'
import { type Stretch, stretchesOf } from './voice/stretches.ts'
import { type SpeechWindow, windowsOf } from './voice/windows.ts'
import { IdleCores } from './whisper/idle-cores.ts'
import type { WhisperOutput } from './whisper/output.ts'
import { detectLanguage, runWhisper, type WhisperSetup } from './whisper/run.ts'

export interface Recogniser {
  setup: WhisperSetup
  /** The account that owns the recordings. The queues divide their places fairly between
   *  accounts. */
  account: string | undefined
  /** Queue for runs of whisper.cpp, fair between accounts. */
  programs: FairQueue
  /** Number of runs of whisper.cpp that may be in progress at a time. */
  atOnce: number
  /** Queue for decoding recordings, fair between accounts. */
  decoders: FairQueue
  /** Cores that a run of whisper.cpp may use while the machine is idle, for a recording with a
   *  single window, or for the first window of a request that wants its first words early. When
   *  absent, every run uses `setup.threads`. */
  cores?: number
  listen(path: string, signal: AbortSignal): Promise<VoiceFacts>
  /** Returns a speaker name for each word. Throws `capability_unavailable` when the voice pack is
   *  not installed. */
  identify(recording: Omit<IdentifyJob, 'weights' | 'threads'>, signal: AbortSignal): Promise<string[]>
}

interface RecogniseOptions {
  request: TranscribeRequest
  /** Path of the recording. */
  path: string
  scratch: string
  signal: AbortSignal
  progress(fraction: number): void
  /** Called when the language is known. Returns whether the windows must also be translated into
   *  English. */
  translates?(language: string): Promise<boolean>
}

/** The result for one window of the recording; `english` is its translation, if one was
 *  requested. */
export interface WindowTranscript {
  channel: number
  segments: SpokenSegment[]
  english?: string[]
}

export interface Recognition {
  seconds: number
  /** Language of the recording as a BCP 47 tag, spelled as in the request. For a recording without
   *  speech: the first language of the request, or `und` when the request names none. */
  language: string
  /** Languages of the request that Whisper does not support. */
  unheard: string[]
  channels: RecordingChannel[]
  /** Windows in the order of the recording. */
  windows: AsyncGenerator<WindowTranscript>
}

export interface RecordingChannel {
  number: number
  /** Path of raw signed 16-bit samples at 16 kHz, mono. */
  path: string
  voice: VoiceFacts
  stretches: Stretch[]
}

interface WindowTurn {
  channel: RecordingChannel
  window: SpeechWindow
  number: number
}

/** Detects the speech and the language of a recording. Recognition starts when the first window is
 *  read from `windows`, and then runs ahead of the reader. Throws the errors of decoding and of the
 *  recogniser. */
export async function recognise(given: Recogniser, options: RecogniseOptions): Promise<Recognition> {
  const { request } = options
  const idle = new IdleCores()
  const channels = await listenTo(given, options)
  const turns = channels.list
    .flatMap(channel =>
      windowsOf(channel.stretches, {
        probabilities: channel.voice.probabilities,
        atOnce: given.atOnce,
        beginsShort: request.early,
      }).map(window => ({ channel, window })),
    )
    .toSorted((a, b) => startOf(a.window) - startOf(b.window))
    .map((turn, number): WindowTurn => ({ ...turn, number }))
  const fastest = withIdleCores(given, idle)
  const recogniser = turns.length === 1 ? fastest : given
  const work = await beginWork(recogniser, turns, options)
  try {
    const whisper = work && (await chooseLanguage(request.early ? fastest : recogniser, work, options))
    const language = whisper === undefined ? (request.languages[0] ?? 'und') : languageOf(whisper)
    const tag = localeOf(language, request.languages) ?? language
    const isTranslated = whisper !== undefined && (await options.translates?.(language)) === true
    const requested = { ...options, tag, language: whisper ?? 'en', isTranslated, firstSetup: request.early ? fastest.setup : undefined }
    const windows = work ? windowsHeard(recogniser, work, requested) : nothingHeard()
    return { seconds: channels.seconds, language: tag, unheard: unheardIn(request), channels: channels.list, windows }
  } catch (error) {
    work?.stop()
    work?.first[Symbol.dispose]()
    throw error
  }
}

/** The windows of a recording. */
interface WindowWork {
  turns: readonly [WindowTurn, ...WindowTurn[]]
  /** The recording's place in the queue for whisper.cpp; `hearWindows` gives it back. */
  first: QueueSlot
  request: FairRequest
  /** Stops all runs of whisper.cpp for this recording. */
  stop(): void
}

/** Estimated run time in ms for a second of speech; the queue sorts the recordings of one account
 *  by it. */
const workMsOfSecond = 250

/** Waits until the queue lets the recognition of this recording begin; undefined when the recording
 *  has no speech. */
async function beginWork(
  { programs, account }: Recogniser,
  [head, ...rest]: readonly WindowTurn[],
  { scratch, signal: given }: RecogniseOptions,
): Promise<WindowWork | undefined> {
  if (!head) return undefined
  const stop = new AbortController()
  const seconds = [head, ...rest].reduce((sum, { window }) => sum + window.seconds, 0)
  const request = { account, workMs: seconds * workMsOfSecond, signal: AbortSignal.any([given, stop.signal]) }
  await writeWindow(head, scratch)
  const first = await programs.take(request)
  return { turns: [head, ...rest], first, request, stop: () => stop.abort() }
}

async function* nothingHeard(): AsyncGenerator<WindowTranscript> {}

/** Cores that this job itself keeps busy while the idle cores are measured: one for the speech
 *  detection, about a third of another for decoding. */
const listeningCores = 1.35

/** Returns the recogniser with up to `mostThreads` threads when all cores that this job does not
 *  use itself are idle; otherwise unchanged. On a busy machine more threads would be slower:
 *  whisper.cpp's threads wait for each other in busy loops, so two threads that share a core take
 *  longer than one. */
function withIdleCores(recogniser: Recogniser, idle: IdleCores): Recogniser {
  const { cores = 1, setup } = recogniser
  if (cores <= setup.threads || idle.look(cores) < cores - listeningCores) return recogniser
  return { ...recogniser, setup: { ...setup, threads: Math.min(cores, mostThreads) } }
}

/** Largest number of threads of one whisper.cpp process: more do not make the base model faster. */
const mostThreads = 4

async function listenTo(
  recogniser: Recogniser,
  { request, path, scratch, signal }: RecogniseOptions,
): Promise<{ seconds: number; list: RecordingChannel[] }> {
  const decoded = await decodeInTurn(recogniser, path, {
    scratch,
    sampleRate,
    channels: request.channels ? 'separate' : 'mixed',
    ...(request.firstSeconds === undefined ? {} : { firstSeconds: request.firstSeconds }),
    signal,
  })
  const list: RecordingChannel[] = []
  for (const number of request.channels ?? [0]) {
    const channel = decoded.channels[number]
    if (!channel)
      throw new GatewayError(
        'invalid_request',
        about('channels', `${number} is not there: the recording has ${decoded.channels.length}, counted from 0.`),
        { field: 'channels' },
      )
    const voice = await recogniser.listen(channel.path, signal)
    list.push({ number, path: channel.path, voice, stretches: stretchesOf(voice.probabilities, request.voiceActivity) })
  }
  return { seconds: decoded.seconds, list }
}

/** Runs `decodeSound` when the queue of decoders has a place for this account. */
export async function decodeInTurn({ decoders, account }: Recogniser, path: string, options: DecodeOptions): Promise<DecodedSound> {
  // The number of bytes predicts the length of a recording well enough to put short ones first.
  const { size } = await stat(path)
  using place = await decoders.take({ account, workMs: size / decodedBytesOfMs, signal: options.signal })
  return await decodeSound(path, { ...options, giveWay: () => place.giveWay() })
}

/** Bytes of a compressed recording that are decoded per millisecond; measured with MP3 and Opus. */
const decodedBytesOfMs = 5000

function startOf({ pieces: [first] }: SpeechWindow): number {
  return first?.from ?? 0
}

/** Returns Whisper's code of the language. A single candidate is used without detection. With
 *  several candidates, or none, the language is detected in the first window. */
async function chooseLanguage(
  { setup, programs, atOnce }: Recogniser,
  { turns: [turn], first, request: place }: WindowWork,
  { request, scratch }: Pick<RecogniseOptions, 'request' | 'scratch'>,
): Promise<string> {
  const { signal } = place
  const candidates = candidatesIn(request)
  const [only, ...others] = new Set(candidates)
  if (only !== undefined && others.length === 0) return only
  const { path, seconds } = windowFile(turn, scratch)
  const recognised = await detectLanguage(setup, { path, signal })
  await first.giveWay()
  if (only === undefined || candidates.includes(recognised.language)) return recognised.language
  // When the language detected from the sound is none of the candidates, the window is transcribed
  // in each candidate language, and the language with the most probable text is taken.
  const tries: { language: string; logprob: number }[] = []
  await runInTurns([only, ...others], { queue: programs, request: place, first, atOnce }, async language => {
    const output = await runWhisper(setup, { path, seconds, language, signal, output: language })
    const words = output.segments.flatMap(segment => wordsOf(segment, turn.window, turn.channel.voice))
    tries.push({ language, logprob: averageLogprob(words) })
  })
  await first.giveWay()
  return tries.toSorted((a, b) => b.logprob - a.logprob)[0]?.language ?? only
}

/** Returns the request's languages as Whisper's codes. Throws `invalid_request` for a language that
 *  Whisper does not support; when the languages are only candidates for detection (`candidates`),
 *  leaves such languages out instead. */
function candidatesIn(request: TranscribeRequest): string[] {
  const [unknown] = request.candidates ? [] : unheardIn({ ...request, candidates: true })
  if (unknown === undefined) return request.languages.flatMap(tag => whisperCode(tag) ?? [])
  throw new GatewayError('invalid_request', about('languages', `${unknown} is none that speech is recognised in here.`), {
    field: 'languages',
  })
}

function unheardIn({ languages, candidates }: TranscribeRequest): string[] {
  return candidates ? languages.filter(tag => whisperCode(tag) === undefined) : []
}

function windowFile({ number, window }: WindowTurn, scratch: string): { path: string; seconds: number } {
  return { path: join(scratch, `window-${number}.wav`), seconds: window.seconds }
}

/** Shortest window in seconds; silence is added to a shorter one. whisper.cpp skips shorter
 *  windows, so a recording of a single word would give no text. */
const leastWindowSeconds = 1.1

async function writeWindow(turn: WindowTurn, scratch: string): Promise<void> {
  const parts: Buffer[] = []
  for (const { from, to } of turn.window.pieces) {
    const first = Math.round(from * sampleRate)
    parts.push(pcmBytes(await readSamples(turn.channel.path, { from: first, count: Math.round(to * sampleRate) - first })))
  }
  const missing = leastWindowSeconds - turn.window.seconds
  if (missing > 0) parts.push(Buffer.alloc(2 * Math.round(missing * sampleRate)))
  const bytes = Buffer.concat(parts)
  await writeFile(windowFile(turn, scratch).path, Buffer.concat([wavHeader({ sampleRate, channels: 1, dataBytes: bytes.length }), bytes]))
}

/** `language` is Whisper's code of the language; `tag` is the same language as the request spells
 *  it. */
interface WindowOptions extends Pick<RecogniseOptions, 'request' | 'scratch' | 'progress'> {
  language: string
  tag: string
  isTranslated: boolean
  /** Settings for the first window, which is recognised before the others start. When absent, the
   *  other windows do not wait for the first one. */
  firstSetup: WhisperSetup | undefined
}

/** Recognises several windows at once and yields them in order. A window that overlaps the next one
 *  is held back until the words of both have been joined. */
async function* windowsHeard(recogniser: Recogniser, work: WindowWork, options: WindowOptions): AsyncGenerator<WindowTranscript> {
  const { turns } = work
  const { results, ended } = hearWindows(recogniser, work, options)
  try {
    const held = new Map<number, WindowTranscript>()
    for (const [index, turn] of turns.entries()) {
      const recognised = await results[index]
      if (!recognised) continue
      const before = held.get(recognised.channel)
      held.delete(recognised.channel)
      if (before && turn.window.seam !== undefined)
        [before.segments, recognised.segments] = joined(before.segments, recognised.segments, turn.window.seam)
      if (before) yield before
      if (
        turns.some(
          (next, at) => at > index && next.channel === turn.channel && isNextOf(turns, turn, next) && next.window.seam !== undefined,
        )
      )
        held.set(recognised.channel, recognised)
      else yield recognised
    }
    yield* held.values()
  } finally {
    work.stop()
    await ended
  }
}

/** Starts the recognition of all windows and returns at once. `results` has a promise for each
 *  window; `ended` resolves when no run of whisper.cpp is in progress any more. By then the place
 *  in the queue is given back, however far the reader of the results is. After each run, the queue
 *  may let another job go first. */
function hearWindows(
  { setup, programs, atOnce }: Recogniser,
  { turns, first, request: place }: WindowWork,
  options: WindowOptions,
): { results: Promise<WindowTranscript>[]; ended: Promise<void> } {
  const { scratch, isTranslated, progress, firstSetup } = options
  const { signal } = place
  const results = turns.map(() => Promise.withResolvers<WindowTranscript>())
  // Prevents unhandled rejections of windows that are no longer awaited.
  for (const { promise } of results) promise.catch(() => {})
  const begun = new Map<WindowTurn, Promise<void>>()
  const outputs = new Map<WindowTurn, WhisperOutput[]>()
  const runs = turns.flatMap(turn => (isTranslated ? [false, true] : [false]).map(translates => ({ turn, translates })))
  const count = runs.length
  let done = 0
  const run = async ({ turn, translates }: (typeof runs)[number], own = setup): Promise<void> => {
    if (!begun.has(turn)) begun.set(turn, writeWindow(turn, scratch))
    await begun.get(turn)
    const { path, seconds } = windowFile(turn, scratch)
    const { language, request } = options
    const ask = { path, seconds, language, prompt: request.prompt, temperature: request.temperature, signal }
    const output = await runWhisper(own, { ...ask, translates })
    const recognised = outputs.get(turn) ?? []
    outputs.set(turn, recognised)
    recognised[translates ? 1 : 0] = output
    done += 1
    progress(done / count)
    const [said, english] = recognised
    if (!said || (isTranslated && !english)) return
    outputs.delete(turn)
    await rm(path, { force: true })
    results[turn.number]?.resolve(await recognisedIn(turn, { said, english, tag: options.tag }))
  }
  const runAll = async (): Promise<void> => {
    const early = firstSetup && runs.length > 1 ? runs.shift() : undefined
    if (early) {
      await run(early, firstSetup)
      await first.giveWay()
    }
    await runInTurns(runs, { queue: programs, request: place, first, atOnce }, each => run(each))
  }
  const ended = runAll()
    .catch((error: unknown) => {
      for (const { reject } of results) reject(error)
    })
    .finally(() => first[Symbol.dispose]())
  return { results: results.map(({ promise }) => promise), ended }
}

function isNextOf(turns: readonly WindowTurn[], turn: WindowTurn, next: WindowTurn): boolean {
  return turns.find(({ channel, number }) => channel === turn.channel && number > turn.number) === next
}

async function recognisedIn(
  turn: WindowTurn,
  { said, english, tag }: { said: WhisperOutput; english: WhisperOutput | undefined; tag: string },
): Promise<WindowTranscript> {
  const spoken = (from: WhisperOutput): SpokenSegment[] =>
    withoutHallucinations(from.segments.map(segment => ({ words: wordsOf(segment, turn.window, turn.channel.voice) })))
  const recognised: WindowTranscript = { channel: turn.channel.number, segments: await inScriptOf(spoken(said), tag) }
  if (english)
    recognised.english = spoken(english).map(({ words }) =>
      words
        .map(({ text }) => text)
        .join('')
        .trim(),
    )
  return recognised
}
