/** Family R5 (docs/interface/sound.md#r5): translation of the first 30 s of a recording into other
 *  languages (docs/vendors/azure-speech.md#speech-translation). */

import type { FieldNames } from '@generation-gateway/kit/requests/field-names.ts'
import { dayMs, hourMs, minuteMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { transcriptionFailures } from '../../contract/description/error-answers.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import { neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { namedObject } from '../../contract/schemas.ts'
import { modelField } from '../shared/common-fields.ts'
import { isFew, listed, listOf, localeRules } from '../shared/recognition-locales.ts'
import { soundFailure } from '../shared/sound-failure.ts'
import { exampleSound, soundField } from '../shared/sound-fields.ts'
import { codeOf } from './targets.ts'

export const mostSeconds = 30
const mostTargets = 10

const body = Type.Object({
  targetLanguages: Type.String({
    minLength: 1,
    examples: ['fr,de'],
    description: 'Languages to translate into, 1 to 10 with commas between them: fr, zh-Hans, pt-PT. The answer has them in this spelling.',
  }),
  file: soundField('The recording; its first 30 s are heard.'),
  recognitionLanguages: Type.String({
    minLength: 1,
    examples: ['en-US'],
    description: 'Locale of the recording; several with commas between them when hasRecognize is true, else the first one counts.',
  }),
  hasRecognize: Type.String({
    pattern: '^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])$',
    mustBe: 'true or false',
    default: 'false',
    examples: ['true'],
    description: 'The language is detected among recognitionLanguages.',
  }),
  SegmentationSilenceTimeoutMs: Type.Integer({
    minimum: 100,
    maximum: 5_000,
    default: 2_000,
    unit: 'ms',
    description: 'Silence that ends a phrase.',
  }),
  model: modelField(),
})

const rules: Rule<{ targetLanguages: string; recognitionLanguages: string }>[] = [
  ...localeRules,
  {
    id: 'targets-few',
    says: `targetLanguages are 1 to ${mostTargets}.`,
    field: 'targetLanguages',
    source: 'ours',
    holds: ({ targetLanguages }) => isFew(listed(targetLanguages), mostTargets),
    explain: ({ targetLanguages }) => `targetLanguages has ${listed(targetLanguages).length} languages; from 1 to ${mostTargets}.`,
  },
  {
    id: 'targets-languages',
    says: 'targetLanguages are codes of languages.',
    field: 'targetLanguages',
    source: 'ours',
    holds: ({ targetLanguages }) => listed(targetLanguages).every(target => codeOf(target) !== undefined),
    explain: ({ targetLanguages }) => {
      const strange = listed(targetLanguages).find(target => codeOf(target) === undefined) ?? ''
      return `targetLanguages has ${JSON.stringify(strange.slice(0, 40))}; each must be a language like fr, zh-Hans or pt-PT.`
    },
  },
]

const reply = namedObject('SpeechTranslation', {
  text: Type.String({ description: 'What was said; empty without speech.' }),
  translations: Type.Record(Type.String(), Type.String(), { description: 'By language, as targetLanguages has it.' }),
  language: Type.String({ description: 'The locale that it is in; without speech the first one.' }),
  duration: Type.Integer({ unit: '100 ns', description: 'Of what was heard.' }),
  resultId: Type.String({ description: '32 hexadecimal digits.' }),
  durationInSeconds: Type.Integer({ unit: 's', description: 'The duration, rounded; at least 1.' }),
})

const fieldNames: FieldNames = {
  audio: 'file',
  languages: 'recognitionLanguages',
  targets: 'targetLanguages',
  voiceActivity: 'SegmentationSilenceTimeoutMs',
}

export const r5 = defineFamily({
  id: 'R5',
  title: 'Speech translation',
  source: 'docs/interface/sound.md#r5',
  description:
    'What is said in the first 30 s of a recording, and its translations. A direction that the target does not know is refused. Each call is a task behind its answer: with an `Idempotency-Key` a repeat finds it.',
  models: [{ id: 'speech-translation', title: 'Speech translation', capability: 'audio.translate' }],
  fieldNames,
  deadlineMs: 5 * minuteMs,
  linkLifetimeMs: hourMs,
  keepMs: dayMs,
  failure: soundFailure,
  operations: {
    translate: operation({
      operationId: 'translateSpeech',
      method: 'POST',
      path: '/v1/ai/{endpoint}/audio/realtime/translation',
      summary: 'Translate what is said',
      choosesModel: true,
      body: { kinds: ['multipart', 'json'], schema: body },
      rules,
      neutralForm: neutralForm({
        capabilities: ['audio.translate'],
        rules,
        bodyOf: ({ request: { languages, targets } }) => ({ recognitionLanguages: listOf(languages), targetLanguages: listOf(targets) }),
      }),
      failsWith: transcriptionFailures,
      reply: {
        schema: reply,
        headers: { 'x-audio-truncated': Type.Boolean({ source: 'ours', description: 'true when more than 30 s were sent.' }) },
      },
      examples: [
        {
          title: 'Spanish in English',
          body: { file: exampleSound, recognitionLanguages: 'es-ES', targetLanguages: 'en' },
          reply: {
            ...{ text: '', translations: { en: '' }, language: 'es-ES', duration: 100_000 },
            ...{ resultId: '7c1f3a9be2d04558a6b1c0d2e3f4a5b6', durationInSeconds: 1 },
          },
        },
      ],
    }),
  },
})
