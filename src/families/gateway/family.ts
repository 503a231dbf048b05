import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { dayMs, hourMs, MiB } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { upstreamFailures } from '../../contract/description/error-answers.ts'
import { errorObject, gatewayError } from '../../contract/failure.ts'
import { defineFamily, type Failure, operation } from '../../contract/family.ts'
import { namedObject } from '../../contract/schemas.ts'
import { mostFilesBytes, offers, run, runBody, streamEvent, templateList, templateQuery } from './schema.ts'

export const coverMs = dayMs

/** Returns the path of an operation. The path contains an endpoint, because every key may use this
 *  family: without the endpoint in the path, a key could reach all endpoints. */
const at = (rest: string) => ({ path: `/v1/ai/{endpoint}/gateway${rest}` })

const failed = namedObject('GatewayRunFailed', {
  error: namedObject('GatewayRunFailure', { ...gatewayError.properties, reasons: Type.Array(Type.String()) }),
})

const failureOf = (error: GatewayError, requestId: string) => ({
  error: { ...errorObject(error, requestId), reasons: [...(error.reasons ?? [])] },
})

const id = '01K9ZQ5T8W3N6R2V4X7Y0ABCDE'
const example = {
  ...{ id, object: 'gateway.run' as const, capability: 'image.generate', model: 'MaaS_ImgF_P', state: 'queued' as const, progress: 0 },
  ...{ error: null, outputs: [], begun: [], result: null, usage: [], may_be_charged: false },
}
const request = {
  ...{ prompt: 'a red fox', width: 256, height: 256, count: 1, seed: '7' },
  ...{ expandPrompt: false, safetyTolerance: 2, format: 'png' },
}

export const gateway = defineFamily({
  id: 'gateway',
  title: 'Another gateway',
  source: 'Ours: docs/decisions/0044-gateway-to-gateway.md',
  description:
    'What gateways of this kind say to each other: work of every family in neutral words, on models of any family that the key may use. Ordinary clients use the families.',
  models: [],
  takesEveryModel: true,
  deadlineMs: hourMs,
  linkLifetimeMs: hourMs,
  keepMs: dayMs,
  isOpen: true,
  failure: (error, requestId): Failure => ({ status: error.status, body: failureOf(error, requestId), schema: failed }),
  streamFailure: (error, requestId) => [{ event: 'error', data: failureOf(error, requestId) }],
  operations: {
    offers: operation({
      operationId: 'describeGateway',
      method: 'GET',
      ...at(''),
      summary: 'What this gateway offers to another one',
      source: 'ours',
      needs: ['neutralWork', 'voices'],
      reply: { schema: offers },
      examples: [{ title: 'Nothing yet', reply: { object: 'gateway', versions: [1], models: [], voices: [] } }],
    }),
    run: operation({
      operationId: 'startGatewayRun',
      method: 'POST',
      ...at('/runs'),
      summary: 'Do a neutral request',
      description:
        'The fields stand before the files. Without `stream` the run is a task; with it, neutral events come as they are made, and the last one has the run. Limits, quotas and prices are those of the model.',
      source: 'ours',
      choosesModel: true,
      needs: ['accountTasks', 'earlyOutputs', 'neutralWork', 'templates'],
      body: { kinds: ['multipart', 'json'], schema: runBody, residualLimitBytes: 4 * MiB, filesBytes: mostFilesBytes },
      reply: {
        schema: run,
        stream: { says: 'With `stream`: what the run makes, as it is made.', event: streamEvent },
      },
      failsWith: ['gone'],
      examples: [{ title: 'A picture', body: { version: 1, capability: 'image.generate', model: 'MaaS_ImgF_P', request }, reply: example }],
    }),
    show: operation({
      operationId: 'getGatewayRun',
      method: 'GET',
      ...at('/runs/{id}'),
      summary: 'State and result of a run',
      source: 'ours',
      readsTask: { parameter: 'id', in: 'path' },
      needs: ['accountTasks', 'earlyOutputs'],
      reply: { schema: run },
      examples: [{ title: 'A picture that waits', path: { id }, needs: 'a run that was started before.', reply: example }],
    }),
    output: operation({
      operationId: 'readGatewayRunOutput',
      method: 'GET',
      ...at('/runs/{id}/outputs/{index}'),
      summary: 'An output while it is made',
      source: 'ours',
      needs: ['earlyOutputs'],
      failsWith: ['not_found', 'task_not_found'],
      reply: { others: [{ kind: 'bytes', mediaTypes: ['application/octet-stream'], says: 'From its first byte on.' }] },
      examples: [{ title: 'The first one', path: { id, index: '0' }, needs: 'a run whose outputs have begun.' }],
    }),
    templates: operation({
      operationId: 'listGatewayTemplates',
      method: 'GET',
      ...at('/templates'),
      summary: 'Templates of a model that makes presentations',
      source: 'ours',
      choosesModel: { in: 'query', name: 'model' },
      query: templateQuery,
      needs: ['templates'],
      failsWith: upstreamFailures,
      reply: { schema: templateList },
      examples: [
        {
          title: 'The first one',
          query: { model: 'MaaS_Slides', page_size: '1' },
          reply: {
            total: 12,
            list: [{ id: 1, cover: 'https://gateway.example/v1/ai/default/gateway/covers/slides/1?exp=1&kid=k1&sig=abc' }],
          },
        },
      ],
    }),
    cover: operation({
      operationId: 'showGatewayTemplate',
      method: 'GET',
      path: '/v1/ai/{endpoint}/gateway/covers/{engine}/{template}',
      access: 'signed',
      summary: 'Picture of a template',
      source: 'ours',
      needs: ['templates'],
      failsWith: ['not_found'],
      reply: { others: [{ kind: 'bytes', mediaTypes: ['image/png'], says: 'The picture.' }] },
      examples: [
        { title: 'Of the first one', path: { engine: 'slides', template: '1' }, needs: 'the link that the list has of the template.' },
      ],
    }),
  },
})
