/** Family V (docs/interface/videos.md#v): videos in the protocol of Vertex AI's video models. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { hourMs, minuteMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { defineFamily, operation } from '../../contract/family.ts'
import type { NeutralCall } from '../../contract/neutral-call.ts'
import { inputsOf, neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { namedObject, optional } from '../../contract/schemas.ts'
import { vertexModelPaths } from '../shared/paths.ts'
import { countProblem } from './counts.ts'
import { failure, noInputs, vendorFailure } from './failure.ts'
import { aliases, type GroupName, groups, groupsWhere, models, resolutionFor, usualGroup } from './models.ts'
import { buckets, createBody, created, operationReply, queryBody } from './schema.ts'

const base = '/v1/ai/{endpoint}/vidv/videos'
/** Milliseconds for which an operation and its videos are stored (docs/interface/videos.md#v). */
export const resultMs = 48 * hourMs
export const linkMs = hourMs

const namePrefix = 'projects/gw/locations/global/publishers/gw/models/'
const nameForm = new RegExp(`^(?:${namePrefix}.{1,200}/operations/)?([0-9a-z]{26})$`)

interface RuleFields {
  instances: { prompt?: string; image?: object; lastFrame?: object; video?: object; referenceImages?: readonly object[] }[]
  parameters: { resolution: string; generateAudio?: boolean; resizeMode?: string }
}
const given = ({ instances }: RuleFields): RuleFields['instances'][number] => instances[0] ?? {}

const rules: Rule<RuleFields>[] = [
  {
    id: noInputs,
    says: 'There is a prompt, an image or a video.',
    field: 'instances',
    holds: body => {
      const { prompt, image, video } = given(body)
      return (prompt !== undefined && /\S/.test(prompt)) || image !== undefined || video !== undefined
    },
    explain: () => 'instances[0].prompt is required where there is no image and no video.',
  },
  {
    id: 'no-mask',
    says: 'There is no mask: the interface names one among the media, and no model of it takes one.',
    field: 'instances[0].mask',
    source: 'ours',
    holds: body => !('mask' in given(body)),
    explain: () => 'instances[0].mask is of no model here; without it the whole picture moves.',
  },
  {
    id: 'video-alone',
    says: 'A video to continue cannot be combined with image, lastFrame and referenceImages.',
    field: 'instances[0].video',
    source: 'ours',
    holds: body => {
      const { video, image, lastFrame, referenceImages = [] } = given(body)
      return video === undefined || (image === undefined && lastFrame === undefined && referenceImages.length === 0)
    },
    explain: () => 'instances[0].video cannot be together with image, lastFrame or referenceImages.',
  },
  {
    id: 'video-resolution',
    says: 'A video to continue has a resolution of 720p.',
    field: 'parameters.resolution',
    source: 'ours',
    holds: body => given(body).video === undefined || body.parameters.resolution === '720p',
    explain: ({ parameters }) => `parameters.resolution is ${parameters.resolution}; a video that goes on with another has 720p.`,
  },
  {
    id: 'last-frame-models',
    says: 'lastFrame is of the 3.1 models.',
    field: 'instances[0].lastFrame',
    groups: groupsWhere(({ takesLastFrame }) => !takesLastFrame),
    holds: body => given(body).lastFrame === undefined,
    explain: () => `instances[0].lastFrame is of ${modelsOf(groupsWhere(({ takesLastFrame }) => takesLastFrame))}.`,
  },
  {
    id: 'reference-models',
    says: 'referenceImages are of some models.',
    field: 'instances[0].referenceImages',
    groups: groupsWhere(({ references }) => references.length === 0),
    holds: body => (given(body).referenceImages ?? []).length === 0,
    explain: () => `instances[0].referenceImages are of ${modelsOf(groupsWhere(({ references }) => references.length > 0))}.`,
  },
  {
    id: 'sound-models',
    says: 'generateAudio is of the models of the third generation.',
    field: 'parameters.generateAudio',
    source: 'ours',
    groups: groupsWhere(({ hasSound }) => !hasSound),
    holds: ({ parameters }) => parameters.generateAudio !== true,
    explain: () => `parameters.generateAudio is true; it is of ${modelsOf(groupsWhere(({ hasSound }) => hasSound))}.`,
  },
  {
    id: 'resize-models',
    says: 'resizeMode is of the models of the third generation.',
    field: 'parameters.resizeMode',
    groups: groupsWhere(({ hasResizeMode }) => !hasResizeMode),
    holds: ({ parameters }) => parameters.resizeMode === undefined,
    explain: () => `parameters.resizeMode is of ${modelsOf(groupsWhere(({ hasResizeMode }) => hasResizeMode))}.`,
  },
  ...(Object.keys(groups) as GroupName[]).map(resolutionRule),
]

const videoForm = neutralForm({
  capabilities: ['video.generate'],
  rules,
  bodyOf: call => {
    const { prompt, sound, fit } = call.request
    // `crop` is the only value of `fit` that needs a parameter: model groups without `resizeMode`
    // always pad their pictures.
    const parameters = { resolution: resolutionFor(call.request), generateAudio: sound, ...(fit === 'crop' ? { resizeMode: fit } : {}) }
    return { instances: [{ prompt, ...mediaIn(call) }], parameters }
  },
  problem: call => {
    const { count, seconds } = call.request
    const problem = countProblem(call.group, { sampleCount: count, durationSeconds: seconds, ...mediaIn(call) })
    return problem && { id: 'counts', ...problem }
  },
  fields: { instances: 'prompt' },
})

