/** Speech whose caller waits for it, as every family of speech gives it: the sound as it is made, or the file of a run that is over. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { CallContext, Submission } from '../../contract/context.ts'
import { BytesReply, FileReply } from '../../contract/replies.ts'
import type { Artifact, InlinePart, Task } from '../../core/records/task.ts'

/** Sound on its way, then the task that has succeeded. */
export type SpokenPart = { type: 'sound'; bytes: Uint8Array } | { type: 'end'; task: Task }

/** What a run has come to when its first sound is there. `parts`: on its way. `file`: a whole one, of a target that gives no less, or of an earlier call with the same `Idempotency-Key`. */
export type Spoken = { taskId: string } & (
  | { parts: AsyncIterable<SpokenPart>; file?: never }
  | { file: Artifact; task: Task; parts?: never }
)

type Parts = AsyncIterator<InlinePart<'speech.synthesize'>>

/** Resolves at the first sound. Throws why there is none. */
export async function speak(context: CallContext, submission: Submission<'speech.synthesize'>): Promise<Spoken> {
  const parts = context.run(submission)[Symbol.asyncIterator]()
  let taskId = ''
  let file: Artifact | undefined
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const part = next.value
    if (part.type === 'start') taskId = part.taskId
    if (part.type === 'event' && part.event.type === 'notice') context.warn(part.event.says, part.event.field)
    if (part.type === 'event' && part.event.type === 'sound') return { taskId, parts: soundOf(part.event.bytes, parts) }
    if (part.type === 'file') file = part.artifact
    if (part.type !== 'finish' || !file) continue
    // It has a timer until it is ended.
    await parts.return?.()
    return { taskId, file, task: part.task }
  }
  throw noSound()
}

/** The whole file, once the run is over. Throws why there is none. */
export async function fileOf(context: CallContext, submission: Submission<'speech.synthesize'>): Promise<{ file: Artifact; task: Task }> {
  let file: Artifact | undefined
  for await (const part of context.run({ ...submission, isWhole: true })) {
    if (part.type === 'file') file = part.artifact
    if (part.type === 'finish' && file) return { file, task: part.task }
  }
  throw noSound()
}

/** The sound as an answer of this media type. */
export function soundReply({ parts, file }: Spoken, mediaType: string): BytesReply | FileReply {
  return parts ? new BytesReply(mediaType, bytesOf(parts)) : new FileReply(file)
}

/** Ending the iteration ends the run. */
async function* soundOf(first: Uint8Array, parts: Parts): AsyncGenerator<SpokenPart> {
  try {
    yield { type: 'sound', bytes: first }
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const part = next.value
      if (part.type === 'event' && part.event.type === 'sound') yield { type: 'sound', bytes: part.event.bytes }
      if (part.type === 'finish') yield { type: 'end', task: part.task }
    }
  } finally {
    await parts.return?.()
  }
}

async function* bytesOf(parts: AsyncIterable<SpokenPart>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) if (part.type === 'sound') yield part.bytes
}

function noSound(): GatewayError {
  return new GatewayError('upstream_error', 'The target has ended without a sound.')
}
