/** Family T2 (docs/interface/sound.md#t2): narration of a text or of subtitles, at once or as a
 *  task. */

import { mediaTypeOf } from '@generation-gateway/kit/audio/encode.ts'
import type { ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { dayMs, KiB, minuteMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { runFailures } from '../../contract/description/error-answers.ts'
import { errorObject, gatewayError } from '../../contract/failure.ts'
import { defineFamily, type Failure, operation } from '../../contract/family.ts'
import type { BrokenRule } from '../../contract/neutral-call.ts'
import { neutralForm } from '../../contract/neutral-form.ts'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { modelField, notBlank } from '../shared/common-fields.ts'
import { spokenText, wellFormedText } from '../shared/spoken-text.ts'
import { lengthProblem, mostCueCharacters } from './subtitles.ts'

const base = '/v1/ai/{endpoint}/tts-n'
const speech = 'tts-n/text-to-speech/{responseFormat}'
const path = `/v1/ai/{endpoint}/${speech}`
const aliases = [`/v1/{endpoint}/${speech}`, `/{endpoint}/${speech}`]

/** Limits of the variants: `bytes` limits the decoded text; `minutes` limits the end of the last
 *  cue, and the sum of all pauses in a text. */
export const variants = {
  short: { formats: ['mp3', 'm4a'], bytes: KiB, minutes: 10, deadlineMs: minuteMs / 2 },
  long: { formats: ['mp3', 'm4a', 'wav'], bytes: KiB * KiB, minutes: 120, deadlineMs: 45 * minuteMs },
} as const
export type Variant = keyof typeof variants

/** Gain in decibels by word (docs/interface/sound.md#t2). */
export const volumes = { 'x-loud': 6, loud: 3, standard: 0, soft: -6, 'x-soft': -12, normalized: 'normalized' } as const
export const speeds: Readonly<Record<string, number>> = { slow: 0.8, normal: 1, fast: 1.2 }
export const speedRange = { least: 0.3, most: 2 } as const
export const resultMs = 10 * minuteMs
export const statusMs = dayMs

export const mediaTypes = ['text/plain', 'application/x-www-form-urlencoded', 'text/vtt', 'application/x-subrip', 'text/srt'] as const

const query = Type.Object({
  voice: optional.string({
    minLength: 1,
    maxLength: 200,
    description: 'A name from `tts-n/voices`, in either case. Absent: the usual voice of the target.',
  }),
  'voice-speed': Type.String({
    pattern: '^(slow|normal|fast|[0-9]{1,3}(\\.[0-9]{1,6})?)$',
    mustBe: 'fast, normal, slow or a number from 0.3 to 2',
    default: 'normal',
    description: '`slow` is 0.8, `fast` is 1.2.',
  }),
  'voice-volume': words(['x-loud', 'loud', 'standard', 'soft', 'x-soft', 'normalized'], {
    default: 'standard',
    description: 'Gains of 6, 3, 0, -6 and -12 dB; `normalized`: brought to the usual loudness.',
  }),
  model: modelField('A model of this family; absent: the route of the endpoint, else the built-in one.'),
})

const schema = Type.Object({
  text: Type.String({
    minLength: 1,
    ...notBlank,
    description: `The text, or subtitles, whose cues, each of at most ${mostCueCharacters.toLocaleString('en')} characters, are spoken each at its time. In a text \`(pause: 5)\` is so many seconds of silence, up to 600, and \`(voice: fable)\` another voice from there on.`,
  }),
  type: words(mediaTypes, { description: 'The content type.' }),
})

const accepted = namedObject('Narration', {
  statusUrl: Type.String({
    format: 'http-url',
    description: 'Link to the state of the task; it works for a day and without authorization.',
  }),
  taskId: Type.String(),
})

const status = namedObject('NarrationStatus', {
  finished: Type.Boolean({ description: 'True: nothing will change any more.' }),
  succeeded: Type.Boolean(),
  percent: Type.Integer({ minimum: 0, maximum: 100 }),
  message: Type.String({ description: 'Why it failed, else empty.' }),
  result: optional.string({ format: 'http-url', description: 'The sound, for 10 minutes; each look gives a fresh link.' }),
  durationInSeconds: optional.integer({ unit: 's', description: 'Rounded.' }),
})

const voices = Type.Array(
  Type.Object({
    name: Type.String({ description: 'What `voice` takes.' }),
    title: Type.String(),
    language: Type.String({ description: 'In English.' }),
    languageCode: Type.String({ description: 'BCP 47.' }),
    gender: words(['female', 'male']),
    styles: Type.Array(Type.String()),
  }),
  { name: 'NarrationVoices' },
)

const failsWith: readonly ErrorCode[] = ['idempotency_conflict', 'gone']
const body = (variant: Variant) => ({
  kinds: ['text'] as const,
  schema,
  text: { mediaTypes, field: 'text', typeField: 'type' },
  // In a URL-encoded body, one byte of the text can become three (`%C3`).
  residualLimitBytes: 3 * variants[variant].bytes + KiB,
})

/** Checks the limits of the long variant on requests in neutral form, which have the text in
 *  parts. */
const narrationForm = neutralForm({
  capabilities: ['speech.synthesize'],
  rules: [wellFormedText('text')],
  bodyOf: ({ request }) => ({ text: spokenText(request) }),
  problem: ({ request }) => {
    const { cues = [], passages = [] } = request
    const { bytes: most, minutes } = variants.long
    const bytes = Buffer.byteLength(spokenText(request))
    if (bytes > most) return bodyProblem(`The text has ${bytes} bytes; at most ${most} of the long variant.`)
    const [tooLong] = cues.flatMap(cue => lengthProblem(cue) ?? [])
    if (tooLong !== undefined) return bodyProblem(`The body ${tooLong}.`)
    const pausedMs = passages.reduce((sum, { pauseMs }) => sum + pauseMs, 0)
    const ms = cues.reduce((latest, { endMs }) => Math.max(latest, endMs), pausedMs)
    if (ms > minutes * 60_000) return bodyProblem(`The body has cues or pauses of ${Math.ceil(ms / 1000)} s; at most ${minutes * 60} s.`)
    return undefined
  },
})

function bodyProblem(message: string): BrokenRule {
  return { id: 'length', field: 'body', message }
}

export const t2 = defineFamily({
  id: 'T2',
  title: 'Narration',
  source: 'docs/interface/sound.md#t2',
  description:
    'A text or subtitles as speech; the body is the text itself. With `Accept: application/octet-stream` the sound is the answer (up to 1 KiB of text and 30 s of work); otherwise a task is begun (up to 1 MiB and 45 minutes), whose state is at a link that needs no key. Each cue of subtitles is spoken at its time: faster where its slot is too short, and later where one before it is not done.',
  models: [{ id: 'MaaS_Speech_N', title: 'Narration', capability: 'speech.synthesize' }],
  fieldNames: { speed: 'voice-speed', volume: 'voice-volume', format: 'responseFormat', cues: 'body', passages: 'body', text: 'body' },
  deadlineMs: variants.long.deadlineMs,
  linkLifetimeMs: resultMs,
  keepMs: dayMs,
  failure,
  operations: {
    speakNow: operation({
      operationId: 'createNarration',
      method: 'POST',
      path,
      aliases,
      when: { accept: 'application/octet-stream' },
      summary: 'Narrate a short text at once',
      choosesModel: { in: 'query', name: 'model' },
      query,
      body: body('short'),
      rules: [wellFormedText('text')],
      failsWith: [...runFailures, ...failsWith],
      needs: ['voices'],
      reply: {
        others: [
          {
            kind: 'file',
            mediaTypes: variants.short.formats.map(container => mediaTypeOf({ container })),
            says: 'The sound.',
          },
        ],
        headers: { 'x-duration-seconds': Type.Number({ unit: 's', description: 'Of the sound, with three decimals.' }) },
      },
      examples: [
        {
          title: 'Some words',
          path: { responseFormat: 'mp3' },
          body: { text: 'Once upon a time there was a lighthouse.', type: 'text/plain' },
        },
      ],
    }),
    speakLater: operation({
      operationId: 'startNarration',
      method: 'POST',
      path,
      aliases,
      summary: 'Begin a narration',
      choosesModel: { in: 'query', name: 'model' },
      query,
      body: body('long'),
      rules: [wellFormedText('text')],
      neutralForm: narrationForm,
      failsWith,
      needs: ['voices'],
      reply: { schema: accepted },
      examples: [
        {
          title: 'A sentence',
          path: { responseFormat: 'mp3' },
          query: { 'voice-speed': 'slow' },
          body: { text: 'Once upon a time there was a lighthouse.', type: 'text/plain' },
          reply: {
            statusUrl: 'https://gateway.example/v1/ai/default/tts-n/status/01kb2v0f5w9h3t8m6q4y7z1xcd?exp=1795000000&kid=k1&sig=abc',
            taskId: '01kb2v0f5w9h3t8m6q4y7z1xcd',
          },
        },
      ],
    }),
    status: operation({
      operationId: 'getNarration',
      method: 'GET',
      path: `${base}/status/{taskId}`,
      access: 'signed',
      summary: 'State and result of a narration',
      failsWith: ['task_not_found'],
      reply: {
        schema: status,
        headers: { 'cache-control': Type.String(), 'retry-after': Type.Integer({ unit: 's', description: 'While it is not finished.' }) },
      },
      examples: [
        {
          title: 'On its way',
          path: { taskId: '01kb2v0f5w9h3t8m6q4y7z1xcd' },
          needs: 'the link that the narration was answered with.',
          reply: { finished: false, succeeded: false, percent: 40, message: '' },
        },
      ],
    }),
    voices: operation({
      operationId: 'listNarrationVoices',
      method: 'GET',
      path: `${base}/voices`,
      summary: 'Voices for narrations',
      source: 'ours',
      needs: ['voices'],
      reply: { schema: voices },
      examples: [],
    }),
  },
})

const errorBody = namedObject('NarrationError', { message: Type.String(), error: gatewayError })

function failure(error: GatewayError, requestId: string): Failure {
  return { status: error.status, schema: errorBody, body: { message: error.message, error: errorObject(error, requestId) } }
}
