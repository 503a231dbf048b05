/** Family T1 (docs/interface/sound.md#t1): speech from a text, in OpenAI's protocol. */
import { mediaTypeOf } from '@generation-gateway/kit/audio/encode.ts'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { SoundFormat } from '@generation-gateway/kit/requests/speech.ts'
import { t1Voices } from '@generation-gateway/kit/requests/voices.ts'
import { dayMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { runFailures } from '../../contract/description/error-answers.ts'
import { defineFamily, type Failure, operation } from '../../contract/family.ts'
import { neutralForm } from '../../contract/neutral-form.ts'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { namedModelField, promptField } from '../shared/common-fields.ts'
import { openaiError, openaiFailure, openaiStreamFailure } from '../shared/openai-failure.ts'
import { spokenText, textLength, wellFormedText } from '../shared/spoken-text.ts'

const mostCharacters = 4096

/** The sound format of each `response_format`. */
export const formats = {
  mp3: { container: 'mp3' },
  opus: { container: 'opus' },
  aac: { container: 'aac' },
  flac: { container: 'flac' },
  wav: { container: 'wav' },
  pcm: { container: 'pcm', sampleRate: 24_000 },
} as const satisfies Record<string, SoundFormat>
export type FormatWord = keyof typeof formats

const steered = 'gpt-4o-mini-tts'
const voiceName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: `${t1Voices.map(({ id }) => `\`${id}\``).join(', ')}, or another voice that the target has (\`GET /v1/voices\`).`,
})

const speechBody = Type.Object({
  input: promptField('The text.', { maxLength: mostCharacters, examples: ['The quick brown fox jumps over the lazy dog.'] }),
  voice: Type.Union([voiceName, Type.Object({ id: voiceName })], { description: 'By its name, or as `{ "id": name }`.' }),
  model: Type.Optional(
    namedModelField(
      `\`tts-1\`, \`tts-1-hd\` (the voice as good as the target can), \`${steered}\` (follows instructions), or another one that is configured. Absent: the route of the endpoint, else the first that takes the fields.`,
    ),
  ),
  instructions: optional.string({ maxLength: mostCharacters, groups: [steered], description: `How it is to be said. Of ${steered}.` }),
  response_format: words(Object.keys(formats) as FormatWord[], {
    default: 'mp3',
    description: '`opus` in Ogg, `aac` in ADTS, `pcm` signed 16 bit, little-endian, at 24 kHz without a header. All mono.',
  }),
  speed: Type.Number({ minimum: 0.25, maximum: 4, default: 1, description: '2 is twice as fast.' }),
  stream_format: words(['audio', 'sse'], {
    default: 'audio',
    description: `\`audio\`: the file, sent as it is made. \`sse\`: events with base64, of ${steered}.`,
  }),
})

const usage = namedObject('SpeechUsage', {
  input_tokens: Type.Integer({ description: 'Of the text, estimated where the target does not count them.' }),
  output_tokens: Type.Integer({ description: 'Of the sound: 1250 a minute where the target does not count them.' }),
  total_tokens: Type.Integer(),
})

export const speechEvent = Type.Union(
  [
    namedObject('SpeechAudioDelta', {
      type: Type.Literal('speech.audio.delta'),
      audio: Type.String({ description: 'Further bytes of the file in base64.' }),
    }),
    namedObject('SpeechAudioDone', { type: Type.Literal('speech.audio.done'), usage }),
  ],
  { name: 'SpeechEvent' },
)

/** Schema of the list at `audio/voices`, where some programs look for the voices that they offer
 *  to their users. */
const voiceNames = namedObject('SpeechVoices', {
  voices: Type.Array(Type.Object({ id: Type.String({ description: 'What `voice` takes.' }), name: Type.String() })),
})
const modelNames = namedObject('SpeechModels', {
  models: Type.Array(Type.Object({ id: Type.String({ description: 'What `model` takes.' }), name: Type.String() })),
})
const listAliases = (list: string) => [`/v1/{endpoint}/audio/${list}`, `/{endpoint}/audio/${list}`, `/v1/audio/${list}`]

const speechForm = neutralForm({
  capabilities: ['speech.synthesize'],
  rules: [wellFormedText('input'), textLength('input', mostCharacters)],
  bodyOf: ({ request }) => ({ input: spokenText(request) }),
})

