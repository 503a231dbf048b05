/** Runs `audio.transcribe` over OpenAI's `POST /audio/transcriptions`. Models differ in the
 *  fields they accept and in the form of their answers
 *  (docs/vendors/openai-audio.md#transcription, #transcription-stream). */
import { readFile } from 'node:fs/promises'
import { streamed } from '@generation-gateway/kit/driver.ts'
import type { InputFile, Job, JobFacts, Outcome, Refusal, StreamEvent, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import { refusal } from '@generation-gateway/kit/requests/job.ts'
import type { TranscribeRequest, TranscriptEvent } from '@generation-gateway/kit/requests/transcript.ts'
import { excerptOf } from '../../shared/sound/excerpt.ts'
import { refusalInWords } from '../../shared/sound/speech-words.ts'
import { beforeSubmit } from '../../shared/upstream/before-submit.ts'
import { submitPaidInParts } from '../../shared/upstream/paid-submit.ts'
import { formBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { owner, settings } from './settings.ts'
import { readTranscript } from './transcript-answer.ts'
import { kindOfModel, type TranscriptionKind } from './transcription-kind.ts'

type TranscribeJob = Job<TranscribeRequest>

const words = {
  file: 'audio',
  language: 'languages',
  prompt: 'prompt',
  temperature: 'temperature',
  chunking_strategy: 'voiceActivity',
  known_speaker_references: 'speaker',
} as const

/** Returns the offer with which the driver serves `audio.transcribe`. A run sends one paid request
 *  and never repeats it. When the request asks only for the first seconds of a recording, the
 *  recording is cut before it is sent. */
export function transcriptionOffer(tools: ServiceTools): StreamedOffer<TranscribeRequest, TranscriptEvent> {
  return streamed<TranscribeRequest, TranscriptEvent>(job => transcribe(tools, job), { refuses })
}

function kindOf({ settings: given, model }: JobFacts<TranscribeRequest>): TranscriptionKind {
  return settings.targetOf(given).transcription ?? kindOfModel(model)
}

/** Returns the refusal of a request with a feature for which this interface, or this kind of model,
 *  has no field; undefined when there is none. */
function refuses(jobFacts: JobFacts<TranscribeRequest>): Refusal | undefined {
  const { words: wantsWords, logprobs, speakers, channels, profanity, prompt } = jobFacts.request
  const kind = kindOf(jobFacts)
  if (channels) return refusal('channels', `are told apart; ${owner} mixes them.`)
  if (profanity !== 'kept') return refusal('profanity', `is ${profanity}; ${owner} keeps every word.`)
  if (speakers && kind !== 'diarized') return refusal('speakers', `are asked for; the model ${jobFacts.model} does not tell them apart.`)
  if (wantsWords && kind !== 'basic') return refusal('words', `are to have times; the model ${jobFacts.model} gives none.`)
  if (logprobs && kind !== 'tokens') return refusal('logprobs', `are asked for; the model ${jobFacts.model} gives none.`)
  if (prompt && kind === 'diarized') return refusal('prompt', `is given; the model ${jobFacts.model} takes none.`)
  return undefined
}

/** Sends the recording and yields its transcript. Throws the errors of `submitPaidInParts`. */
async function* transcribe({ submits }: ServiceTools, job: TranscribeJob): AsyncGenerator<StreamEvent<TranscriptEvent>> {
  const target = settings.targetOf(job.settings)
  const { secrets } = target.upstream
  const input = await beforeSubmit(() => excerptOf(job))
  const fields = await beforeSubmit(() => fieldsOf(job, kindOf(job)))
  try {
    const outcome = yield* submitPaidInParts<StreamEvent<TranscriptEvent>, Outcome>({
      ...{ submits, job, target, path: '/audio/transcriptions', owner },
      body: formBody(fields, { field: 'file', name: `recording.${endings[input.mediaType] ?? 'wav'}`, input }),
      read: answer => readTranscript(answer, { job, secrets, seconds: input.durationSeconds ?? 0 }),
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

/** Returns the file as a data URL. The whole file is read into memory, which is acceptable because
 *  a sample of a speaker lasts at most ten seconds. */
async function dataUrlOf({ path, mediaType }: InputFile): Promise<string> {
  return `data:${mediaType};base64,${await readFile(path, 'base64')}`
}

/** File extensions by media type. The extensions are needed because the service recognizes the type
 *  of a file by its name. */
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
