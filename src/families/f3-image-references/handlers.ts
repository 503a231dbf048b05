import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Static } from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import { implement } from '../../contract/family.ts'
import { Base64Of, type ReplyFrame, StreamedReply } from '../../contract/replies.ts'
import { type Artifact, type InlinePart, resultOf, type Task } from '../../core/records/task.ts'
import { callersNames, unixSeconds } from '../shared/task-answers.ts'
import { pictureFailure } from './failure.ts'
import { f3 } from './family.ts'
import { type Body, editOf, generationOf, sizeWordOf } from './request.ts'
import type { imageEvent, pictureError, shapeR1, shapeR2, usage } from './schema.ts'
import { tierIn } from './sizes.ts'

type Part = InlinePart<'image.generate' | 'image.edit'>
type PictureError = Static<typeof pictureError>
type PictureOutcome = { file: Artifact; error?: never } | { file?: never; error: PictureError }
/** The result for one picture of the request. */
type Picture = PictureOutcome & { index: number }
type ExtensionFields = Pick<Static<typeof shapeR2>, 'id' | 'not_drawn' | 'not_followed'>

export const f3Entry = implement(f3, {
  generate: async (context, { body, files }) => {
    const parts: AsyncIterable<Part> =
      files.length > 0
        ? context.run({ capability: 'image.edit', request: editOf(context, body, files), inputs: files })
        : context.run({ capability: 'image.generate', request: generationOf(context, body) })
    const progress = new Progress(context, body)
    if (body.stream) return new StreamedReply(framesOf(context, body, progress.follow(parts)))
    const pictures: Picture[] = []
    for await (const step of progress.follow(parts)) {
      if ('end' in step)
        return context.route.settings?.response_shape === 'R1'
          ? inR1(context, body, { ...step, pictures })
          : inR2(context, body, { ...step, pictures })
      pictures.push(step)
    }
    throw new TypeError('a run ends with its task')
  },
})

type StreamStep = Picture | { end: ExtensionFields }

/** Converts the parts of a run into the steps of the answer: each picture once, as soon as it is
 *  created or refused, and then the end. */
class Progress {
  readonly #context: CallContext
  readonly #body: Body
  /** Indexes of the refused pictures, as the target reports them. */
  readonly #refused = new Set<number>()
  readonly #taken = new Set<number>()
  #files = 0

  constructor(context: CallContext, body: Body) {
    this.#context = context
    this.#body = body
  }

