import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageOptions, ImageResult } from '@generation-gateway/kit/requests/image.ts'
import type { Static } from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { Base64Of, type ReplyFrame, StreamedReply } from '../../contract/replies.ts'
import { type Artifact, type InlinePart, resultOf, type Task } from '../../core/records/task.ts'
import { callersNames, outputsOf, unixSeconds } from '../shared/task-answers.ts'
import { usualTolerance } from '../shared/usual-requests.ts'
import { images, sizeIn } from './family.ts'
import type { imageEvent, imagesReply } from './schema.ts'

type Operations = (typeof images)['operations']
type GenerationBody = Input<Operations['generate']>['body']
type EditBody = Input<Operations['edit']>['body']
type Body = GenerationBody | EditBody
type Reply = Static<typeof imagesReply>
type StreamEvent = Omit<Static<typeof imageEvent>, 'b64_json'> & { b64_json: Base64Of | string }
type Capability = 'image.generate' | 'image.edit'
type Part = InlinePart<Capability>

export const imagesEntry = implement(images, {
  generate: async (context, { body }) => {
    const request = generationOf(context, body)
    return answer(
      context,
      { kind: 'image_generation', body, wishes: request.wishes },
      context.run({ capability: 'image.generate', request }),
    )
  },
  edit: async (context, { body, files }) => {
    const request = editOf(context, body)
    const run = context.run({ capability: 'image.edit', request, inputs: files })
    return answer(context, { kind: 'image_edit', body, wishes: request.wishes }, run)
  },
})

/** A request; `kind` is the prefix of the names of its events. */
interface ImageCall {
  kind: 'image_generation' | 'image_edit'
  body: Body
  wishes: ImageOptions | undefined
}

function answer(context: CallContext<'accountTasks'>, requested: ImageCall, parts: AsyncIterable<Part>): Promise<Reply> | StreamedReply {
  return requested.body.stream ? new StreamedReply(framesOf(context, requested, parts)) : replyOf(context, requested, parts)
}

function generationOf(context: CallContext, body: GenerationBody): ImageGenerateRequest {
  const request: ImageGenerateRequest = {
    ...commonOf(context, body, { style: body.style }),
    ...(sizeIn(body) ?? { width: 1024, height: 1024 }),
    count: body.n ?? 1,
  }
  if (body.negative_prompt) request.negativePrompt = body.negative_prompt
  return request
}

function editOf(context: CallContext, body: EditBody): ImageEditRequest {
  return { ...commonOf(context, body, { input_fidelity: body.input_fidelity }), ...sizeIn(body), variants: body.n ?? 1 }
}

/** Returns the fields of the neutral request that generations and edits have in common. `further`
 *  holds the options that only one of the two operations has. */
function commonOf(context: CallContext, body: Body, further: OptionFields) {
  const { quality, background, output_compression } = body
  const wishes = optionsOf({ quality, background, output_compression, ...further })
  return {
    prompt: body.prompt,
    seed: body.seed === null || body.seed === undefined ? context.randomSeed() : String(body.seed),
    expandPrompt: false,
    safetyTolerance: body.moderation === 'low' ? lowModeration : usualTolerance,
    format: body.output_format ?? 'png',
    ...(body.stream && body.partial_images ? { previews: body.partial_images } : {}),
    ...(Object.keys(wishes).length > 0 ? { wishes } : {}),
  }
}

/** The safety tolerance that stands for the moderation `low`, on the scale of family F1. It is the
 *  highest value that every model accepts for a request without a picture. */
const lowModeration = 5

type OptionFields = { [Name in keyof ImageOptions]?: ImageOptions[Name] | null | undefined }

/** Returns the options that the caller has set; `auto` counts as not set. */
function optionsOf(given: OptionFields): ImageOptions {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null && value !== 'auto'))
}

async function replyOf(context: CallContext<'accountTasks'>, requested: ImageCall, parts: AsyncIterable<Part>): Promise<Reply> {
  const files: Artifact[] = []
  let id = ''
  let task: Task | undefined
  try {
    for await (const part of parts) {
      if (part.type === 'start') id = part.taskId
      if (part.type === 'file') files.push(part.artifact)
      if (part.type === 'finish') task = part.task
    }
  } catch (error) {
    // The error is thrown when no picture is finished, when the caller has disconnected, and when
    // it is a fault of the program. Otherwise the caller is charged for the finished pictures, so
    // they are returned, with a warning that says why others are missing.
    if (files.length === 0 || context.signal.aborted || !(error instanceof GatewayError)) throw error
    context.warn(`Fewer pictures than wanted: ${error.code}.`)
    return { ...replyWith(context, requested, files), id, not_drawn: [], not_followed: [] }
  }
  if (!task) throw new TypeError('a run ends with its task')
  return finished(context, requested, task)
}

