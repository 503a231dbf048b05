import Type from 'typebox'
import { defineFamily, operation } from '../../contract/family.ts'
import { namedObject, optional } from '../../contract/schemas.ts'
import { taskStates } from '../../core/records/task.ts'
import { openaiFailure } from '../shared/openai-failure.ts'

const seconds = (description: string) => Type.Integer({ description, unit: 's' })
const maybe = <Of extends Parameters<typeof Type.Union>[0][number]>(schema: Of) => Type.Union([schema, Type.Null()])

const output = namedObject('TaskOutput', {
  role: Type.String({ description: 'What the file is: `output`, or a word of the family.' }),
  index: Type.Integer({ description: 'Position among the outputs, from 0.' }),
  media_type: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  width: optional.integer({ description: 'Pixels, of images and video.' }),
  height: optional.integer(),
  duration_seconds: optional.number({ description: 'Length of audio and video.' }),
  url: Type.String({ description: 'Signed link, valid for an hour.' }),
})

const facts = {
  id: Type.String(),
  object: Type.Literal('task'),
  family: Type.String(),
  endpoint: Type.String(),
  model: Type.String(),
  capability: Type.String({ description: '`image.generate`, `text.respond`, ...' }),
  state: Type.Enum([...taskStates], { description: '`unknown` is a paid submit whose fate at the upstream is looked up.' }),
  progress: Type.Integer({ description: '0 to 100; never falls.' }),
  created_at: seconds('Unix seconds.'),
  started_at: maybe(seconds('Unix seconds; null while it waits.')),
  finished_at: maybe(seconds('Unix seconds; null until it ends.')),
  deadline_at: seconds('Unix seconds: a task that has not ended by then expires.'),
  expires_at: seconds('Unix seconds: the task and its files may be swept then.'),
  client_reference: maybe(Type.String({ description: "The caller's own id for the task." })),
  error: maybe(namedObject('TaskError', { code: Type.String(), message: Type.String(), reasons: Type.Array(Type.String()) })),
  outputs: Type.Array(output),
}

const pictures = namedObject('TaskPictures', {
  seed: Type.String({ description: 'Of the first picture: the decimal digits of a signed 64-bit integer.' }),
  prompt: Type.String({ description: 'The prompt that was drawn.' }),
  not_drawn: Type.Array(Type.String(), { description: 'Words of the prompt that could not be drawn or followed.' }),
  not_followed: Type.Array(Type.String(), {
    description: 'Fields that were not followed, by their neutral names: `seed`, `watermark`, ...',
  }),
  refused: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'Index among the requested pictures, from 0.' }),
      reasons: Type.Array(Type.String()),
    }),
    { description: 'Pictures that the safety rules withheld: they are not among `outputs`.' },
  ),
})

const videos = namedObject('TaskVideos', {
  seed: Type.String({ description: 'Of the first video: the decimal digits of a signed 64-bit integer.' }),
  prompt: Type.String({ description: 'The prompt that was filmed.' }),
  not_followed: Type.Array(Type.String(), {
    description: 'Fields that were not followed, by their neutral names: `seed`, `negativePrompt`, ...',
  }),
  filtered: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'Index among the requested videos, from 0.' }),
      reasons: Type.Array(Type.String()),
    }),
    { description: 'Videos that a safety review kept back: they are not among `outputs`.' },
  ),
})

const counted = {
  videos: Type.Union([videos, Type.Null()], {
    description: 'Facts about the videos of a task that has made some; null for all others.',
  }),
  pictures: Type.Union([pictures, Type.Null()], {
    description: 'Facts about the pictures of a task that has made some; null for all others.',
  }),
  currency: Type.String(),
  cost: Type.Number({ description: 'In `currency`; 0 until the task has ended, and for a model without a price.' }),
  usage: Type.Array(namedObject('TaskUsage', { unit: Type.String(), units: Type.Number(), cost: Type.Number() }), {
    description: 'What was counted when the task ended.',
  }),
}

const sample = {
  id: '01K9ZQ5T8W3N6R2V4X7Y0ABCDE',
  object: 'task' as const,
  family: 'F1',
  endpoint: 'default',
  model: 'MaaS_ImgF_P',
  capability: 'image.generate',
  state: 'succeeded' as const,
  progress: 100,
  created_at: 1_795_132_800,
  started_at: 1_795_132_801,
  finished_at: 1_795_132_802,
  deadline_at: 1_795_136_400,
  expires_at: 1_795_741_200,
  client_reference: null,
  error: null,
  outputs: [
    {
      role: 'output',
      index: 0,
      media_type: 'image/png',
      bytes: 412_345,
      sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
      width: 1024,
      height: 1024,
      url: 'https://gateway.example/files/01K9ZQ5T8W3N6R2V4X7Y0ABCDF?exp=1795136400&kid=a&sig=...',
    },
  ],
}

const filter = (description: string) => optional.string({ minLength: 1, maxLength: 200, description })

/** Shows tasks of every family, in the same format for all. */
export const tasksFamily = defineFamily({
  id: 'tasks',
  title: 'Tasks of every family',
  source: 'Ours',
  description:
    "The account's tasks, whatever family they came through, in one shape. A key sees those of the families, endpoints and models that it may use.",
  models: [],
  deadlineMs: 0,
  linkLifetimeMs: 3_600_000,
  keepMs: 0,
  isOpen: true,
  failure: openaiFailure,
  operations: {
    list: operation({
      operationId: 'listTasks',
      method: 'GET',
      path: '/v1/tasks',
      summary: 'List tasks, newest first',
      source: 'ours',
      query: Type.Object({
        state: Type.Optional(Type.Enum([...taskStates], { description: 'Only tasks in this state.' })),
        family: filter('Only tasks of this family.'),
        model: filter('Only tasks of this model.'),
        endpoint: filter('Only tasks of this endpoint.'),
        idempotency_key: optional.string({
          minLength: 1,
          maxLength: 255,
          description: 'Only the task that was submitted with this `Idempotency-Key`, for as long as a repeat of it is known.',
        }),
        before: filter('Only tasks older than the one with this id: the next page.'),
        limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Tasks at most.' }),
      }),
      needs: ['accountTasks'],
      reply: {
        schema: namedObject('TaskList', {
          object: Type.Literal('list'),
          data: Type.Array(namedObject('TaskSummary', facts)),
          has_more: Type.Boolean({ description: 'There are older ones: `before` is the id of the last.' }),
        }),
      },
      examples: [{ title: 'The last picture', query: { limit: '1' }, reply: { object: 'list', data: [sample], has_more: false } }],
    }),
    get: operation({
      operationId: 'getTask',
      method: 'GET',
      path: '/v1/tasks/{id}',
      summary: 'Show a task',
      source: 'ours',
      readsTask: { parameter: 'id', in: 'path', of: 'account' },
      needs: ['accountTasks'],
      reply: { schema: namedObject('Task', { ...facts, ...counted }) },
      examples: [
        {
          title: 'A picture that is ready',
          path: { id: sample.id },
          needs: 'a task that was submitted before.',
          reply: {
            ...sample,
            videos: null,
            pictures: { seed: '7', prompt: 'a red fox', not_drawn: [], not_followed: [], refused: [] },
            ...{ currency: 'USD', cost: 0.04, usage: [{ unit: 'images', units: 1, cost: 0.04 }] },
          },
        },
      ],
    }),
  },
})
