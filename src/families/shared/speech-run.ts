/** Runs speech for a waiting caller, for all speech families: the sound is streamed while it is
 *  produced, or read from the file of a finished run. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { CallContext, Submission } from '../../contract/context.ts'
import { BytesReply, FileReply } from '../../contract/replies.ts'
import type { Artifact, InlinePart, Task } from '../../core/records/task.ts'

/** A part of a run: pieces of sound, and at the end the succeeded task. */
export type SpeechRunPart = { type: 'sound'; bytes: Uint8Array } | { type: 'end'; task: Task }

/** A run whose first sound has arrived. It has `parts` when the sound is streamed. It has
 *  `file`, the whole sound, when the target does not stream, or when an earlier call with the
 *  same `Idempotency-Key` has created the sound. */
export type SpeechRun = { taskId: string } & (
  | { parts: AsyncIterable<SpeechRunPart>; file?: never }
  | { file: Artifact; task: Task; parts?: never }
)

type Parts = AsyncIterator<InlinePart<'speech.synthesize'>>

/** Starts a run. Resolves when its first sound has arrived, or when it has ended with a file.
 *  Throws the failure of the run when it ends without either. */
export async function runSpeech(context: CallContext, submission: Submission<'speech.synthesize'>): Promise<SpeechRun> {
  const parts = context.run(submission)[Symbol.asyncIterator]()
  let taskId = ''
  let file: Artifact | undefined
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const part = next.value
    if (part.type === 'start') taskId = part.taskId
    warnIn(context, part)
    if (part.type === 'event' && part.event.type === 'sound') return { taskId, parts: soundOf(part.event.bytes, parts) }
    if (part.type === 'file') file = part.artifact
    if (part.type !== 'finish' || !file) continue
    // The iteration is ended here although all parts were read, because only its end clears the
    // timer of the run.
    await parts.return?.()
    return { taskId, file, task: part.task }
  }
  throw noSound()
}

/** Runs the submission to its end. Returns the file with the whole sound, and the task. Throws
 *  the failure when there is no file. */
export async function fileOf(context: CallContext, submission: Submission<'speech.synthesize'>): Promise<{ file: Artifact; task: Task }> {
  let file: Artifact | undefined
  for await (const part of context.run({ ...submission, isWhole: true })) {
    warnIn(context, part)
    if (part.type === 'file') file = part.artifact
    if (part.type === 'finish' && file) return { file, task: part.task }
  }
  throw noSound()
}

/** Returns the sound as an answer with this media type. */
export function soundReply({ parts, file }: SpeechRun, mediaType: string): BytesReply | FileReply {
  return parts ? new BytesReply(mediaType, bytesOf(parts)) : new FileReply(file)
}

/** Reports a notice of the run in the answer's header. */
function warnIn(context: CallContext, part: InlinePart<'speech.synthesize'>): void {
  if (part.type === 'event' && part.event.type === 'notice') context.warn(part.event.says, part.event.field)
}

/** Yields the sound of a run. Ending the iteration ends the run. */
async function* soundOf(first: Uint8Array, parts: Parts): AsyncGenerator<SpeechRunPart> {
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

async function* bytesOf(parts: AsyncIterable<SpeechRunPart>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) if (part.type === 'sound') yield part.bytes
}

function noSound(): GatewayError {
  return new GatewayError('upstream_error', 'The target has ended without a sound.')
}
