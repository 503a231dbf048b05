/** Gemini's generateContent (docs/vendors/gemini.md). */

import { objectOf } from '@generation-gateway/kit/json.ts'
import { dayMs, hourMs, MiB } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { defineFamily, operation } from '../../contract/family.ts'
import { optional } from '../../contract/schemas.ts'
import { googleFailure } from '../shared/google-failure.ts'
import { inCamelCase } from '../shared/google-names.ts'
import { ofGoogleModel, vertexModelPaths } from '../shared/paths.ts'
import { placeOfPart } from '../shared/place-of-part.ts'
import { arrayExamples, contentExamples, countExamples, eventExamples, modelExample } from './examples.ts'
import { geminiNames } from './gemini-names.ts'
import { linksOf } from './links.ts'
import { kindOf } from './parts.ts'
import { countReferencesOf, referencesOf } from './references.ts'
import { arrayRelay, contentRelay, countRelay, eventsRelay } from './relay.ts'
import { answerSchema, answersSchema, countSchema, modelListSchema, modelSchema } from './reply-schema.ts'
import { conversationRules, countRules } from './rules.ts'
import { contentBody, countBody } from './schema.ts'

/** Returns the paths of an operation on a model, including its paths in Vertex AI. */
const ofModel = (verb: string) => {
  const paths = ofGoogleModel(verb)
  return { ...paths, vendorPaths: [...paths.vendorPaths, ...vertexModelPaths(verb)] }
}

/** Header by which the gateway recognizes Google's clients at paths that other clients use, too. */
const header = 'x-goog-api-key'
const choosesModel = { in: 'path', name: 'model' } as const
const limits = { rawBytes: 70 * MiB, residualLimitBytes: 4 * MiB, plainNames: inCamelCase } as const

