/** Part C, T3: speech in a voice by its id, in ElevenLabs' protocol. */

import type { ErrorCode } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import { runFailures } from '../../contract/error-answers.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import type { Rule } from '../../contract/operation.ts'
import { wellFormed } from '../../contract/spoken-text.ts'
import { failure } from './failure.ts'
import { soundTypes } from './formats.ts'
import { aliases, groupNames, groups, models, usualGroup } from './models.ts'
import { dictionaries, modelList, speakBody, speakQuery, voiceList } from './schema.ts'

const dayMs = 24 * 3_600_000
const base = '/v1/ai/{endpoint}/tts-e'
const speech = 'text-to-speech/{voice_id}'
const failsWith: readonly ErrorCode[] = [...runFailures, 'idempotency_conflict', 'gone']

const fits: Rule<{ text: string }>[] = groupNames.map(group => {
  const { characters } = groups[group]
  return {
    id: `text-length-${group.replaceAll('_', '-')}`,
    says: `text has at most ${characters} characters.`,
    field: 'text',
    source: 'interface',
    groups: [group],
    // Code points are never more than units.
    holds: ({ text }) => text.length <= characters || [...text].length <= characters,
    explain: ({ text }) => `text has ${[...text].length} characters; at most ${characters} of ${group}.`,
  }
})

export const t3 = defineFamily({
  id: 'T3',
  title: 'Speech in a voice by its id',
  source: 'Part C, T3',
  description:
    'A text as speech, at paths that ElevenLabs’ clients find with their base URL set to `.../v1/ai/{endpoint}/tts-e`. The bytes go out as they are made. Each call is a task behind its answer, whose id is the header `request-id`: later calls may name it as their neighbour.',
  models,
  aliases,
  groupOf: () => usualGroup,
  fieldNames: {
    voice: 'voice_id',
    format: 'output_format',
    language: 'language_code',
    speed: 'voice_settings.speed',
    style: 'voice_settings',
    pronunciations: 'pronunciation_dictionary_locators',
    previousText: 'previous_text',
    nextText: 'next_text',
    isPrivate: 'enable_logging',
  },
  sections: { pronunciation_dictionaries: dictionaries },
  deadlineMs: 30 * 60_000,
  linkLifetimeMs: dayMs,
  keepMs: dayMs,
  failure,
  operations: {
    speak: operation({
      operationId: 'createVoiceSpeech',
      method: 'POST',
      path: `${base}/${speech}`,
      aliases: [
        `/v1/{endpoint}/tts-e/${speech}`,
        `/{endpoint}/tts-e/${speech}`,
        `${base}/${speech}/stream`,
        `${base}/v1/${speech}`,
        `${base}/v1/${speech}/stream`,
      ],
      summary: 'Speak a text in a voice',
      source: 'interface',
      choosesModel: { in: 'body', name: 'model_id' },
      query: speakQuery,
      body: { schema: speakBody },
      rules: [wellFormed('text'), ...fits],
      failsWith,
      reply: {
        status: 200,
        others: [
          {
            kind: 'bytes',
            mediaTypes: soundTypes,
            says: 'The sound in the format that was asked for, as it is made. When it fails behind the first byte, the connection is cut.',
          },
        ],
        headers: {
          'character-cost': Type.Integer({ description: 'Characters of the text.' }),
          'request-id': Type.String({ description: 'What a later call names as its neighbour, for two hours.' }),
        },
      },
      examples: [
        {
          title: 'In the voice of Rachel',
          path: { voice_id: '21m00Tcm4TlvDq8ikWAM' },
          body: { text: 'The first move is what sets everything in motion.', model_id: 'tts_multilingual_v2' },
        },
        {
          title: 'For a telephone',
          path: { voice_id: 'TxGEqnHWrfWFTfGW9XjX' },
          query: { output_format: 'ulaw_8000' },
          body: { text: 'Your call is important to us.', model_id: 'tts_turbo_v2', voice_settings: { stability: 0.4 } },
        },
      ],
    }),
    voices: operation({
      operationId: 'listVoiceIds',
      method: 'GET',
      path: `${base}/v1/voices`,
      aliases: [`${base}/voices`, `${base}/v2/voices`],
      summary: 'Voices, in the shape of ElevenLabs',
      source: 'ours',
      reply: { status: 200, schema: voiceList },
      examples: [
        {
          title: 'One voice',
          reply: {
            voices: [
              {
                voice_id: '21m00Tcm4TlvDq8ikWAM',
                name: 'Rachel',
                category: 'premade',
                labels: { accent: 'en-US', age: 'young', gender: 'female' },
                description: 'calm',
                preview_url: null,
              },
            ],
            has_more: false,
            total_count: 1,
            next_page_token: null,
          },
        },
      ],
    }),
    models: operation({
      operationId: 'listVoiceModels',
      method: 'GET',
      path: `${base}/v1/models`,
      aliases: [`${base}/models`],
      summary: 'Models, in the shape of ElevenLabs',
      source: 'ours',
      reply: { status: 200, schema: modelList },
      examples: [],
    }),
  },
})
