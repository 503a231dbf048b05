/** Families R1 and R2 (docs/interface/sound.md#r1-and-r2): transcription. Both have the same path.
 *  The model decides which set of parameters applies; in a request without a model, the fields
 *  decide. */
import type { FieldNames } from '@generation-gateway/kit/requests/field-names.ts'
import { dayMs, hourMs } from '@generation-gateway/kit/units.ts'
import { transcriptionFailures } from '../../contract/description/error-answers.ts'
import { type CallInput, defineFamily, operation } from '../../contract/family.ts'
import { atEndpoint } from '../shared/paths.ts'
import { soundFailure, soundStreamFailure } from '../shared/sound-failure.ts'
import { exampleSound } from '../shared/sound-fields.ts'
import { type Group, rules, transcriptionForm, translationForm, translationRules } from './rules.ts'
import { transcriptionBody, transcriptionEvent, transcriptionReply, translationBody, translationReply } from './schema.ts'
import { scribe, scribeModels } from './scribe.ts'

const fieldNames: FieldNames = {
  audio: 'file',
  speaker: 'known_speaker_references',
  speakers: 'known_speaker_names',
  languages: 'language',
  voiceActivity: 'chunking_strategy',
  words: 'timestamp_granularities',
  logprobs: 'include',
}

const olderFormats = new Set<unknown>(['text', 'srt', 'vtt', 'verbose_json'])

function groupOf({ operation: name, fields, body }: CallInput): Group {
  if (name === 'translate' || name === 'scribe') return 'basic'
  const { response_format: format, timestamp_granularities: wanted } = body
  if (format === 'diarized_json' || fields.has('known_speaker_names') || fields.has('known_speaker_references')) return 'diarize'
  const isOlder = Array.isArray(wanted) && (wanted.includes('sentence') || wanted.includes('none'))
  return isOlder || olderFormats.has(format) ? 'basic' : 'token'
}

const others = [
  { kind: 'text', mediaTypes: ['text/plain'], says: 'With response_format text: the words and a line break.' },
  { kind: 'text', mediaTypes: ['application/x-subrip'], says: 'With response_format srt: subtitles.' },
  { kind: 'text', mediaTypes: ['text/vtt'], says: 'With response_format vtt: subtitles.' },
] as const

const usage = {
  type: 'tokens' as const,
  input_tokens: 1,
  input_token_details: { text_tokens: 0, audio_tokens: 1 },
  output_tokens: 0,
  total_tokens: 1,
}

export const r1 = defineFamily({
  id: 'R1',
  title: 'Transcription',
  source: 'docs/interface/sound.md#r1-and-r2',
  description:
    'What is said in a recording: as text, with times, as subtitles, with its speakers, whole or as a stream. A recording without speech has an empty text. Without a model it is the one that tells speakers for diarized_json or known speakers, whisper-1 for text, srt, vtt, verbose_json and for granularity sentence or none, else gpt-4o-transcribe. Usage counts ten tokens a second of sound where the model counts none. Each call is a task behind its answer: with an `Idempotency-Key` a repeat finds it.',
  models: [
    { id: 'gpt-4o-transcribe', title: 'Transcription', capability: 'audio.transcribe', group: 'token' },
    { id: 'gpt-4o-mini-transcribe', title: 'Transcription, small', capability: 'audio.transcribe', group: 'token' },
    { id: 'gpt-4o-transcribe-diarize', title: 'Transcription with speakers', capability: 'audio.transcribe', group: 'diarize' },
    { id: 'whisper-1', title: 'Transcription, older', capability: 'audio.transcribe', group: 'basic' },
    ...scribeModels,
  ],
  aliases: {
    'gpt-transcribe': 'gpt-4o-transcribe',
    'gpt-live-transcribe': 'gpt-4o-transcribe',
    'gpt-4o-transcribe-latest': 'gpt-4o-transcribe',
    whisper: 'whisper-1',
    'whisper-large-v3': 'whisper-1',
    'whisper-large-v3-turbo': 'whisper-1',
  },
  groupOf,
  fieldNames,
  deadlineMs: hourMs,
  linkLifetimeMs: dayMs,
  keepMs: dayMs,
  failure: soundFailure,
  streamFailure: soundStreamFailure,
  operations: {
    transcribe: operation({
      operationId: 'createTranscription',
      method: 'POST',
      ...atEndpoint('audio/transcriptions'),
      summary: 'Transcribe a recording',
      description:
        'In multipart, lists come as `name`, `name[]` or words with commas, and an object member by member (`chunking_strategy[type]`) or as JSON.',
      choosesModel: true,
      body: { kinds: ['multipart', 'json'], schema: transcriptionBody },
      rules,
      neutralForm: transcriptionForm,
      failsWith: transcriptionFailures,
      reply: {
        schema: transcriptionReply,
        others,
        stream: {
          says: 'With `stream` true: `transcript.text.delta` while recognition goes on, with the model that tells speakers also `transcript.text.segment`, `transcript.text.done` with the whole text and the usage, and `[DONE]`. A failure after the first event is an object with a top-level `error`, then `[DONE]`.',
          event: transcriptionEvent,
        },
      },
      examples: [{ title: 'A recording as text', body: { file: exampleSound }, reply: { text: '', usage } }],
    }),
    translate: operation({
      operationId: 'createAudioTranslation',
      method: 'POST',
      ...atEndpoint('audio/translations'),
      summary: 'Translate a recording into English',
      source: 'ours',
      choosesModel: true,
      body: { kinds: ['multipart', 'json'], schema: translationBody },
      rules: translationRules,
      neutralForm: translationForm,
      failsWith: transcriptionFailures,
      reply: { schema: translationReply, others },
      examples: [
        { title: 'A recording in English', body: { file: exampleSound }, reply: { text: '', usage: { type: 'duration', seconds: 1 } } },
      ],
    }),
    scribe,
  },
})
