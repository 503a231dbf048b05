/** The engine's operations: transcription, and translation of speech. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { spokenLanguage } from '@generation-gateway/kit/languages.ts'
import type { Job, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import type {
  TranscribeRequest,
  TranscriptEvent,
  TranscriptResult,
  TranscriptSegment,
  TranscriptToken,
  TranslateRequest,
  TranslateResult,
} from '@generation-gateway/kit/requests/transcript.ts'
import { type Recogniser, type Recognition, recognise, type WindowTranscript } from './recognise.ts'
import { textOf } from './transcript/hallucinations.ts'
import { withProfanity } from './transcript/profanity.ts'
import { segmentAnswer } from './transcript/transcript.ts'
import { withSpeakers } from './transcript/with-speakers.ts'
import type { TranslationTurn, Translator } from './translation/translator.ts'

type SoundJob<Request> = Pick<Job<Request>, 'account' | 'request' | 'inputs' | 'scratch' | 'signal' | 'progress'>
type Parts = AsyncGenerator<StreamEvent<TranscriptEvent>>

export async function* transcribe(recogniser: Recogniser, job: SoundJob<TranscribeRequest>): Parts {
  await using folder = await folderIn(job.scratch)
  const hearing = await recognise(recogniser, { ...job, scratch: folder.path, path: recordingOf(job) })
  const { result } = yield* transcriptOf(recogniser, hearing, { ...job, scratch: folder.path })
  yield done(result)
}

/** Translates a recording. Whisper itself translates into English; translations into other
 *  languages start from the transcript, or, when the translator has no way from the spoken
 *  language, from the English text. */
export async function* translate(recogniser: Recogniser, translator: Translator, job: SoundJob<TranslateRequest>): Parts {
  const { request } = job
  await using folder = await folderIn(job.scratch)
  const ways = new Map<string, TranslationRoute>()
  const chooseWays = async (language: string): Promise<boolean> => {
    for (const target of request.targets) ways.set(target, await wayTo(translator, { from: language, to: target, turn: job }))
    return [...ways.values()].some(({ from }) => from === 'english')
  }
  const hearing = await recognise(recogniser, { ...job, scratch: folder.path, path: recordingOf(job), translates: chooseWays })
  const { result, said, english } = yield* transcriptOf(recogniser, hearing, { ...job, scratch: folder.path })
  const translations: TranslateResult['translations'] = {}
  for (const [target, { from, translates }] of ways) {
    const texts = from === 'english' ? english : said
    const language = from === 'english' ? 'en' : hearing.language
    const translated = translates ? (await translator.translate(texts, { from: language, to: [target] }, job))[target] : texts
    translations[target] = withProfanity((translated ?? []).join(spaceIn(target)), request.profanity, target).trim()
  }
  // A recording without speech has no language, so its translations are empty.
  for (const target of request.targets) translations[target] ??= ''
  yield done({ ...result, translations })
}

interface TranslationRoute {
  from: 'said' | 'english'
  /** True when the translator must translate the text; false when the text is in the target
   *  language already. */
  translates: boolean
}

/** Returns how to translate from one language to another. Throws `capability_unavailable` when
 *  there is no way; the message says how to add one. */
async function wayTo(
  translator: Translator,
  { from, to, turn }: { from: string; to: string; turn: TranslationTurn },
): Promise<TranslationRoute> {
  if (spokenLanguage(from) === spokenLanguage(to)) return { from: 'said', translates: false }
  if (spokenLanguage(to) === 'en') return { from: 'english', translates: false }
  if (!translator.canTranslate(from, to) && translator.canTranslate('en', to)) return { from: 'english', translates: true }
  if (!translator.canTranslate(from, to)) await translator.translate([], { from, to: [to] }, turn)
  return { from: 'said', translates: true }
}

interface Transcript {
  result: TranscriptResult
  /** The texts of the segments in the spoken language. */
  said: string[]
  /** The texts of the same segments in English, if the recogniser returned them. */
  english: string[]
}

/** Yields the text of each segment as soon as it is recognised, and then the segment itself. With
 *  speaker identification, all segments follow at the end, because the identification needs the
 *  whole recording. */
async function* transcriptOf(
  recogniser: Recogniser,
  hearing: Recognition,
  job: SoundJob<TranscribeRequest>,
): AsyncGenerator<StreamEvent<TranscriptEvent>, Transcript> {
  const { request } = job
  const { language, seconds, unheard } = hearing
  const showing = { request, language, probabilities: new Map(hearing.channels.map(({ number, voice }) => [number, voice.probabilities])) }
  const windows: WindowTranscript[] = []
  const segments: TranscriptSegment[] = []
  const logprobs: TranscriptToken[] = []
  let text = ''
  for await (const recognised of hearing.windows) {
    windows.push(recognised)
    for (const { segment, logprobs: tokens } of segmentAnswer(recognised, showing)) {
      const delta = segment.text === '' || text === '' ? segment.text : spaceIn(language) + segment.text
      text += delta
      logprobs.push(...(tokens ?? []))
      if (delta !== '') yield { type: 'event', event: { type: 'text', delta, ...(tokens ? { logprobs: tokens } : {}) } }
      if (!request.speakers) yield take(segment)
    }
  }
  if (request.speakers) {
    const spoken = await withSpeakers(recogniser, hearing, windows, job)
    for (const { segment } of spoken.flatMap(recognised => segmentAnswer(recognised, showing))) yield take(segment)
  }
  const said = windows.flatMap(recognised => recognised.segments.map(({ words }) => textOf(words).trim()))
  const english = windows.flatMap(recognised => recognised.english ?? [])
  const result = {
    text,
    language,
    seconds,
    segments,
    ...(unheard.length > 0 ? { unheard } : {}),
    ...(request.logprobs ? { logprobs } : {}),
  }
  return { result, said, english }

  function take(segment: TranscriptSegment): StreamEvent<TranscriptEvent> {
    segments.push(segment)
    return { type: 'event', event: { type: 'segment', segment } }
  }
}

function done(result: TranscriptResult | TranslateResult): StreamEvent<TranscriptEvent> {
  return {
    type: 'outcome',
    outcome: { state: 'done', files: [], report: { ...result }, usage: [{ unit: 'seconds', units: result.seconds }] },
  }
}

function recordingOf({ inputs }: Pick<Job<unknown>, 'inputs'>): string {
  const audio = inputs.find(({ role }) => role === 'audio')
  if (!audio) throw new GatewayError('invalid_request', 'audio: there is no recording.', { field: 'audio' })
  return audio.path
}

async function folderIn(scratch: string): Promise<{ path: string } & AsyncDisposable> {
  const path = join(scratch, 'hearing')
  await mkdir(path, { recursive: true })
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

const unspacedLanguages: ReadonlySet<string | undefined> = new Set(['zh', 'ja', 'th', 'lo', 'my', 'km', 'bo'])

/** Returns the separator between two sentences; empty for a language that is written without
 *  spaces. */
function spaceIn(language: string): string {
  return unspacedLanguages.has(spokenLanguage(language)) ? '' : ' '
}
