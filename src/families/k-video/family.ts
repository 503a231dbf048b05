/** Family K (docs/interface/videos.md#k): videos from prompts, pictures, subjects and videos, and
 *  pictures from the same inputs, as tasks. */
import { dayMs, hourMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { defineFamily, operation } from '../../contract/family.ts'
import { exampleFrame } from '../shared/example-frame.ts'
import { failure } from './codes.ts'
import { elementBody, elementReply, elementsReply, mostElements } from './elements.ts'
import { accepted, imageTask, linkLifetimeMs, videoTask } from './envelope.ts'
import { fieldNames } from './field-names.ts'
import { frameBody, frameForm, frameRules } from './image2video.ts'
import { aliases, omniImage, omniVideo, videoRows } from './models.ts'
import { omniImageBody, omniImageRules } from './omni-image.ts'
import { omniVideoBody, omniVideoForm, omniVideoRules } from './omni-video.ts'
import { textBody, textForm, textRules } from './text2video.ts'
import { extendBody, extendForm, extendRules } from './video-extend.ts'

const base = '/v1/ai/{endpoint}/vidk'
/** Base of the paths of the vendor's API. The vendor itself uses `/v1`, where some paths would
 *  be the same as OpenAI's: `/v1/videos/{video_id}` (docs/decisions/0039). */
const vendorBase = '/kling/v1'
const model = { in: 'body', name: 'model_name' } as const
const task_id = '01kb2v0f5w9h3t8m6q4y7z1xcd'
const needs = 'the id of a task that was created at this path.'
const envelope = { code: 0, message: 'SUCCEED', request_id: '01kb2v0f5w9h3t8m6q4y7z1xca' }
const head = { task_id, task_info: { external_task_id: '' }, created_at: 1_794_999_000_123, updated_at: 1_794_999_000_123 }
const submitted = { ...envelope, data: { ...head, task_status: 'submitted' } }
const link = 'https://gateway.example/files/01kb2v0g?exp=1795000000&kid=k1&sig=abc'
const ended = { ...head, task_status: 'succeed', task_status_msg: '' }
const withVideo = { ...envelope, data: { ...ended, task_result: { videos: [{ id: task_id, url: link, duration: '5' }] } } }
const withImage = { ...envelope, data: { ...ended, task_result: { result_type: 'single', images: [{ index: 0, url: link }] } } }
const subject = { element_id: 7_352_315_904_503_808, name: 'Sunny', description: '', images: 1, created_at: 1_794_999_000_123 }

/** Place of the task id in the path: the gateway's id or the caller's `external_task_id`. */
const byEither = { parameter: 'id', in: 'path', orReference: true } as const
const answers = {
  video: { title: 'A video', schema: videoTask, reply: withVideo },
  image: { title: 'A picture', schema: imageTask, reply: withImage },
} as const
/** Returns the declaration of the query for tasks that were created at this path. */
const queried = <Kind extends keyof typeof answers>(kind: Kind, path: string, named: { operationId: string; summary: string }) => {
  const { title, schema, reply }: (typeof answers)[Kind] = answers[kind]
  return operation({
    ...named,
    method: 'GET',
    path: `${base}/${path}/{id}`,
    vendorPaths: [`${vendorBase}/${path}/{id}`],
    readsTask: byEither,
    reply: { schema },
    examples: [{ title, path: { id: task_id }, needs, reply }],
  })
}
const created = (path: string) => ({
  method: 'POST' as const,
  path: `${base}/${path}`,
  vendorPaths: [`${vendorBase}/${path}`],
  choosesModel: model,
  reply: { schema: accepted },
})

const ofElement = (method: 'GET' | 'DELETE', named: { operationId: string; summary: string }) =>
  operation({
    ...named,
    method,
    path: `${base}/elements/{element_id}`,
    source: 'ours',
    failsWith: ['not_found'],
    needs: ['files'],
    reply: { schema: elementReply },
    examples: [
      {
        title: 'A subject',
        path: { element_id: String(subject.element_id) },
        needs: 'the id of a subject of yours.',
        reply: { ...envelope, data: subject },
      },
    ],
  })

export const k = defineFamily({
  id: 'K',
  title: 'Video from words, pictures, subjects and videos',
  source: 'docs/interface/videos.md#k',
  description:
    'Asynchronous: a create answers with the id of a task, and a query at the same path, by this id or by the external_task_id of the create, tells its state and the signed URLs of its files, which are kept for 30 days. `model_name` chooses the model; each has its own modes, lengths and controls.',
  models: [
    ...videoRows.map(([group, { id, title }]) => ({ id, title, capability: 'video.generate' as const, group })),
    { ...omniVideo, capability: 'video.generate' },
    { ...omniImage, capability: 'image.generate' },
  ],
  aliases,
  groupOf: ({ operation }) => (operation === 'omniVideo' ? omniVideo.group : operation === 'omniImage' ? omniImage.group : 'V1'),
  fieldNames,
  deadlineMs: hourMs,
  linkLifetimeMs,
  keepMs: 30 * dayMs,
  failure,
  operations: {
    text2video: operation({
      ...created('videos/text2video'),
      operationId: 'generateVideoFromText',
      summary: 'Generate a video from words',
      body: { schema: textBody },
      rules: textRules,
      neutralForm: textForm,
      examples: [
        {
          title: 'By the default model',
          body: { prompt: 'a ferry leaves a foggy pier at dawn', aspect_ratio: '16:9', duration: '5' },
          reply: submitted,
        },
      ],
    }),
    getText2video: queried('video', 'videos/text2video', {
      operationId: 'getVideoFromText',
      summary: 'State and result of a video from words',
    }),
    image2video: operation({
      ...created('videos/image2video'),
      operationId: 'generateVideoFromImage',
      summary: 'Generate a video from a picture',
      body: { schema: frameBody },
      rules: frameRules,
      neutralForm: frameForm,
      examples: [
        {
          title: 'From its first frame',
          body: { image: exampleFrame, prompt: 'the sun goes down', camera_control: { type: 'simple', config: { zoom: 3 } } },
          reply: submitted,
        },
      ],
    }),
    getImage2video: queried('video', 'videos/image2video', {
      operationId: 'getVideoFromImage',
      summary: 'State and result of a video from a picture',
    }),
    videoExtend: operation({
      ...created('videos/video-extend'),
      operationId: 'extendVideo',
      summary: 'Go on with a video',
      description: 'By the model and in the mode of the video. The result is the whole: the video and what comes behind it.',
      continuesTask: 'video_id',
      body: { schema: extendBody },
      rules: extendRules,
      neutralForm: extendForm,
      needs: ['files'],
      examples: [
        {
          title: 'Five more seconds',
          body: { video_id: task_id, prompt: 'the ferry turns towards the open sea' },
          needs: 'the id of a video that text2video, image2video or video-extend has made.',
          reply: submitted,
        },
      ],
    }),
    getVideoExtend: queried('video', 'videos/video-extend', {
      operationId: 'getExtendedVideo',
      summary: 'State and result of an extension',
    }),
    omniVideo: operation({
      ...created('videos/omni-video'),
      operationId: 'generateOmniVideo',
      summary: 'Generate a video from words, shots, pictures, subjects and a video',
      body: { schema: omniVideoBody },
      rules: omniVideoRules,
      neutralForm: omniVideoForm,
      needs: ['files', 'sentBody'],
      examples: [
        {
          title: 'Two shots',
          body: {
            multi_shot: true,
            shot_type: 'customize',
            multi_prompt: [
              { index: 1, prompt: 'a wide harbour', duration: '3' },
              { index: 2, prompt: 'a gull on a mast, close', duration: '4' },
            ],
            aspect_ratio: '16:9',
            duration: '7',
          },
          reply: submitted,
        },
      ],
    }),
    getOmniVideo: queried('video', 'videos/omni-video', { operationId: 'getOmniVideo', summary: 'State and result of an omni video' }),
    omniImage: operation({
      ...created('images/omni-image'),
      operationId: 'generateOmniImage',
      summary: 'Generate pictures from words, pictures and subjects',
      body: { schema: omniImageBody },
      rules: omniImageRules,
      needs: ['files'],
      examples: [{ title: 'A picture', body: { prompt: 'a red lighthouse at dusk', aspect_ratio: '3:2' }, reply: submitted }],
    }),
    getOmniImage: queried('image', 'images/omni-image', { operationId: 'getOmniImage', summary: 'State and result of omni images' }),
    createElement: operation({
      operationId: 'createSubject',
      method: 'POST',
      path: `${base}/elements`,
      summary: 'Keep a subject for element_list',
      description: `The subject is kept for ten years. An account has at most ${mostElements} subjects.`,
      source: 'ours',
      body: { schema: elementBody },
      needs: ['files'],
      reply: { schema: elementReply },
      examples: [{ title: 'One picture', body: { name: 'Sunny', images: [exampleFrame] }, reply: { ...envelope, data: subject } }],
    }),
    elements: operation({
      operationId: 'listSubjects',
      method: 'GET',
      path: `${base}/elements`,
      summary: 'Subjects of the account, newest first',
      source: 'ours',
      query: Type.Object({
        pageNum: Type.Integer({ minimum: 1, maximum: 1000, default: 1 }),
        pageSize: Type.Integer({ minimum: 1, maximum: 500, default: 30 }),
      }),
      needs: ['files'],
      reply: { schema: elementsReply },
      examples: [],
    }),
    element: ofElement('GET', { operationId: 'getSubject', summary: 'A subject' }),
    removeElement: ofElement('DELETE', { operationId: 'deleteSubject', summary: 'Forget a subject' }),
  },
})
