/** Fields and answers of transcriptions (docs/interface/sound.md#r1-and-r2;
 *  docs/vendors/openai-audio.md#transcription). */
import Type from 'typebox'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { namedModelField } from '../shared/common-fields.ts'
import { mostSoundBytes, soundField, soundTypes } from '../shared/sound-fields.ts'

export const formats = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const
export type Format = (typeof formats)[number]
const granularities = ['word', 'segment', 'sentence', 'none'] as const
export const mostSpeakers = 4

const strategy = namedObject('TranscriptionChunking', {
  type: words(['server_vad']),
  threshold: optional.number({
    minimum: 0,
    maximum: 1,
    description: 'Probability of speech from which a part is some; 0.5 when absent.',
  }),
  silence_duration_ms: optional.integer({
    minimum: 0,
    maximum: 60_000,
    unit: 'ms',
    description: 'Silence that ends a part; 200 when absent.',
  }),
  prefix_padding_ms: optional.integer({
    minimum: 0,
    maximum: 60_000,
    unit: 'ms',
    description: 'Kept before a part begins; 300 when absent.',
  }),
})

const common = {
  file: soundField(
    'The recording: flac, mp3, mp4, mpeg, mpga, m4a, ogg, wav or webm, told by its bytes. In JSON base64, a data URL or an http(s) URL.',
    {
      mediaTypes: soundTypes.usual,
    },
  ),
  model: Type.Optional(
    namedModelField('A model of this family; absent: the route of the endpoint, else the one whose parameter set takes the fields.'),
  ),
  temperature: Type.Number({ minimum: 0, maximum: 1, default: 0, description: 'Sampling: 0 is the likeliest words.' }),
}
const prompt = Type.String({ maxLength: 8_192, description: 'Words and style that are to be expected, in the language of the recording.' })

export const transcriptionBody = Type.Object({
  ...common,
  language: optional.string({
    pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$',
    mustBe: 'a language like en, or a locale like en-US',
    examples: ['en', 'pt-BR'],
    description: 'Language of the speech, ISO 639-1; absent: detected from the speech.',
  }),
  prompt: optional.string({ ...prompt, groups: ['token', 'basic'] }),
  response_format: words(formats, {
    default: 'json',
    description:
      'The two models that tell no speakers take json; the one that does json, text and diarized_json; whisper-1 all but diarized_json.',
  }),
  stream: Type.Boolean({ default: false, description: 'The text as it is recognised, as events. whisper-1 ignores it.' }),
  include: optional.array(words(['logprobs']), {
    maxItems: 8,
    groups: ['token'],
    description: 'logprobs: log probabilities of the tokens.',
  }),
  timestamp_granularities: optional.array(words(granularities), {
    maxItems: 8,
    description: 'Only for models that answer in verbose_json. segment (or sentence) when absent; word needs verbose_json; none: no times.',
  }),
  chunking_strategy: Type.Optional(
    Type.Union([Type.Literal('auto'), strategy], {
      groups: ['token', 'diarize'],
      description: 'How it is cut into parts: auto by voice activity; absent: as one.',
    }),
  ),
  known_speaker_names: optional.array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: mostSpeakers,
    groups: ['diarize'],
    description: 'Labels of the speakers whose samples are given, in their order.',
  }),
  known_speaker_references: optional.array(
    soundField('A sample of 2 to 10 seconds.', {
      role: 'speaker',
      maxBytes: mostSoundBytes / 5,
      // The interface says 2 to 10 s. A tenth of a second is tolerated on both sides, because
      // encoders add or remove about that much.
      duration: { least: 1.9, most: 10.1 },
    }),
    { maxItems: mostSpeakers, groups: ['diarize'], description: 'Samples of known speakers, as data URLs.' },
  ),
})

export const translationBody = Type.Object({
  ...common,
  prompt: Type.Optional(prompt),
  response_format: words(['json', 'text', 'srt', 'verbose_json', 'vtt'], { default: 'json', description: 'Form of the answer.' }),
})

const seconds = (description: string) => Type.Number({ unit: 's', description })

const token = namedObject('TranscriptionToken', {
  token: Type.String(),
  logprob: Type.Number(),
  bytes: Type.Array(Type.Integer(), { description: 'UTF-8.' }),
})

export const tokenUsage = namedObject('TranscriptionTokenUsage', {
  type: Type.Literal('tokens'),
  input_tokens: Type.Integer(),
  input_token_details: Type.Object({ text_tokens: Type.Integer(), audio_tokens: Type.Integer() }),
  output_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
})
const durationUsage = namedObject('TranscriptionDurationUsage', {
  type: Type.Literal('duration'),
  seconds: seconds('Of the recording, rounded up.'),
})
const usage = Type.Union([tokenUsage, durationUsage])

const plain = namedObject('Transcription', {
  text: Type.String(),
  logprobs: optional.array(token),
  usage: Type.Optional(usage),
})

const verboseSegment = namedObject('TranscriptionVerboseSegment', {
  id: Type.Integer(),
  seek: Type.Integer(),
  start: seconds('Where it begins.'),
  end: seconds('Where it ends.'),
  text: Type.String(),
  tokens: Type.Array(Type.Integer(), { description: 'Empty where the model does not tell them.' }),
  temperature: Type.Number(),
  avg_logprob: Type.Number({ description: '0 where the model does not tell it.' }),
  compression_ratio: Type.Number({ description: '0 where the model does not tell it.' }),
  no_speech_prob: Type.Number({ description: '0 where the model does not tell it.' }),
})

const verbose = namedObject('TranscriptionVerbose', {
  task: words(['transcribe', 'translate']),
  language: Type.String({ description: 'Its English name, like english.' }),
  duration: seconds('Of the recording.'),
  text: Type.String(),
  words: optional.array(
    namedObject('TranscriptionWord', { word: Type.String(), start: seconds('Where it begins.'), end: seconds('Where it ends.') }),
  ),
  segments: optional.array(verboseSegment),
  usage: Type.Optional(usage),
})

const diarizedSegment = namedObject('TranscriptionDiarizedSegment', {
  type: Type.Literal('transcript.text.segment'),
  id: Type.String({ description: 'seg_001, ...' }),
  start: seconds('Where it begins.'),
  end: seconds('Where it ends.'),
  text: Type.String(),
  speaker: Type.String({ description: 'A given name, else A, B, ... in the order they speak.' }),
})

const diarized = namedObject('TranscriptionDiarized', {
  task: Type.Literal('transcribe'),
  duration: seconds('Of the recording.'),
  text: Type.String(),
  segments: Type.Array(diarizedSegment),
  usage: Type.Optional(usage),
})

export const transcriptionReply = Type.Union([diarized, verbose, plain], { name: 'TranscriptionAnswer' })
export const translationReply = Type.Union([verbose, plain], { name: 'AudioTranslationAnswer' })

export const transcriptionEvent = Type.Union(
  [
    namedObject('TranscriptTextDelta', {
      type: Type.Literal('transcript.text.delta'),
      delta: Type.String(),
      logprobs: optional.array(token),
    }),
    diarizedSegment,
    namedObject('TranscriptTextDone', {
      type: Type.Literal('transcript.text.done'),
      text: Type.String(),
      logprobs: optional.array(token),
      usage: Type.Optional(tokenUsage),
    }),
  ],
  { name: 'TranscriptionEvent' },
)
