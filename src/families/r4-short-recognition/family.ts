/** Family R4 (docs/interface/sound.md#r4): transcription of a short recording in one of several
 *  locales (docs/vendors/azure-speech.md#short-recognition). */
import type { FieldNames } from '@generation-gateway/kit/requests/field-names.ts'
import { dayMs, hourMs, minuteMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { transcriptionFailures } from '../../contract/description/error-answers.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import { neutralForm } from '../../contract/neutral-form.ts'
import { namedObject } from '../../contract/schemas.ts'
import { modelField } from '../shared/common-fields.ts'
import { listOf, localeRules } from '../shared/recognition-locales.ts'
import { soundFailure } from '../shared/sound-failure.ts'
import { exampleSound, soundField } from '../shared/sound-fields.ts'

const body = Type.Object({
  file: soundField('The recording, at most 30 s.', { duration: { most: 30 } }),
  recognitionLanguages: Type.String({
    default: 'en-US,zh-CN',
    examples: ['en-US,fr-FR'],
    description: 'Locales that it may be in, 1 to 10 with commas between them.',
  }),
  timeout: Type.Integer({ minimum: 100, maximum: 5_000, default: 2_000, unit: 'ms', description: 'Silence that ends a phrase.' }),
  model: modelField(),
})

const reply = namedObject('ShortRecognition', {
  text: Type.String({ description: 'Empty without speech.' }),
  language: Type.String({ description: 'The locale that it is in; without speech the first one.' }),
  duration: Type.Integer({ unit: '100 ns', description: 'Of the recording.' }),
  durationInSeconds: Type.Integer({ unit: 's', description: 'The same, rounded; at least 1.' }),
})

const fieldNames: FieldNames = { audio: 'file', languages: 'recognitionLanguages', voiceActivity: 'timeout' }

export const r4 = defineFamily({
  id: 'R4',
  title: 'Short recognition',
  source: 'docs/interface/sound.md#r4',
  description:
    'What is said in a recording of at most 30 s, in one of the locales that are named. Each call is a task behind its answer: with an `Idempotency-Key` a repeat finds it.',
  models: [{ id: 'short-recognition', title: 'Short recognition', capability: 'audio.transcribe' }],
  fieldNames,
  deadlineMs: 5 * minuteMs,
  linkLifetimeMs: hourMs,
  keepMs: dayMs,
  failure: soundFailure,
  operations: {
    recognize: operation({
      operationId: 'recognizeShort',
      method: 'POST',
      path: '/v1/ai/{endpoint}/audio/recognize',
      summary: 'Recognise a short recording',
      choosesModel: true,
      body: { kinds: ['multipart', 'json'], schema: body },
      rules: localeRules,
      neutralForm: neutralForm({
        capabilities: ['audio.transcribe'],
        rules: localeRules,
        bodyOf: ({ request: { languages } }) => ({ recognitionLanguages: listOf(languages) }),
      }),
      failsWith: transcriptionFailures,
      reply: { schema: reply },
      examples: [
        {
          title: 'A recording in English or French',
          body: { file: exampleSound, recognitionLanguages: 'en-US,fr-FR' },
          reply: { text: '', language: 'en-US', duration: 100_000, durationInSeconds: 1 },
        },
      ],
    }),
  },
})
