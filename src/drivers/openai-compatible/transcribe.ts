/** `audio.transcribe` over `POST /audio/transcriptions`: the fields and answers of each kind of model (vendors-text-audio 3.4, 10.5). */
import { readFile } from 'node:fs/promises'
import { streamed } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { AskedJob, InputFile, Job, Outcome, Refusal, StreamEvent, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import { refusal } from '@generation-gateway/kit/requests/job.ts'
import type { TranscribeRequest, TranscriptEvent } from '@generation-gateway/kit/requests/transcript.ts'
import { beginningOf } from '../sound/beginning.ts'
import { refusalInWords } from '../sound/speech-words.ts'
import { submitPaidInParts } from '../upstream/paid-submit.ts'
import { formBody } from '../upstream/sent-body.ts'
import type { ServiceTools } from '../upstream/service-driver.ts'
import { settings } from './settings.ts'
import { readTranscript } from './transcript-answer.ts'
import { kindOfModel, type TranscriptionKind } from './transcription-kind.ts'

type TranscribeJob = Job<TranscribeRequest>

const owner = 'the upstream service'
const words = {
  file: 'audio',
  language: 'languages',
  prompt: 'prompt',
  temperature: 'temperature',
  chunking_strategy: 'voiceActivity',
  known_speaker_references: 'speaker',
} as const

/** Paid, and not repeatable. A longer recording than is wanted is cut before it is sent. */
export function transcribeOffer(tools: ServiceTools): StreamedOffer<TranscribeRequest, TranscriptEvent> {
  return streamed<TranscribeRequest, TranscriptEvent>(job => transcribe(tools, job), { refuses })
}

function kindOf({ model, settings: given }: { model: string; settings: JsonObject }): TranscriptionKind {
  return settings.targetOf(given).transcription ?? kindOfModel(model)
}

function refuses(asked: AskedJob<TranscribeRequest>): Refusal | undefined {
  const { words: wantsWords, logprobs, speakers, channels, profanity, prompt } = asked.request
  const kind = kindOf(asked)
  if (channels) return refusal('channels', 'are told apart; the service mixes them.')
  if (profanity !== 'kept') return refusal('profanity', `is ${profanity}; the service keeps every word.`)
  if (speakers && kind !== 'diarized') return refusal('speakers', `are asked for; the model ${asked.model} does not tell them apart.`)
  if (wantsWords && kind !== 'basic') return refusal('words', `are to have times; the model ${asked.model} gives none.`)
  if (logprobs && kind !== 'tokens') return refusal('logprobs', `are asked for; the model ${asked.model} gives none.`)
  if (prompt && kind === 'diarized') return refusal('prompt', `is given; the model ${asked.model} takes none.`)
  return undefined
}

async function* transcribe({ submits }: ServiceTools, job: TranscribeJob): AsyncGenerator<StreamEvent<TranscriptEvent>> {
  const { model, signal, inputs } = job
  const { upstream: target, waits } = settings.targetOf(job.settings)
  const audio = inputs.find(({ role }) => role === 'audio')
  if (!audio) throw new TypeError('a transcription has a recording')
  const input = await beginningOf(audio, job)
  const kind = kindOf(job)
  const fields = await fieldsOf(job, kind)
  try {
    const outcome = yield* submitPaidInParts<StreamEvent<TranscriptEvent>, Outcome>({
      ...{ upstream: submits, target, path: '/audio/transcriptions', model, owner, signal, ...waits },
      body: formBody(fields, { field: 'file', name: fileName(input), input }),
      read: answer => readTranscript(answer, { job, owner, secrets: target.secrets, seconds: input.durationSeconds ?? 0 }),
    })
    yield { type: 'outcome', outcome }
  } catch (error) {
    throw refusalInWords(words, error)
  }
}

async function fieldsOf({ model, request, inputs }: TranscribeJob, kind: TranscriptionKind): Promise<Record<string, string | string[]>> {
  const { languages, prompt, temperature, logprobs, speakers, voiceActivity } = request
  const [language] = languages
  const speakersKnown = inputs.filter(({ role }) => role === 'speaker')
  const vad = voiceActivity && Object.keys(voiceActivity).length > 0
  const { threshold, silenceMs, paddingMs } = voiceActivity ?? {}
  const strategy = vad
    ? JSON.stringify({ type: 'server_vad', threshold, silence_duration_ms: silenceMs, prefix_padding_ms: paddingMs })
    : 'auto'
  return {
    model,
    temperature: String(temperature),
    ...(languages.length === 1 && language !== undefined ? { language: language.split('-')[0] ?? language } : {}),
    ...(prompt ? { prompt } : {}),
    ...(kind === 'basic'
      ? { response_format: 'verbose_json', 'timestamp_granularities[]': request.words ? ['segment', 'word'] : ['segment'] }
      : { stream: 'true', response_format: kind === 'diarized' ? 'diarized_json' : 'json' }),
    ...(logprobs ? { 'include[]': 'logprobs' } : {}),
    ...(voiceActivity || kind === 'diarized' ? { chunking_strategy: strategy } : {}),
    ...(speakers && speakersKnown.length > 0
      ? { 'known_speaker_names[]': speakers.names, 'known_speaker_references[]': await Promise.all(speakersKnown.map(dataUrlOf)) }
      : {}),
  }
}

/** Samples have at most ten seconds. */
async function dataUrlOf({ path, mediaType }: InputFile): Promise<string> {
  return `data:${mediaType};base64,${await readFile(path, 'base64')}`
}

/** The service tells the kind of a file by its name. */
const endings: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'video/mp4': 'mp4',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/aac': 'aac',
}

function fileName({ mediaType }: InputFile): string {
  return `recording.${endings[mediaType] ?? 'wav'}`
}
