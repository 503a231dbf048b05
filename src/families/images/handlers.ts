import { nameIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageWishes } from '@generation-gateway/kit/requests/image.ts'
import type { Static } from 'typebox'
import type { CallContext, CallFile } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { Base64Of, type ReplyFrame, StreamedReply } from '../../contract/replies.ts'
import { type Artifact, type InlinePart, resultOf, type Task } from '../../core/task.ts'
import { fieldNames, images, sizeIn } from './family.ts'
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
  generate: async (context, { body }) =>
    answer(context, body, context.run({ capability: 'image.generate', request: generationOf(context, body) })),
  edit: async (context, { body, files }) =>
    answer(context, body, context.run({ capability: 'image.edit', request: editOf(context, body), inputs: inputsOf(files) })),
})

function answer(context: CallContext, body: Body, parts: AsyncIterable<Part>): Promise<Reply> | StreamedReply {
  return body.stream ? new StreamedReply(framesOf(context, body, parts)) : replyOf(context, body, parts)
}

function generationOf(context: CallContext, body: GenerationBody): ImageGenerateRequest {
  const request: ImageGenerateRequest = {
    ...commonOf(context, body),
    ...(sizeIn(body) ?? { width: 1024, height: 1024 }),
    count: body.n ?? 1,
  }
  if (body.negative_prompt) request.negativePrompt = body.negative_prompt
  return request
}

function editOf(context: CallContext, body: EditBody): ImageEditRequest {
  return { ...commonOf(context, body), ...sizeIn(body), variants: body.n ?? 1 }
}

function commonOf(context: CallContext, body: Body) {
  const wishes = wishesOf(body)
  return {
    prompt: body.prompt,
    seed: body.seed === null || body.seed === undefined ? context.randomSeed() : String(body.seed),
    expandPrompt: false,
    safetyTolerance: body.moderation === 'low' ? lowModeration : usualModeration,
    format: body.output_format ?? 'png',
    ...(body.stream && body.partial_images ? { previews: body.partial_images } : {}),
    ...(Object.keys(wishes).length > 0 ? { wishes } : {}),
  }
}

/** On the scale of F1: its default, and the most that every model takes for words. */
const usualModeration = 2
const lowModeration = 5

/** `auto` is no wish. */
function wishesOf(body: Body): ImageWishes {
  const { quality, background, output_compression } = body
  const { style, input_fidelity } = { style: undefined, input_fidelity: undefined, ...body }
  const given = { quality, background, style, output_compression, input_fidelity }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null && value !== 'auto'))
}

/** The pictures in the order of the fields, and the mask. */
function inputsOf(files: readonly CallFile[]): CallFile[] {
  return [...files.filter(({ role }) => role === 'image'), ...files.filter(({ role }) => role === 'mask')]
}

async function replyOf(context: CallContext, body: Body, parts: AsyncIterable<Part>): Promise<Reply> {
  const files: Artifact[] = []
  for await (const part of parts) {
    if (part.type === 'file') files.push(part.artifact)
    if (part.type !== 'finish') continue
    const { task } = part
    const report = resultOf(task, 'image.generate', 'image.edit')
    const revised = report.prompt === body.prompt ? {} : { revised_prompt: report.prompt }
    return {
      created: secondsOf(task.finishedAt ?? task.createdAt),
      data: files.map(file => ({
        ...(body.response_format === 'url' ? { url: context.link(file, images.linkLifetimeMs) } : { b64_json: new Base64Of(file) }),
        ...revised,
      })),
      ...factsOf(body, { size: sizeOf(files[0]), granted: report.granted }),
      ...(await usageOf(context, task)),
      id: task.id,
      not_drawn: report.notDrawn,
      not_followed: notFollowedIn(body, task),
    }
  }
  throw new TypeError('a run ends with its task')
}

async function* framesOf(context: CallContext, body: Body, parts: AsyncIterable<Part>): AsyncGenerator<ReplyFrame> {
  const kind = 'image' in body || 'images' in body ? 'image_edit' : 'image_generation'
  const created_at = secondsOf(Date.now())
  const asked = sizeIn(body) ?? { width: 1024, height: 1024 }
  const frame = (data: StreamEvent): ReplyFrame => ({ event: data.type, data })
  // The last picture waits for the end, which has the usage.
  let last: StreamEvent | undefined
  for await (const part of parts) {
    if (part.type === 'event') {
      const { step, bytes } = part.event
      const b64_json = Buffer.from(bytes).toString('base64')
      const size = `${asked.width}x${asked.height}`
      yield frame({ type: `${kind}.partial_image`, b64_json, partial_image_index: step, created_at, ...factsOf(body, { size }) })
    }
    if (part.type === 'file') {
      if (last) yield frame(last)
      const size = sizeOf(part.artifact)
      last = { type: `${kind}.completed`, b64_json: new Base64Of(part.artifact), created_at, ...factsOf(body, { size }) }
    }
    if (part.type === 'finish' && last) yield frame({ ...last, ...(await usageOf(context, part.task)) })
  }
}

function factsOf(body: Body, { size, granted = [] }: { size: string; granted?: readonly (keyof ImageWishes)[] | undefined }) {
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

/** Where the target counts tokens. */
async function usageOf(context: CallContext, { id }: Task): Promise<Pick<Reply, 'usage'>> {
  const { lines } = await context.taskUsage(id)
  const [input = 0, output = 0] = ['input_tokens', 'output_tokens'].map(wanted => lines.find(({ unit }) => unit === wanted)?.units ?? 0)
  return input + output === 0 ? {} : { usage: { input_tokens: input, output_tokens: output, total_tokens: input + output } }
}

/** Of the fields that the caller sent: the others nobody asked for. */
function notFollowedIn(body: Body, task: Task): string[] {
  const { notFollowed = [], granted = [] } = resultOf(task, 'image.generate', 'image.edit')
  const wishes = Object.keys(wishesOf(body)).filter(name => !(granted as readonly string[]).includes(name))
  const named = notFollowed.map(field => nameIn(fieldNames, field))
  const asked = new Map<string, unknown>(Object.entries({ ...body, size: sizeIn(body) }))
  return [...new Set([...named, ...wishes])].filter(name => (asked.get(name) ?? undefined) !== undefined)
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1000)
}