export const generateContent = defineFamily({
  id: 'generate-content',
  title: 'Gemini content',
  source: 'ours',
  description:
    "Gemini's interface in which a model answers a conversation, as a whole or as a stream. A target that speaks this protocol gets the bytes unchanged; for any other target the conversation is translated.",
  models: [],
  takesModelsOf: ['text.respond'],
  defaultAliases: geminiNames,
  fieldNames: {
    items: 'contents',
    toolChoice: 'toolConfig.functionCallingConfig',
    format: 'generationConfig.responseMimeType',
    maxOutputTokens: 'generationConfig.maxOutputTokens',
    temperature: 'generationConfig.temperature',
    topP: 'generationConfig.topP',
    topK: 'generationConfig.topK',
    stop: 'generationConfig.stopSequences',
    seed: 'generationConfig.seed',
    frequencyPenalty: 'generationConfig.frequencyPenalty',
    presencePenalty: 'generationConfig.presencePenalty',
    topLogprobs: 'generationConfig.logprobs',
    reasoning: 'generationConfig.thinkingConfig',
  },
  placeOfPart: (body, kind) =>
    placeOfPart(objectOf(body).contents, part => kindOf(part) === kind, { name: 'contents', members: ['parts'] }),
  deadlineMs: hourMs,
  linkLifetimeMs: dayMs,
  keepMs: 30 * dayMs,
  failure: googleFailure,
  streamFailure: (error, requestId) => [{ data: googleFailure(error, requestId).body }],
  operations: {
    generate: operation({
      operationId: 'generateContent',
      method: 'POST',
      ...ofModel('generateContent'),
      summary: 'Generate content',
      description:
        'Bodies up to 70 MB. Members may be named in the style of `generationConfig` or of `generation_config`. The `thoughtSignature` of a part has data that the target needs in the next turn: send the part back unchanged. When the target speaks another protocol, hosted tools are refused, and fields that it lacks are ignored; the header `x-gateway-warning` names them.',
      source: 'ours',
      choosesModel,
      relays: contentRelay,
      references: referencesOf,
      links: linksOf,
      body: { schema: contentBody, ...limits },
      rules: conversationRules,
      needs: ['respond'],
      reply: { schema: answerSchema },
      examples: contentExamples,
    }),
    streamEvents: operation({
      operationId: 'streamGenerateContentEvents',
      method: 'POST',
      ...ofModel('streamGenerateContent'),
      when: { query: { alt: 'sse' } },
      summary: 'Generate content as a stream of events',
      source: 'ours',
      choosesModel,
      relays: eventsRelay,
      references: referencesOf,
      links: linksOf,
      body: { schema: contentBody, ...limits },
      rules: conversationRules,
      needs: ['respond'],
      reply: {
        stream: {
          event: answerSchema,
          says: 'Each event has the next parts of a candidate. The last event of a candidate has its `finishReason`, and the last event of the stream has the token counts. A failure after the first event is reported by an event with `error`.',
        },
      },
      examples: eventExamples,
    }),
    stream: operation({
      operationId: 'streamGenerateContent',
      method: 'POST',
      ...ofModel('streamGenerateContent'),
      summary: 'Generate content as a JSON array',
      description:
        'The answer to a request without `alt=sse`. The elements are sent while they are made; a failure after the first one is reported by an element with `error`. For a target that speaks this protocol, the elements are the data of its events, unchanged.',
      source: 'ours',
      choosesModel,
      relays: arrayRelay,
      references: referencesOf,
      links: linksOf,
      body: { schema: contentBody, ...limits },
      rules: conversationRules,
      needs: ['respond'],
      reply: { schema: answersSchema, others: [] },
      examples: arrayExamples,
    }),
    countTokens: operation({
      operationId: 'countContentTokens',
      method: 'POST',
      ...ofModel('countTokens'),
      summary: 'Count the tokens of content',
      description:
        'The tokenizer of a built-in model counts the tokens, or the upstream if it has this operation; otherwise the number is an estimate, and the header `x-gateway-warning` says so. The call costs nothing.',
      source: 'ours',
      choosesModel,
      relays: countRelay,
      references: countReferencesOf,
      links: linksOf,
      body: { schema: countBody, ...limits },
      rules: countRules,
      needs: ['countInput'],
      reply: { schema: countSchema },
      examples: countExamples,
    }),
    models: operation({
      operationId: 'listContentModels',
      method: 'GET',
      path: '/v1/ai/{endpoint}/v1beta/models',
      aliases: ['/v1beta/models'],
      sharedPaths: { header, paths: ['/v1/models', '/v1/ai/{endpoint}/models', '/v1/ai/{endpoint}/v1/models'] },
      summary: 'Models for conversations, in the shape of Google',
      description: 'Also at `/v1/models`, for requests with the header `x-goog-api-key`.',
      source: 'ours',
      query: Type.Object({
        pageSize: Type.Integer({ minimum: 1, maximum: 1000, default: 50 }),
        pageToken: optional.string({ maxLength: 400, description: '`nextPageToken` of the page before.' }),
      }),
      needs: ['models'],
      reply: { schema: modelListSchema },
      failsWith: ['invalid_cursor'],
      examples: [{ title: 'One model', query: { pageSize: '1' }, reply: { models: [modelExample] } }],
    }),
    model: operation({
      operationId: 'getContentModel',
      method: 'GET',
      path: '/v1/ai/{endpoint}/v1beta/models/{model}',
      aliases: ['/v1beta/models/{model}'],
      sharedPaths: { header, paths: ['/v1/models/{model}', '/v1/ai/{endpoint}/models/{model}', '/v1/ai/{endpoint}/v1/models/{model}'] },
      summary: 'One model, in the shape of Google',
      description: 'Also at `/v1/models/{model}`, for requests with the header `x-goog-api-key`.',
      source: 'ours',
      needs: ['models'],
      reply: { schema: modelSchema },
      failsWith: ['model_not_found'],
      examples: [{ title: 'A built-in model', path: { model: modelExample.version }, reply: modelExample }],
    }),
  },
})
