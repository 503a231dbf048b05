/** Returns sound with the times of its characters, whole or line by line (family T3). */

import type { CallContext, Submission } from '../../contract/context.ts'
import { Base64Of } from '../../contract/replies.ts'
import { resultOf, type Task } from '../../core/records/task.ts'
import { fileOf, runSpeech, type SpeechRunPart } from '../shared/speech-run.ts'
import { type Alignment, estimatedAlignment } from './alignment.ts'

interface TimedSound {
  taskId: string
  audio: Base64Of | string
  seconds: number
}

/** Returns the whole sound, to be sent as base64. The sound of a private request is not written
 *  to a file, so it is collected in memory. */
export async function wholeSound(context: CallContext, submission: Submission<'speech.synthesize'>): Promise<TimedSound> {
  if (submission.request.isPrivate !== true) {
    const { file, task } = await fileOf(context, submission)
    return { taskId: task.id, audio: new Base64Of(file), seconds: secondsOf(task) }
  }
  const { taskId, parts } = await runSpeech(context, submission)
  const pieces: Uint8Array[] = []
  let seconds = 0
  for await (const part of parts ?? []) {
    if (part.type === 'sound') pieces.push(part.bytes)
    else seconds = secondsOf(part.task)
  }
  return { taskId, audio: Buffer.concat(pieces).toString('base64'), seconds }
}

/** Yields a line of JSON for each piece of sound, then one with the times of the whole text and no
 *  sound. */
export async function* timedLines(parts: AsyncIterable<SpeechRunPart>, text: string): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    if (part.type === 'sound') yield lineOf(Buffer.from(part.bytes).toString('base64'), null)
    else yield lineOf('', estimatedAlignment(text, secondsOf(part.task)))
  }
}

function lineOf(audio_base64: string, alignment: Alignment | null): Buffer {
  return Buffer.from(`${JSON.stringify({ audio_base64, alignment, normalized_alignment: alignment })}\n`)
}

export function secondsOf(task: Task): number {
  return resultOf(task, 'speech.synthesize').seconds
}