  /** Yields the steps of the answer. Throws the failure of the run when the caller has
   *  disconnected, when the failure is a fault of the program, and when no picture was created (in
   *  a stream: when none was created or refused). After any other failure, yields one failed
   *  picture, unless a refusal was already reported for the same reason, and then the end of the
   *  answer. */
  async *follow(parts: AsyncIterable<Part>): AsyncGenerator<StreamStep> {
    let id = ''
    try {
      for await (const part of parts) {
        if (part.type === 'start') id = part.taskId
        if (part.type === 'event' && part.event.type === 'refused') yield* this.#refusals([part.event.picture])
        if (part.type === 'file') yield { index: this.#nextIndex(), file: part.artifact }
        if (part.type === 'finish') yield* this.#finish(part.task)
      }
    } catch (error) {
      const { signal, requestId } = this.#context
      if (this.#files + this.#refused.size === 0 || signal.aborted || !(error instanceof GatewayError)) throw error
      const isToldAlready = error.code === 'content_moderated' && this.#refused.size > 0
      if (this.#files === 0 && !this.#body.stream) throw error
      // The caller is charged for the delivered pictures, so they are returned, and the failure is
      // reported as one failed picture.
      if (!isToldAlready) yield { index: this.#freeIndex(), error: pictureFailure(error.code, error.message, requestId) }
      yield { end: { id, not_drawn: [], not_followed: [] } }
    }
  }

  *#finish(task: Task): Generator<StreamStep> {
    const { refused = [], notDrawn, notFollowed = [] } = resultOf(task, 'image.generate', 'image.edit')
    yield* this.#refusals(refused.map(({ picture }) => picture))
    const requested: Record<string, unknown> = { ...this.#body }
    const not_followed = callersNames(f3, notFollowed)
    yield {
      end: {
        id: task.id,
        not_drawn: notDrawn,
        // The list contains only fields that the body has, even if their values are defaults
        // (`watermark`). A seed of -1 means any seed, so an ignored -1 is not listed.
        not_followed: not_followed.filter(
          name => requested[name.split('.')[0] ?? name] !== undefined && !(name === 'seed' && requested.seed === -1),
        ),
      },
    }
  }

  *#refusals(pictures: readonly number[]): Generator<Picture> {
    const { requestId } = this.#context
    for (const picture of pictures) {
      if (this.#refused.has(picture)) continue
      this.#refused.add(picture)
      // A target may report a refusal only after later pictures have been delivered, which have
      // then got the index of the refused one. In that case the refusal gets the next free index,
      // so that each index occurs once.
      const index = this.#taken.has(picture) ? this.#freeIndex() : picture
      this.#taken.add(index)
      yield { index, error: pictureFailure('content_moderated', 'The picture was withheld by the safety rules.', requestId) }
    }
  }

  #nextIndex(): number {
    const index = this.#freeIndex()
    this.#taken.add(index)
    this.#files++
    return index
  }

  /** Returns the lowest index that no picture has yet. Files have no index of their own: they
   *  arrive in order, without the refused pictures. */
  #freeIndex(): number {
    let index = 0
    while (this.#taken.has(index)) index++
    return index
  }
}

interface PictureRunEnd {
  pictures: readonly Picture[]
  end: ExtensionFields
}

function inR2(context: CallContext, body: Body, { pictures, end }: PictureRunEnd): Static<typeof shapeR2> {
  return {
    model: context.model.id,
    created: unixSeconds(Date.now()),
    data: pictures
      .toSorted((a, b) => a.index - b.index)
      .map(({ file, error }) => (file ? { ...placeOf(context, body, file), size: sizeOf(file) } : { error })),
    usage: usageOf(filesOf(pictures)),
    ...end,
  }
}

function inR1(context: CallContext, body: Body, { pictures, end }: PictureRunEnd): Static<typeof shapeR1> {
  const { prompt, watermark, output_format: format } = body
  const word = sizeWordOf(body, context.model.group)
  const files = filesOf(pictures)
  const { total_tokens, generated_images } = usageOf(files)
  return {
    code: 0,
    message: 'success',
    data: {
      images: files.map(file => ({
        ...placeOf(context, body, file),
        width: file.width ?? 0,
        height: file.height ?? 0,
        size: tierIn(word) ?? sizeOf(file),
        format,
      })),
      parameters: { prompt, size: word, watermark, model: context.model.id, endpoint: context.endpoint },
      usage: { total_tokens, image_count: generated_images },
      failed: pictures.flatMap(({ error }) => error ?? []),
    },
    created_at: new Date().toISOString(),
    request_id: context.requestId,
    ...end,
  }
}

type EventData = Static<typeof imageEvent>

async function* framesOf(context: CallContext, body: Body, steps: AsyncIterable<StreamStep>): AsyncGenerator<ReplyFrame> {
  const frame = (data: EventData): ReplyFrame => ({ event: data.type, data })
  const head = () => ({ model: context.model.id, created: unixSeconds(Date.now()) })
  const files: Artifact[] = []
  for await (const step of steps) {
    if ('end' in step) {
      yield frame({ type: 'image_generation.completed', ...head(), usage: usageOf(files), ...step.end })
      yield { data: '[DONE]' }
      return
    }
    const { index: image_index, file, error } = step
    if (file) {
      files.push(file)
      const given = { ...placeOf(context, body, file), size: sizeOf(file) }
      yield frame({ type: 'image_generation.partial_succeeded', ...head(), image_index, ...given })
    } else yield frame({ type: 'image_generation.partial_failed', ...head(), image_index, error })
  }
}

function placeOf(context: CallContext, { response_format }: Body, file: Artifact): { url: string } | { b64_json: Base64Of } {
  return response_format === 'url' ? { url: context.link(file, f3.linkLifetimeMs) } : { b64_json: new Base64Of(file) }
}

function filesOf(pictures: readonly Picture[]): Artifact[] {
  return pictures.flatMap(({ file }) => file ?? [])
}

function sizeOf({ width = 0, height = 0 }: Artifact): string {
  return `${width}x${height}`
}

/** Returns the usage as the vendor counts it (docs/vendors/ark.md#image-answers). */
function usageOf(files: readonly Artifact[]): Static<typeof usage> {
  const tokens = Math.round(files.reduce((sum, { width = 0, height = 0 }) => sum + width * height, 0) / 256)
  return { generated_images: files.length, output_tokens: tokens, total_tokens: tokens }
}
