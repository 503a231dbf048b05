/** Recognition of another gateway: over R1, R3 or R4 by its model there, and translation over R5 or R1. */
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import {
  type AskedJob,
  type Job,
  type Outcome,
  type Refusal,
  refusal,
  type StreamEvent,
  type StreamedOffer,
} from '@generation-gateway/kit/requests/job.ts'
import type {
  TranscribeRequest,
  TranscriptEvent,
  TranscriptResult,
  TranscriptSegment,
  TranslateRequest,
  TranslateResult,
} from '@generation-gateway/kit/requests/transcript.ts'
import { beginningOf } from '../../shared/sound/beginning.ts'
import { fileName, refusesOpenai, type TranscriptionService, transcribeOpenai } from '../../shared/sound/openai-transcribe.ts'
import { refusalInWords } from '../../shared/sound/speech-words.ts'
import { submitPaid } from '../../shared/upstream/paid-submit.ts'
import { secondsOf } from '../../shared/upstream/read-json.ts'
import { formBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { settings } from './settings.ts'
import { gatewayName, hearingFamilyOf, soundTarget } from './sound-target.ts'

type Parts = AsyncGenerator<StreamEvent<TranscriptEvent>>

const r1: TranscriptionService = {
  owner: gatewayName,
  targetOf: asked => ({ ...settings.targetOf(asked.settings), ...soundTarget(asked) }),
}
const maxAnswerBytes = 64 * 1024 * 1024
/** Longest recordings of R4 and R5; of a longer one R5 hears the beginning. */
const shortSeconds = 30
const usualSilenceMs = 2_000
const silences = { least: 100, most: 5_000 }
const profanityWords = { kept: 'None', masked: 'Masked', removed: 'Removed', tagged: 'Tags' } as const
const words = {
  ...{ file: 'audio', audio: 'audio', recognitionLanguages: 'languages', timeout: 'voiceActivity', targetLanguages: 'targets' },
  ...{ 'definition.locales': 'languages', 'definition.channels': 'channels', 'definition.diarization': 'speakers' },
  ...{ SegmentationSilenceTimeoutMs: 'voiceActivity', 'definition.diarization.maxSpeakers': 'speakers', language: 'languages' },
} as const satisfies Record<string, FieldName>

export function transcriptionThere(tools: ServiceTools): StreamedOffer<TranscribeRequest, TranscriptEvent> {
  return streamed<TranscribeRequest, TranscriptEvent>(
    job => {
      const family = hearingFamilyOf(job)
      if (family === 'R3') return heardFast(tools, job)
      return family === 'R4' ? heardShort(tools, job) : transcribeOpenai(tools, r1, job)
    },
    { refuses: asked => refusesThere(asked) },
  )
}

export function translationThere(tools: ServiceTools): StreamedOffer<TranslateRequest, TranscriptEvent> {
  return streamed<TranslateRequest, TranscriptEvent>(
    job => (hearingFamilyOf(job) === 'R5' ? translatedShort(tools, job) : translatedToEnglish(tools, job)),
    { refuses: refusesTranslation },
  )
}

function refusesThere(asked: AskedJob<TranscribeRequest>): Refusal | undefined {
  const { request, inputs } = asked
  const { channels, speakers, logprobs, prompt } = request
  switch (hearingFamilyOf(asked)) {
    case 'R1':
      return refusesOpenai(r1, asked)
    case 'R3':
      if (logprobs) return refusal('logprobs', `are asked for; ${gatewayName} gives none (R3).`)
      if (prompt) return refusal('prompt', `is given; ${gatewayName} takes none (R3).`)
      if (inputs.some(({ role }) => role === 'speaker')) return refusal('speaker', `is given; ${gatewayName} takes no samples (R3).`)
      return undefined
    case 'R4':
      if (channels) return refusal('channels', `are told apart; ${gatewayName} mixes them (R4).`)
      if (speakers || logprobs || request.words) return plainOnly(request)
      return refusesShort(request)
    case 'R5':
      return { message: `${asked.model} of the other gateway translates; it writes nothing down in the language that is spoken.` }
  }
}

function plainOnly({ speakers, logprobs }: TranscribeRequest): Refusal {
  const field = speakers ? 'speakers' : logprobs ? 'logprobs' : 'words'
  return refusal(field, `are asked for; ${gatewayName} gives the text alone (R4).`)
}

function refusesShort({ languages, profanity, voiceActivity }: TranscribeRequest): Refusal | undefined {
  const silence = voiceActivity?.silenceMs ?? usualSilenceMs
  if (languages.length === 0) return refusal('languages', `are missing; ${gatewayName} needs those that it may be.`)
  if (profanity !== 'masked') return refusal('profanity', `is ${profanity}; ${gatewayName} masks it.`)
  if (silence < silences.least || silence > silences.most)
    return refusal('voiceActivity', `ends at ${silence} ms of silence; ${gatewayName} takes ${silences.least} to ${silences.most}.`)
  return undefined
}

function refusesTranslation(asked: AskedJob<TranslateRequest>): Refusal | undefined {
  const { targets, profanity, firstSeconds } = asked.request
  const family = hearingFamilyOf(asked)
  if (family === 'R5') {
    if (firstSeconds === undefined || firstSeconds > shortSeconds)
      return refusal('audio', `is to be heard for ${firstSeconds ?? 'all its'} seconds; ${gatewayName} hears ${shortSeconds} (R5).`)
    return refusesShort(asked.request)
  }
  if (family !== 'R1') return { message: `${asked.model} of the other gateway does not translate.` }
  if (targets.some(target => target !== 'en'))
    return refusal('targets', `are ${targets.join(', ')}; ${gatewayName} translates into en (R1).`)
  return profanity === 'kept' ? undefined : refusal('profanity', `is ${profanity}; ${gatewayName} keeps every word (R1).`)
}

interface Hearing {
  path: string
  fields: Record<string, string | string[]>
  /** Name of the field of the recording. */
  field: string
  /** What every answer has. */
  answers: { member: string; isThere(value: unknown): boolean }
}

const phrases = { member: 'phrases', isThere: Array.isArray }
const text = { member: 'text', isThere: (value: unknown) => typeof value === 'string' }

/** The answer to a recording and its fields. Paid, and sent once. */
async function ask<Request extends TranscribeRequest>(
  { submits }: ServiceTools,
  job: Job<Request>,
  { path, fields, field, answers }: Hearing,
): Promise<{ answer: JsonObject; seconds: number }> {
  const { model, signal, inputs } = job
  const { upstream: target, waits } = soundTarget(job)
  const audio = inputs.find(({ role }) => role === 'audio')
  if (!audio) throw new TypeError('a recognition has a recording')
  const input = await beginningOf(audio, job)
  try {
    const answer = await submitPaid({
      ...{ upstream: submits, target, path, model, owner: gatewayName, signal, ...waits },
      body: formBody({ ...fields, model }, { field, name: fileName(input), input }),
      read: async given => {
        const found = objectOf(await given.json(maxAnswerBytes))
        if (answers.isThere(found[answers.member])) return found
        throw new GatewayError('upstream_error', `The answer of ${gatewayName} has no ${answers.member}.`)
      },
    })
    return { answer, seconds: input.durationSeconds ?? 0 }
  } catch (error) {
    throw refusalInWords(words, error)
  }
}

async function* heardFast(tools: ServiceTools, job: Job<TranscribeRequest>): Parts {
  const { languages, channels, speakers, profanity } = job.request
  const definition = {
    profanityFilterMode: profanityWords[profanity],
    ...(languages.length > 0 ? { locales: languages } : {}),
    ...(channels ? { channels } : {}),
    ...(speakers ? { diarization: { enabled: true, ...(speakers.most === undefined ? {} : { maxSpeakers: speakers.most }) } } : {}),
  }
  const path = '/speechtotext/transcriptions:transcribe?api-version=2024-11-15'
  const { answer, seconds } = await ask(tools, job, {
    path,
    field: 'audio',
    fields: { definition: JSON.stringify(definition) },
    answers: phrases,
  })
  const segments = objectsOf(answer.phrases).map(segmentOf)
  for (const segment of segments) yield { type: 'event', event: { type: 'segment', segment } }
  const [asked = 'und'] = languages
  yield done({
    text: segments.map(({ text }) => text).join(' '),
    language: segments[0]?.language ?? asked,
    seconds: typeof answer.durationMilliseconds === 'number' ? answer.durationMilliseconds / 1000 : seconds,
    segments,
  })
}

function segmentOf({ text, words: told, locale, confidence, speaker, channel, ...place }: JsonObject): TranscriptSegment {
  return {
    text: textOf(text) ?? '',
    ...timesOf(place),
    words: objectsOf(told).map(({ text: word, ...at }) => ({ text: textOf(word) ?? '', ...timesOf(at) })),
    ...(textOf(locale) === undefined ? {} : { language: textOf(locale) ?? '' }),
    ...(typeof confidence === 'number' && confidence > 0 ? { confidence } : {}),
    ...(typeof speaker === 'number' ? { speaker: String(speaker) } : {}),
    ...(typeof channel === 'number' ? { channel } : {}),
  }
}

function timesOf({ offsetMilliseconds, durationMilliseconds }: JsonObject): { startSeconds: number; endSeconds: number } {
  const start = Number(offsetMilliseconds) || 0
  return { startSeconds: start / 1000, endSeconds: (start + (Number(durationMilliseconds) || 0)) / 1000 }
}

async function* heardShort(tools: ServiceTools, job: Job<TranscribeRequest>): Parts {
  const { languages, voiceActivity } = job.request
  const timeout = String(voiceActivity?.silenceMs ?? usualSilenceMs)
  const fields = { recognitionLanguages: languages.join(','), timeout }
  const { answer, seconds } = await ask(tools, job, { path: '/audio/recognize', field: 'file', fields, answers: text })
  const said = textOf(answer.text) ?? ''
  if (said !== '') yield { type: 'event', event: { type: 'text', delta: said } }
  yield done({ ...heardAs(answer, { text: said, seconds }), segments: [] })
}

async function* translatedShort(tools: ServiceTools, job: Job<TranslateRequest>): Parts {
  const { languages, targets, voiceActivity } = job.request
  const fields = {
    ...{ targetLanguages: targets.join(','), recognitionLanguages: languages.join(','), hasRecognize: String(languages.length > 1) },
    SegmentationSilenceTimeoutMs: String(voiceActivity?.silenceMs ?? usualSilenceMs),
  }
  const { answer, seconds } = await ask(tools, job, {
    path: '/audio/realtime/translation',
    field: 'file',
    fields,
    answers: { member: 'translations', isThere: isObject },
  })
  const given = objectOf(answer.translations)
  const result: TranslateResult = {
    ...heardAs(answer, { text: textOf(answer.text) ?? '', seconds }),
    segments: [],
    translations: Object.fromEntries(targets.map(target => [target, textOf(given[target]) ?? ''])),
  }
  yield done(result)
}

function heardAs({ language }: JsonObject, { text, seconds }: { text: string; seconds: number }): Omit<TranscriptResult, 'segments'> {
  return { text, language: textOf(language) ?? 'und', seconds }
}

/** The family says the English alone; what was said is not told. */
async function* translatedToEnglish(tools: ServiceTools, job: Job<TranslateRequest>): Parts {
  const { prompt, temperature } = job.request
  const fields = { response_format: 'verbose_json', temperature: String(temperature), ...(prompt ? { prompt } : {}) }
  const { answer, seconds } = await ask(tools, job, { path: '/audio/translations', field: 'file', fields, answers: text })
  const en = textOf(answer.text) ?? ''
  const english = objectsOf(answer.segments).map(
    ({ text: part, start, end }): TranscriptSegment => ({
      text: (textOf(part) ?? '').trim(),
      startSeconds: Number(start) || 0,
      endSeconds: Number(end) || 0,
    }),
  )
  const lasts = secondsOf(answer.duration) ?? seconds
  const result: TranslateResult = {
    ...{ text: '', language: 'und', seconds: lasts, segments: [] },
    translations: { en },
    translatedSegments: { en: english },
  }
  yield done(result)
}

function done(result: TranscriptResult | TranslateResult): { type: 'outcome'; outcome: Outcome } {
  return {
    type: 'outcome',
    // Plain JSON as it stands.
    outcome: {
      state: 'done',
      files: [],
      report: { ...result } as unknown as JsonObject,
      usage: [{ unit: 'seconds', units: result.seconds }],
    },
  }
}
