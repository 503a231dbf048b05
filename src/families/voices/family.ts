/** Lists the voices of the interface, of the engines and of configured targets. Voices of the
 *  interface and of the engines have a sample. The entry of a voice of the interface names the
 *  voice of an engine that speaks in its place. */
import { dayMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { runFailures } from '../../contract/description/error-answers.ts'
import { defaultFailure } from '../../contract/failure.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import { namedObject, orNull } from '../../contract/schemas.ts'
import { atEndpoint } from '../shared/paths.ts'

export const sampleLinkMs = dayMs
/** Largest number of attempts per day to create the sample of a voice at an endpoint, including
 *  failed ones. The attempts are limited because anyone with the link can start one without a
 *  key. */
export const mostRuns = 5

const voice = namedObject('Voice', {
  id: Type.String({ description: 'The name of the voice in requests of T1, T2 and T3.' }),
  title: Type.String(),
  language: orNull<string>('string', { description: 'BCP 47 with the region, which is the accent; null where a service does not tell.' }),
  sex: orNull<'female' | 'male'>('string', { enum: ['female', 'male', null], description: 'Null where a service does not tell.' }),
  age: orNull<'young' | 'middle' | 'old'>('string', { enum: ['young', 'middle', 'old', null], description: 'Likewise.' }),
  manner: Type.String({ description: 'How it sounds.' }),
  maker: orNull<string>('string', { description: 'The engine or service that makes it; null for a voice that the interface names.' }),
  spoken_by: orNull<string>('string', {
    description: 'The voice of an engine that speaks for a named one; null where none does, and for the engines’ own voices.',
  }),
  speaks_for: Type.Array(Type.String(), { description: 'Named voices that it speaks for.' }),
  targets: Type.Array(Type.Object({ model: Type.String(), voice: Type.String() }), {
    description: 'Models whose targets have a voice of their own for this name, and what the service calls it.',
  }),
  sample_url: orNull<string>('string', {
    format: 'http-url',
    description: `Null of a voice that only a service has. A sentence in this voice, for a day and without a key. It is spoken when it is first asked for, which costs what any call of the key costs, and kept for a week. When that fails, it is tried at most ${mostRuns} times a day.`,
  }),
})

const list = namedObject('Voices', { object: Type.Literal('list'), data: Type.Array(voice) })

export const voicesFamily = defineFamily({
  id: 'voices',
  title: 'Voices',
  source: 'Ours: what requests for speech may name',
  description:
    'The voices that the interface names, each with the one that speaks for it here, those of the installed engines, and those that the settings of configured targets name.',
  models: [{ id: 'MaaS_Voice_Sample', title: 'Samples of voices', capability: 'speech.synthesize' }],
  fieldNames: { voice: 'voice_id' },
  deadlineMs: 5 * 60_000,
  linkLifetimeMs: sampleLinkMs,
  keepMs: 7 * dayMs,
  failure: defaultFailure,
  operations: {
    list: operation({
      operationId: 'listVoices',
      method: 'GET',
      ...atEndpoint('voices'),
      summary: 'List voices',
      source: 'ours',
      needs: ['voices'],
      reply: { schema: list },
      examples: [],
    }),
    sample: operation({
      operationId: 'hearVoice',
      method: 'GET',
      path: '/v1/ai/{endpoint}/voices/{voice_id}/sample/{key_id}',
      access: 'signed',
      actsFor: 'key_id',
      getWrites: true,
      choosesModel: { in: 'query', name: 'model' },
      summary: 'A sentence in a voice',
      source: 'ours',
      failsWith: ['not_found', ...runFailures],
      needs: ['accountTasks', 'voices'],
      reply: { others: [{ kind: 'file', mediaTypes: ['audio/mpeg'], says: 'The sound.' }] },
      examples: [
        {
          title: 'Of alloy',
          path: { voice_id: 'alloy', key_id: '01kb2v0f5w9h3t8m6q4y7z1xcd' },
          needs: 'the link that a list has of the voice.',
        },
      ],
    }),
  },
})
