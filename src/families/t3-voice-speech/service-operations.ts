/** Declares the operations of family T3 that ElevenLabs' clients use in addition to speech:
 *  speech with the times of its characters, voices, account and dictionaries. */
import type { ErrorCode } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import { runFailures } from '../../contract/description/error-answers.ts'
import { operation } from '../../contract/family.ts'
import {
  addedDictionary,
  deletedDictionary,
  dictionaryPage,
  dictionaryQuery,
  dictionaryReply,
  lexiconBody,
  rulesBody,
} from './dictionary-schema.ts'
import { textRules } from './models.ts'
import { speakBody, speakQuery } from './schema.ts'
import { oneVoice, searchQuery, subscriptionReply, timedSpeech, userReply, voicePage } from './service-schema.ts'

export const base = '/v1/ai/{endpoint}/tts-e'
export const speech = 'text-to-speech/{voice_id}'
export const failsWith: readonly ErrorCode[] = [...runFailures, 'idempotency_conflict', 'gone']

export const speechHeaders = {
  'character-cost': Type.Integer({ description: 'Characters of the text.' }),
  'request-id': Type.String({ description: 'What a later call names as its neighbour, for two hours.' }),
}

const timed = {
  method: 'POST',
  source: 'ours',
  choosesModel: { in: 'body', name: 'model_id' },
  query: speakQuery,
  body: { schema: speakBody },
  rules: textRules,
  failsWith,
} as const
const examples = [
  {
    title: 'In the voice of Rachel',
    path: { voice_id: '21m00Tcm4TlvDq8ikWAM' },
    body: { text: 'The first move.', model_id: 'tts_multilingual_v2' },
  },
]
/** Returns the paths of an operation: one below the endpoint and one directly below the host.
 *  Both contain `/v1`, because clients append it to their base URL. */
const at = (path: string) => ({ path: `${base}/v1/${path}`, vendorPaths: [`/v1/${path}`] })
const dictionaries = 'pronunciation-dictionaries'
const oneDictionary = [
  {
    title: 'One',
    path: { pronunciation_dictionary_id: '01kb2v0f5w9h3t8m6q4y7z1xcd' },
    needs: 'a dictionary that the account has made.',
  },
]

export const serviceOperations = {
  speakTimed: operation({
    operationId: 'createTimedVoiceSpeech',
    ...timed,
    ...at(`${speech}/with-timestamps`),
    summary: 'Speak a text, with the times of its characters',
    needs: ['accountTasks', 'files', 'section'],
    reply: { schema: timedSpeech, headers: speechHeaders },
    examples,
  }),
  streamTimed: operation({
    operationId: 'streamTimedVoiceSpeech',
    ...timed,
    ...at(`${speech}/stream/with-timestamps`),
    summary: 'The same line by line',
    description: 'A line of JSON for each piece of sound, then one with the times of the whole text and no sound.',
    needs: ['accountTasks', 'files', 'section'],
    reply: {
      schema: timedSpeech,
      others: [{ kind: 'bytes', mediaTypes: ['application/x-ndjson'], says: 'Lines of JSON, as the sound is made.' }],
      headers: speechHeaders,
    },
    examples: examples.map(example => ({ ...example, title: 'Line by line' })),
  }),
  searchVoices: operation({
    operationId: 'searchVoiceIds',
    method: 'GET',
    path: `${base}/v2/voices`,
    vendorPaths: ['/v2/voices'],
    summary: 'Look for voices',
    source: 'ours',
    query: searchQuery,
    needs: ['voices'],
    reply: { schema: voicePage },
    examples: [{ title: 'Women who speak English', query: { gender: 'female', language: 'en' } }],
  }),
  voice: operation({
    operationId: 'getVoiceId',
    method: 'GET',
    ...at('voices/{voice_id}'),
    summary: 'One voice',
    source: 'ours',
    needs: ['voices'],
    reply: { schema: oneVoice },
    examples: [{ title: 'Rachel', path: { voice_id: '21m00Tcm4TlvDq8ikWAM' } }],
  }),
  user: operation({
    operationId: 'getVoiceUser',
    method: 'GET',
    ...at('user'),
    summary: 'The account, in the shape of ElevenLabs',
    source: 'ours',
    needs: ['keyUsage'],
    reply: { schema: userReply },
    examples: [{ title: 'Who asks' }],
  }),
  subscription: operation({
    operationId: 'getVoiceSubscription',
    method: 'GET',
    ...at('user/subscription'),
    summary: 'What the account has used of its characters',
    source: 'ours',
    needs: ['keyUsage'],
    reply: { schema: subscriptionReply },
    examples: [{ title: 'Characters used' }],
  }),
  addDictionary: operation({
    operationId: 'createPronunciationDictionary',
    method: 'POST',
    ...at(`${dictionaries}/add-from-rules`),
    summary: 'Make a pronunciation dictionary of rules',
    source: 'ours',
    body: { schema: rulesBody },
    needs: ['files'],
    reply: { schema: addedDictionary },
    examples: [{ title: 'One rule', body: { name: 'brands', rules: [{ type: 'alias', string_to_replace: 'nginx', alias: 'engine x' }] } }],
  }),
  addDictionaryFile: operation({
    operationId: 'uploadPronunciationDictionary',
    method: 'POST',
    ...at(`${dictionaries}/add-from-file`),
    summary: 'Make a pronunciation dictionary of a lexicon',
    source: 'ours',
    body: { kinds: ['multipart', 'json'], schema: lexiconBody },
    needs: ['files'],
    reply: { schema: addedDictionary },
    examples: [
      {
        title: 'One lexeme',
        body: {
          name: 'brands',
          file: '<lexicon version="1.0" alphabet="ipa"><lexeme><grapheme>nginx</grapheme><alias>engine x</alias></lexeme></lexicon>',
        },
      },
    ],
  }),
  dictionaries: operation({
    operationId: 'listPronunciationDictionaries',
    method: 'GET',
    ...at(dictionaries),
    summary: 'Pronunciation dictionaries of the account',
    source: 'ours',
    query: dictionaryQuery,
    needs: ['files'],
    reply: { schema: dictionaryPage },
    examples: [{ title: 'The newest', reply: { pronunciation_dictionaries: [], next_cursor: null, has_more: false } }],
  }),
  dictionary: operation({
    operationId: 'getPronunciationDictionary',
    method: 'GET',
    ...at(`${dictionaries}/{pronunciation_dictionary_id}`),
    summary: 'A pronunciation dictionary with its rules',
    source: 'ours',
    failsWith: ['not_found'],
    needs: ['files'],
    reply: { schema: dictionaryReply },
    examples: oneDictionary,
  }),
  deleteDictionary: operation({
    operationId: 'deletePronunciationDictionary',
    method: 'DELETE',
    ...at(`${dictionaries}/{pronunciation_dictionary_id}`),
    summary: 'Delete a pronunciation dictionary',
    description: 'Texts that name it are refused from now on. ElevenLabs has no such call; an account keeps 100 dictionaries.',
    source: 'ours',
    failsWith: ['not_found'],
    needs: ['files'],
    reply: { schema: deletedDictionary },
    examples: oneDictionary,
  }),
}