async function finished(context: CallContext<'accountTasks'>, requested: ImageCall, task: Task): Promise<Reply> {
  const { prompt, granted, notDrawn } = resultOf(task, 'image.generate', 'image.edit')
  const revised = prompt === requested.body.prompt ? undefined : prompt
  return {
    ...replyWith(context, requested, outputsOf(task), { revised, granted }),
    ...(await usageIfReadable(context, task)),
    id: task.id,
    not_drawn: notDrawn,
    not_followed: notFollowedIn(requested, task),
  }
}

function replyWith(
  context: CallContext,
  { body }: ImageCall,
  files: readonly Artifact[],
  { revised, granted }: { revised?: string | undefined; granted?: ImageResult['granted'] } = {},
) {
  const isLinked = (body.response_format ?? usualFormat(body)) === 'url'
  return {
    created: unixSeconds(Date.now()),
    data: files.map(file => ({
      ...(isLinked ? { url: context.link(file, images.linkLifetimeMs) } : { b64_json: new Base64Of(file) }),
      ...defined({ revised_prompt: revised }),
    })),
    ...factsOf(body, { size: sizeOf(files[0]), granted }),
  }
}

/** Returns the default format of the answer, as at OpenAI: links for the older `dall-e` models,
 *  base64 for all others. */
function usualFormat({ model }: Body): 'b64_json' | 'url' {
  return model?.startsWith('dall-e-') ? 'url' : 'b64_json'
}

async function* framesOf(
  context: CallContext<'accountTasks'>,
  { kind, body }: ImageCall,
  parts: AsyncIterable<Part>,
): AsyncGenerator<ReplyFrame> {
  const created_at = unixSeconds(Date.now())
  const frame = (data: StreamEvent): ReplyFrame => ({ event: data.type, data })
  const completed = (file: Artifact): StreamEvent => ({
    ...{ type: `${kind}.completed` as const, b64_json: new Base64Of(file), created_at },
    ...factsOf(body, { size: sizeOf(file) }),
  })
  // The last picture is held back until the end, because its event also contains the usage.
  let last: Artifact | undefined
  try {
    for await (const part of parts) {
      if (part.type === 'event' && part.event.type === 'preview') {
        const { step, bytes, width, height } = part.event
        const b64_json = Buffer.from(bytes).toString('base64')
        yield frame({
          type: `${kind}.partial_image`,
          b64_json,
          partial_image_index: step,
          created_at,
          ...factsOf(body, { size: `${width}x${height}` }),
        })
      }
      if (part.type === 'file') {
        if (last) yield frame(completed(last))
        last = part.artifact
      }
      if (part.type !== 'finish' || !last) continue
      const { id } = last
      // The picture is not sent when it is no longer an output of the task: the run was then
      // started again and has created other pictures.
      if (outputsOf(part.task).some(output => output.id === id)) yield frame({ ...completed(last), ...(await usageOf(context, part.task)) })
      last = undefined
    }
  } catch (error) {
    if (last && !context.signal.aborted) yield frame(completed(last))
    throw error
  }
}

function factsOf(body: Body, { size, granted = [] }: { size: string; granted?: readonly (keyof ImageOptions)[] | undefined }) {
  const { quality, background } = body
  return {
    size,
    output_format: body.output_format ?? 'png',
    background: granted.includes('background') && background ? background : ('opaque' as const),
    ...(granted.includes('quality') && quality ? { quality } : {}),
  }
}

function sizeOf(file: Artifact | undefined): string {
  return `${file?.width ?? 0}x${file?.height ?? 0}`
}

/** Returns the usage. When the store fails, returns no usage and warns the caller. The caller has
 *  paid for the pictures, so the answer is sent even without the usage. */
async function usageIfReadable(context: CallContext<'accountTasks'>, task: Task): Promise<Pick<Reply, 'usage'>> {
  try {
    return await usageOf(context, task)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    context.warn(`The usage is missing: ${error.code}.`)
    return {}
  }
}

/** Returns the usage; empty when the target does not count tokens. */
async function usageOf(context: CallContext<'accountTasks'>, { id }: Task): Promise<Pick<Reply, 'usage'>> {
  const { lines } = await context.accountTasks.usage(id)
  const [input = 0, output = 0] = ['input_tokens', 'output_tokens'].map(wanted => lines.find(({ unit }) => unit === wanted)?.units ?? 0)
  return input + output === 0 ? {} : { usage: { input_tokens: input, output_tokens: output, total_tokens: input + output } }
}

/** Returns those fields of the body that the target has ignored. A field counts as part of the body
 *  even when its value is the default. */
function notFollowedIn({ body, wishes = {} }: ImageCall, task: Task): string[] {
  const { notFollowed = [], granted = [] } = resultOf(task, 'image.generate', 'image.edit')
  const left = Object.keys(wishes).filter(name => !(granted as readonly string[]).includes(name))
  const named = callersNames(images, notFollowed)
  const requested = new Map<string, unknown>(Object.entries({ ...body, size: sizeIn(body) }))
  return [...new Set([...named, ...left])].filter(name => (requested.get(name) ?? undefined) !== undefined)
}
