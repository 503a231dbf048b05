import type { Static } from 'typebox'
import { inputsOf, neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import type { Format, transcriptionBody } from './schema.ts'

type RuleFields = Pick<
  Static<typeof transcriptionBody>,
  'known_speaker_names' | 'known_speaker_references' | 'response_format' | 'timestamp_granularities'
>

/** Parameter sets of the models. `token`: the two newer models that do not distinguish speakers.
 *  `diarize`: the model that distinguishes speakers. `basic`: the older model, whose interface
 *  is family R2, and the models in the format of ElevenLabs. */
export type Group = 'token' | 'diarize' | 'basic'

const formatsOf: Record<Group, readonly Format[]> = {
  token: ['json'],
  diarize: ['json', 'text', 'diarized_json'],
  basic: ['json', 'text', 'srt', 'verbose_json', 'vtt'],
}

export const rules: Rule<RuleFields>[] = [
  ...(['token', 'diarize', 'basic'] as const).map(
    (group): Rule<RuleFields> => ({
      id: `${group}-format-unsupported`,
      says: `Models of the set ${group} answer in ${formatsOf[group].join(', ')}.`,
      field: 'response_format',
      groups: [group],
      holds: ({ response_format }) => formatsOf[group].includes(response_format),
      explain: ({ response_format }) => `response_format is ${response_format}; the model answers in ${formatsOf[group].join(', ')}.`,
    }),
  ),
  {
    id: 'speakers-without-words',
    says: 'The model that distinguishes speakers has no times of words.',
    field: 'timestamp_granularities',
    groups: ['diarize'],
    holds: body => !wantsWords(body),
  },
  {
    id: 'words-in-verbose',
    says: 'Times of words need response_format verbose_json.',
    field: 'timestamp_granularities',
    holds: body => body.response_format === 'verbose_json' || !wantsWords(body),
    explain: ({ response_format }) => `timestamp_granularities has word; that needs response_format verbose_json, not ${response_format}.`,
  },
  {
    id: 'names-and-samples',
    says: 'known_speaker_names and known_speaker_references are as many.',
    field: 'known_speaker_references',
    holds: ({ known_speaker_names: names = [], known_speaker_references: samples = [] }) => names.length === samples.length,
    explain: ({ known_speaker_names: names = [], known_speaker_references: samples = [] }) =>
      `known_speaker_references has ${samples.length} samples beside ${names.length} known_speaker_names; each name has one.`,
  },
  {
    id: 'names-once',
    says: 'known_speaker_names are different ones.',
    field: 'known_speaker_names',
    source: 'ours',
    holds: ({ known_speaker_names: names = [] }) => new Set(names).size === names.length,
  },
]

/** The language of translations. */
export const translatedTo = 'en'

/** Rules for translations: only the older model translates. */
export const translationRules: Rule<object>[] = [
  {
    id: 'model-unsupported',
    says: 'whisper-1 is the model that translates.',
    field: 'model',
    source: 'ours',
    groups: ['token', 'diarize'],
    holds: () => false,
  },
]

/** The rules on speakers. Only these apply to neutral requests, which have no response format. */
const speakerRules = rules.filter(({ field }) => field.startsWith('known_speaker'))

export const transcriptionForm = neutralForm({
  capabilities: ['audio.transcribe'],
  rules: speakerRules,
  bodyOf: call => ({
    response_format: 'json' as const,
    known_speaker_names: call.request.speakers?.names ?? [],
    known_speaker_references: inputsOf(call, 'speaker').map(({ mediaType }) => mediaType),
  }),
})
export const translationForm = neutralForm({
  capabilities: ['audio.translate'],
  rules: translationRules,
  bodyOf: () => ({}),
  problem: ({ request: { targets } }) =>
    targets.length === 1 && targets[0] === translatedTo
      ? undefined
      : { id: 'target', field: 'targets', message: `targets are ${targets.slice(0, 10).join(', ')}; translations are ${translatedTo}.` },
})

export function wantsWords({ timestamp_granularities: wanted = [] }: Pick<RuleFields, 'timestamp_granularities'>): boolean {
  return wanted.includes('word')
}