function mediaIn(call: NeutralCall) {
  const [image] = inputsOf(call, 'first-frame')
  const [lastFrame] = inputsOf(call, 'last-frame')
  const [video] = inputsOf(call, 'earlier')
  const referenceImages = inputsOf(call, 'reference', 'style').map(({ role }) => ({
    referenceType: role === 'style' ? ('style' as const) : ('asset' as const),
  }))
  return { ...defined({ image, lastFrame, video }), referenceImages }
}

function resolutionRule(group: GroupName): Rule<RuleFields> {
  const resolutions: readonly string[] = groups[group].resolutions
  const listed = resolutions.join(', ')
  return {
    id: `resolution-${group.replace(/\W|_/g, '-')}`,
    says: `resolution is one of ${listed}.`,
    field: 'parameters.resolution',
    groups: [group],
    holds: ({ parameters }) => resolutions.includes(parameters.resolution),
    explain: ({ parameters }) => `parameters.resolution is ${parameters.resolution}; the model takes ${listed}.`,
  }
}

function modelsOf(names: readonly string[]): string {
  return models
    .filter(({ group = '' }) => names.includes(group))
    .map(({ id }) => id)
    .join(' and ')
}

const id = '01kb2v0f5w9h3t8m6q4y7z1xcd'
const name = `${namePrefix}${models[0]?.id}/operations/${id}`
const type = 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse'
/** The `@type` of a response. */
export const responseType = type

export const v = defineFamily({
  id: 'V',
  title: 'Video operations',
  source: 'docs/interface/videos.md#v',
  description:
    'Asynchronous: a create answers with the name of an operation, and a query with what has become of it: one to four videos as base64 or in a bucket, how many a safety review kept back, or an error. Some values that do not hold are told at the query, as the interface has it. Operations are kept for 48 hours.',
  models,
  aliases,
  groupOf: () => usualGroup,
  fieldNames: {
    ...{ prompt: 'instances[0].prompt', 'first-frame': 'instances[0].image', 'last-frame': 'instances[0].lastFrame' },
    ...{ earlier: 'instances[0].video', reference: 'instances[0].referenceImages', style: 'instances[0].referenceImages' },
    ...{ width: 'parameters.resolution', height: 'parameters.resolution', seconds: 'parameters.durationSeconds' },
    ...{ count: 'parameters.sampleCount', seed: 'parameters.seed', sound: 'parameters.generateAudio' },
    ...{ expandPrompt: 'parameters.enhancePrompt', negativePrompt: 'parameters.negativePrompt', fit: 'parameters.resizeMode' },
    ...{ people: 'parameters.personGeneration', lossless: 'parameters.compressionQuality' },
  },
  taskNames: {
    // The model's id is encoded, because clients build paths from the name and the id may contain a
    // slash.
    nameOf: task => `${namePrefix}${encodeURIComponent(task.model)}/operations/${task.id}`,
    idOf: given => nameForm.exec(given)?.[1],
  },
  routeOptions: Type.Object(
    {
      wrap_data: optional.boolean({
        description: 'Whether the answer to a query stands in `data`, as some clients read it. Default false.',
      }),
    },
    { additionalProperties: false },
  ),
  sections: { buckets },
  deadlineMs: 20 * minuteMs,
  linkLifetimeMs: linkMs,
  keepMs: resultMs,
  failure,
  vendorFailure,
  operations: {
    create: operation({
      operationId: 'generateVideo',
      method: 'POST',
      path: `${base}/generate`,
      vendorPaths: vertexModelPaths('predictLongRunning'),
      summary: 'Begin an operation that makes videos',
      choosesModel: true,
      body: { kinds: ['json', 'multipart'], schema: createBody },
      rules,
      neutralForm: videoForm,
      needs: ['buckets', 'files', 'section'],
      reply: { schema: created },
      examples: [
        {
          title: 'Eight seconds',
          body: {
            instances: [{ prompt: 'a ferry leaves a foggy pier at dawn' }],
            parameters: { aspectRatio: '16:9', durationSeconds: 8, sampleCount: 1, seed: 18 },
          },
          reply: { name },
        },
      ],
    }),
    query: operation({
      operationId: 'getVideoOperation',
      method: 'POST',
      path: `${base}/task`,
      vendorPaths: vertexModelPaths('fetchPredictOperation'),
      summary: 'What has become of an operation',
      readsTask: { parameter: 'operationName', in: 'body' },
      needs: ['buckets', 'section'],
      body: { kinds: ['json', 'multipart'], schema: queryBody },
      reply: {
        schema: Type.Union([operationReply, namedObject('WrappedVideoOperation', { data: operationReply })], {
          name: 'VideoOperationAnswer',
        }),
      },
      examples: [
        {
          title: 'Two of three videos',
          body: { operationName: name },
          needs: 'the name that a create was answered with.',
          reply: {
            name,
            done: true,
            response: {
              '@type': type,
              raiMediaFilteredCount: 1,
              raiMediaFilteredReasons: ['A video was kept back: Violence. Support codes: 61493863'],
              videos: [0, 2].map(index => ({
                gcsUri: `gs://clips-out/run9/${id}/sample_${index}.mp4`,
                mimeType: 'video/mp4',
                url: `https://gateway.example/files/01kb2v0g${index}?exp=1795000000&kid=k1&sig=abc`,
              })),
            },
          },
        },
      ],
    }),
  },
})
