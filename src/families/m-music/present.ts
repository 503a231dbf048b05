/** Converts a task to the JSON of family M. */

import { exactNumber } from '@generation-gateway/kit/json.ts'
import { nameIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { MusicResult } from '@generation-gateway/kit/requests/music.ts'
import type { CallContext } from '../../contract/context.ts'
import { type Artifact, isFinal, resultOf, type Task } from '../../core/records/task.ts'
import { failureSentence, stateWords, unixSeconds } from '../shared/task-answers.ts'
import { m } from './family.ts'
import type { MusicChoice, MusicState, MusicTask } from './schema.ts'
import { sectionsOf } from './sections.ts'

type Piece = MusicResult['pieces'][number]

interface PieceFiles {
  song: Artifact
  lossless?: Artifact
  cover?: Artifact
}

const states = stateWords<MusicState>({
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'timeouted',
})

/** Returns the task as the query operations answer it. */
export function presentTask(context: CallContext<'earlyOutputs'>, task: Task): MusicTask {
  const { state, createdAt, finishedAt, model, failure } = task
  return {
    ...{ id: task.id, taskId: task.id, created_at: unixSeconds(createdAt), model },
    ...(finishedAt === undefined ? {} : { finished_at: unixSeconds(finishedAt) }),
    status: states[state],
    ...listeningOf(context, task),
    ...(failure ? { failed_reason: failureSentence(m, failure) } : {}),
    ...(isFinal(state) ? endOf(context, task) : {}),
    trace_id: context.requestId,
  }
}

/** Returns the task as the answer of the operation that created it. A queued task has the status
 *  `preparing` there. */
export function presentBegun(context: CallContext<'earlyOutputs'>, task: Task): MusicTask {
  return { ...presentTask(context, task), ...(task.state === 'queued' ? { status: 'preparing' } : {}) }
}

/** Returns links at which the caller can listen to pieces whose sound has begun; an empty object
 *  unless the caller requested streaming. */
function listeningOf(context: CallContext<'earlyOutputs'>, task: Task): Partial<Pick<MusicTask, 'status' | 'stream_url' | 'streams'>> {
  if (task.shown?.stream !== true) return {}
  const begun = new Set([...filesOfPieces(task).keys(), ...context.earlyOutputs.begun(task)])
  const streams = Array.from(begun, index => ({
    index,
    url: context.signedUrl('listen', { task_id: task.id, piece: String(index) }, m.linkLifetimeMs),
  })).toSorted((a, b) => a.index - b.index)
  const [first] = streams
  if (!first) return {}
  return { ...(task.state === 'running' ? { status: 'streaming' } : {}), ...(first.index === 0 ? { stream_url: first.url } : {}), streams }
}

/** Returns the members of a task that has ended. They include the pieces that a failed task
 *  created before its failure. */
function endOf(context: CallContext, task: Task): Pick<MusicTask, 'choices' | 'not_followed'> {
  const { pieces = [], notFollowed = [] }: Partial<MusicResult> =
    task.state === 'succeeded' ? resultOf(task, 'music.song', 'music.instrumental') : {}
  // Callers cannot set a seed, so a target that ignores the seed is not reported. The seed of a
  // piece is shown only when the target has used it.
  const reported = notFollowed.filter(field => field !== 'seed').map(field => nameIn(m.fieldNames ?? {}, field))
  const choices = filesOfPieces(task).map(({ song, lossless, cover }, index): MusicChoice => {
    return {
      ...{ index, id: song.id, url: context.link(song, m.linkLifetimeMs) },
      ...(lossless ? { flac_url: context.link(lossless, m.linkLifetimeMs) } : {}),
      ...(cover ? { cover_url: context.link(cover, m.linkLifetimeMs) } : {}),
      duration: Math.round((pieces[index]?.seconds ?? song.durationSeconds ?? 0) * 1000),
      ...factsOf(task, pieces[index], !notFollowed.includes('seed')),
    }
  })
  return {
    ...(choices.length > 0 ? { choices } : {}),
    ...(reported.length > 0 ? { not_followed: reported } : {}),
  }
}

type ChoiceFacts = Pick<MusicChoice, 'lyrics_sections' | 'not_sung' | 'style' | 'seed'>

function factsOf({ shown }: Task, piece: Piece | undefined, hasSeed: boolean): ChoiceFacts {
  if (!piece) return {}
  const lyrics = shown?.lyrics
  return {
    ...(typeof lyrics === 'string' ? { lyrics_sections: sectionsOf(lyrics, piece.lines) } : {}),
    ...(piece.notSung && piece.notSung.length > 0 ? { not_sung: piece.notSung } : {}),
    style: piece.style,
    ...(hasSeed ? { seed: exactNumber(piece.seed) } : {}),
  }
}

/** Returns the files of each finished piece, in order. In a task's artifacts a song comes before
 *  the files that belong to it (MusicRequest). */
export function filesOfPieces({ artifacts }: Task): PieceFiles[] {
  const pieces: PieceFiles[] = []
  for (const artifact of artifacts) {
    if (artifact.kind !== 'output') continue
    const last = pieces.at(-1)
    if (artifact.role === 'song') pieces.push({ song: artifact })
    else if (last && artifact.role === 'lossless') last.lossless = artifact
    else if (last && artifact.role === 'cover') last.cover = artifact
  }
  return pieces
}
