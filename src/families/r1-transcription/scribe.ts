/** Declares transcription (R1) in the format of ElevenLabs (`/v1/speech-to-text`). */
import Type from 'typebox'
import { transcriptionFailures } from '../../contract/description/error-answers.ts'
import { operation } from '../../contract/family.ts'
import type { FamilyModel } from '../../contract/model.ts'
import type { Rule } from '../../contract/operation.ts'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { namedModelField } from '../shared/common-fields.ts'
import { exampleSound, soundField, soundUrl } from '../shared/sound-fields.ts'

export const scribeModels: readonly FamilyModel[] = [
  { id: 'scribe_v1', title: 'Transcription in ElevenLabs’ shape', capability: 'audio.transcribe', group: 'basic' },
  { id: 'scribe_v2', title: 'Transcription in ElevenLabs’ shape, second', capability: 'audio.transcribe', group: 'basic' },
]

const scribeBody = Type.Object({
  model_id: Type.Optional(namedModelField('`scribe_v1`, `scribe_v2` or another model of this family.')),
  file: Type.Optional(soundField('The recording, unless it is at a URL.')),
  source_url: Type.Optional(soundUrl({ description: 'Where the recording is.' })),
  cloud_storage_url: Type.Optional(soundUrl({ description: 'The same by its older name.' })),
  language_code: optional.string({
    pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$',
    mustBe: 'a language like en or eng',
    description: 'ISO 639-1 or 639-3; absent: detected from the speech.',
  }),
  timestamps_granularity: words(['none', 'word', 'character'], {
    default: 'word',
    description: 'Times of characters are not available: `character` acts as `word`, with a warning.',
  }),
  diarize: Type.Boolean({ default: false, description: 'Words have their speaker.' }),
  num_speakers: optional.integer({ minimum: 1, maximum: 32, description: 'Speakers at most.' }),
  tag_audio_events: Type.Boolean({ default: true, description: 'Changes nothing: there is speech alone in the text.' }),
  keyterms: optional.array(Type.String({ maxLength: 50 }), { maxItems: 100, description: 'Words that are to be expected.' }),
  temperature: optional.number({ minimum: 0, maximum: 2, description: 'As the model takes it, 1 at most.' }),
  use_multi_channel: Type.Boolean({ default: false, description: 'Only false: channels are mixed.' }),
  webhook: Type.Boolean({ default: false, description: 'Only false: the answer is the transcript.' }),
})
export type ScribeBody = Type.Static<typeof scribeBody>

const rules: Rule<ScribeBody>[] = [
  {
    id: 'one-recording',
    says: 'There is one of file, source_url and cloud_storage_url.',
    field: 'file',
    source: 'ours',
    holds: body => recordings(body) === 1,
    explain: body =>
      recordings(body) === 0
        ? 'file is required, or source_url.'
        : `The request has ${recordings(body)} recordings; one, as file, source_url or cloud_storage_url.`,
  },
  {
    id: 'no-webhook',
    says: 'webhook is false: the answer is the transcript.',
    field: 'webhook',
    source: 'ours',
    holds: ({ webhook }) => !webhook,
  },
  {
    id: 'no-channels',
    says: 'use_multi_channel is false: channels are mixed.',
    field: 'use_multi_channel',
    source: 'ours',
    holds: ({ use_multi_channel }) => !use_multi_channel,
  },
]

function recordings({ file, source_url, cloud_storage_url }: ScribeBody): number {
  return [file, source_url, cloud_storage_url].filter(each => each !== undefined).length
}

const seconds = (description: string) => Type.Number({ unit: 's', description })

export const scribeReply = namedObject('ScribeTranscription', {
  language_code: Type.String({ description: 'BCP 47.' }),
  language_probability: Type.Number({ description: '1: models do not tell it.' }),
  text: Type.String(),
  words: Type.Array(
    namedObject('ScribeWord', {
      text: Type.String(),
      start: seconds('Where it begins.'),
      end: seconds('Where it ends.'),
      type: words(['word', 'spacing']),
      speaker_id: optional.string({ description: '`speaker_0` and on, with `diarize`.' }),
      logprob: Type.Number({ description: 'Natural logarithm of its probability; 0 where the model does not tell it.' }),
    }),
  ),
  transcription_id: Type.String({ description: 'Id of the task that transcribed it.' }),
  audio_duration_secs: seconds('Of the recording.'),
})

export const scribe = operation({
  operationId: 'createScribeTranscription',
  method: 'POST',
  path: '/v1/ai/{endpoint}/tts-e/v1/speech-to-text',
  vendorPaths: ['/v1/speech-to-text'],
  summary: 'Transcribe a recording, in the shape of ElevenLabs',
  source: 'ours',
  choosesModel: { in: 'body', name: 'model_id' },
  query: Type.Object({ enable_logging: Type.Boolean({ default: true, description: 'Only true: each call is a task behind its answer.' }) }),
  body: { kinds: ['multipart', 'json'], schema: scribeBody },
  rules,
  failsWith: transcriptionFailures,
  reply: { schema: scribeReply },
  examples: [{ title: 'A recording as ElevenLabs’ clients send it', body: { file: exampleSound, model_id: 'scribe_v1' } }],
})