export const t1 = defineFamily({
  id: 'T1',
  title: 'Speech',
  source: 'docs/interface/sound.md#t1',
  description:
    'A text as speech, in the protocol of OpenAI’s clients. The bytes go out as they are made. Each call is a task behind its answer: with an `Idempotency-Key` a repeat gets the same file.',
  models: [
    { id: 'tts-1', title: 'Speech', capability: 'speech.synthesize', group: 'tts-1' },
    { id: 'tts-1-hd', title: 'Speech, as good as the target can', capability: 'speech.synthesize', group: 'tts-1-hd' },
    { id: steered, title: 'Speech that follows instructions', capability: 'speech.synthesize', group: steered },
  ],
  // Azure's names of the same models.
  aliases: { tts: 'tts-1', 'tts-hd': 'tts-1-hd' },
  groupOf: ({ fields, body }) => (fields.has('instructions') || body.stream_format === 'sse' ? steered : 'tts-1'),
  fieldNames: { text: 'input', format: 'response_format' },
  deadlineMs: 30 * 60_000,
  linkLifetimeMs: dayMs,
  keepMs: dayMs,
  failure,
  streamFailure: openaiStreamFailure,
  operations: {
    speak: operation({
      operationId: 'createSpeech',
      method: 'POST',
      path: '/v1/ai/{endpoint}/audio/speech',
      aliases: ['/v1/{endpoint}/audio/speech', '/{endpoint}/audio/speech', '/v1/audio/speech'],
      summary: 'Speak a text',
      choosesModel: true,
      body: { schema: speechBody },
      neutralForm: speechForm,
      rules: [
        wellFormedText('input'),
        {
          id: 'events-of-one-model',
          says: `stream_format is audio.`,
          field: 'stream_format',
          groups: ['tts-1', 'tts-1-hd'],
          holds: ({ stream_format: format }) => format !== 'sse',
          explain: () => `stream_format is sse; only ${steered} takes that.`,
        },
      ],
      failsWith: runFailures,
      needs: ['accountTasks'],
      reply: {
        others: [
          {
            kind: 'bytes',
            mediaTypes: Object.values(formats).map(mediaTypeOf),
            says: 'The sound in the requested format, sent while it is made. After a failure behind the first byte, the connection is cut.',
          },
        ],
        stream: {
          says: 'With `stream_format` sse: `speech.audio.delta` for each piece, `speech.audio.done` with the usage, then `[DONE]`. A failure on the way is an object with a top-level `error`, then `[DONE]`.',
          event: speechEvent,
        },
      },
      examples: [
        {
          title: 'A sentence',
          body: { model: 'tts-1', input: 'The quick brown fox jumps over the lazy dog.', voice: 'alloy' },
        },
        {
          title: 'Twice as fast, as raw samples',
          body: { input: 'Mind the gap.', voice: 'fable', response_format: 'pcm', speed: 2 },
        },
      ],
    }),
    voices: operation({
      operationId: 'listSpeechVoices',
      method: 'GET',
      path: '/v1/ai/{endpoint}/audio/voices',
      aliases: listAliases('voices'),
      summary: 'Names of voices',
      description: 'The same voices as `GET /v1/voices`, which says more about each.',
      source: 'ours',
      needs: ['voices'],
      reply: { schema: voiceNames },
      examples: [{ title: 'One voice', reply: { voices: [{ id: 'coral', name: 'Coral' }] } }],
    }),
    models: operation({
      operationId: 'listSpeechModels',
      method: 'GET',
      path: '/v1/ai/{endpoint}/audio/models',
      aliases: listAliases('models'),
      summary: 'Names of models that speak',
      source: 'ours',
      needs: ['models'],
      reply: { schema: modelNames },
      examples: [{ title: 'One model', reply: { models: [{ id: 'tts-1', name: 'Speech' }] } }],
    }),
  },
})

/** OpenAI's codes for a value beyond its limit (docs/vendors/openai-audio.md#speech). */
const codes: Readonly<Record<string, string>> = {
  minLength: 'missing_required_parameter',
  maxLength: 'string_above_max_length',
  minimum: 'decimal_below_min_value',
  maximum: 'decimal_above_max_value',
}

function failure(error: GatewayError, requestId: string): Failure {
  const { status, body, schema } = openaiFailure(error, requestId)
  const [issue] = error.issues
  // The target reports an unknown voice, because only the target knows its voices.
  const code = issue ? codes[issue.rule] : error.field === 'voice' ? 'unsupported_value' : undefined
  if (error.code !== 'invalid_request' || error.wire || code === undefined) return { status, body, schema }
  return { status, schema, body: { ...body, error: { ...openaiError(error, requestId), code } } }
}
