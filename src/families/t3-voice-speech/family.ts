/** Family T3 (docs/interface/sound.md#t3): speech in ElevenLabs' protocol, in which the path
 *  contains the id of the voice. */

import { dayMs } from '@generation-gateway/kit/units.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import { neutralForm } from '../../contract/neutral-form.ts'
import { spokenText } from '../shared/spoken-text.ts'
import { failure } from './failure.ts'
import { soundTypes } from './formats.ts'
import { aliases, models, textRules, usualGroup } from './models.ts'
import { dictionaries, modelList, speakBody, speakQuery, voiceList } from './schema.ts'
import { base, failsWith, serviceOperations, speech, speechHeaders } from './service-operations.ts'

export const t3 = defineFamily({
  id: 'T3',
  title: 'Speech in a voice by its id',
  source: 'docs/interface/sound.md#t3',
  description:
    'A text as speech, at paths that ElevenLabs’ clients find with the bare host as their base URL, or with `.../v1/ai/{endpoint}/tts-e`; at paths that other families have (`/v1/models`, `/v1/voices`) the header `xi-api-key` tells them apart. The bytes go out as they are made. Each call is a task behind its answer, whose id is the header `request-id`: later calls may name it as their neighbour.',
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
      vendorPaths: [`/v1/${speech}`, `/v1/${speech}/stream`],
      summary: 'Speak a text in a voice',
      choosesModel: { in: 'body', name: 'model_id' },
      query: speakQuery,
      body: { schema: speakBody },
      rules: textRules,
      neutralForm: neutralForm({
        capabilities: ['speech.synthesize'],
        rules: textRules,
        bodyOf: ({ request }) => ({ text: spokenText(request) }),
      }),
      failsWith,
      needs: ['accountTasks', 'files', 'section'],
      reply: {
        others: [
          {
            kind: 'bytes',
            mediaTypes: soundTypes,
            says: 'The sound in the requested format, sent while it is made. After a failure behind the first byte, the connection is cut.',
          },
        ],
        headers: speechHeaders,
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
      aliases: [`${base}/voices`],
      sharedPaths: { header: 'xi-api-key', paths: ['/v1/voices'] },
      summary: 'Voices, in the shape of ElevenLabs',
      source: 'ours',
      needs: ['voices'],
      reply: { schema: voiceList },
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
      sharedPaths: { header: 'xi-api-key', paths: ['/v1/models'] },
      summary: 'Models, in the shape of ElevenLabs',
      source: 'ours',
      reply: { schema: modelList },
      examples: [],
    }),
    ...serviceOperations,
  },
})
