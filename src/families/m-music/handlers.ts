import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import type { MusicRequest } from '@generation-gateway/kit/requests/music.ts'
import type { AccountFile } from '../../contract/call-file.ts'
import type { CallContext, Submission } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { fileProblem } from '../../contract/file-rule.ts'
import { BytesReply, FileReply } from '../../contract/replies.ts'
import { isFinal } from '../../core/records/task.ts'
import { unixSeconds } from '../shared/task-answers.ts'
import { m, uploadMs } from './family.ts'
import { filesOfPieces, presentBegun, presentTask } from './present.ts'
import { inputPurposes, purposes } from './purposes.ts'
import { isGiven } from './rules.ts'
import type { MusicBody, MusicFile, MusicTask } from './schema.ts'

export const mEntry = implement(m, {
  song: (context, { body }) => submit(context, 'music.song', body),
  songAction: (context, { body }) => submit(context, 'music.song', body),
  instrumental: (context, { body }) => submit(context, 'music.instrumental', body),
  instrumentalAction: (context, { body }) => submit(context, 'music.instrumental', body),
  upload: (context, input) => upload(context, input),
  uploadAction: (context, input) => upload(context, input),
  listen: (context, { params }) => listen(context, params),
  songQuery: (context, { params }) => query(context, 'music.song', params.task_id),
  songQueryAction: (context, { query: { task_id } }) => query(context, 'music.song', task_id),
  songQueryPosted: (context, { query: { task_id } }) => query(context, 'music.song', task_id),
  instrumentalQueryPosted: (context, { query: { task_id } }) => query(context, 'music.instrumental', task_id),
  instrumentalQuery: (context, { params }) => query(context, 'music.instrumental', params.task_id),
  instrumentalQueryAction: (context, { query: { task_id } }) => query(context, 'music.instrumental', task_id),
})

type Uploading = Pick<Input<(typeof m)['operations']['upload']>, 'body' | 'files'>

async function submit(
  context: CallContext<'earlyOutputs' | 'files'>,
  capability: 'music.song' | 'music.instrumental',
  requested: MusicBody & { n: number },
): Promise<MusicTask> {
  const { lyrics, prompt, n, stream = false } = requested
  const request: MusicRequest = { count: n, seed: context.randomSeed() }
  if (lyrics !== undefined) request.lyrics = lyrics
  if (isGiven(prompt)) request.prompt = prompt
  if (stream) request.stream = true
  const shown = { ...defined({ lyrics }), ...(stream ? { stream } : {}) }
  const submission: Submission<typeof capability> = { capability, request, shown, inputs: await inputsOf(context, requested) }
  return presentBegun(context, await context.submit(submission))
}

/** Returns the uploads that the body names. Throws `not_found` for an unknown one, and
 *  `invalid_request` for one with another purpose. */
async function inputsOf(context: CallContext<'files'>, requested: MusicBody): Promise<AccountFile[]> {
  const inputs: AccountFile[] = []
  for (const purpose of inputPurposes) {
    const field = `${purpose}_id` as const
    const id = requested[field]
    if (id === undefined) continue
    const stored = await context.files.get(id)
    if (!stored) throw new GatewayError('not_found', `${field} is ${JSON.stringify(id.slice(0, 64))}; there is no such upload.`, { field })
    if (stored.purpose !== purpose)
      throw invalidField(field, `${field} is an upload for ${stored.purpose}; it has to be one for ${purpose}.`, 'purpose')
    inputs.push({ stored, role: purpose, lengthLimits: purposes[purpose].limits.duration })
  }
  return inputs
}

async function upload(context: CallContext<'files'>, { body: { purpose }, files: [file] }: Uploading): Promise<MusicFile> {
  if (!file) throw invalidField('file', 'file is required.', 'required')
  const problem = fileProblem(file.field, file, purposes[purpose].limits)
  if (problem) throw invalidField(file.field, `${problem.message.slice(0, -1)}, for the purpose ${purpose}.`, problem.rule)
  const name = defined({ name: file.name })
  const stored = await context.files.keep(file, { purpose, lifetimeMs: uploadMs, ...name })
  return {
    ...{ id: stored.id, bytes: stored.facts.bytes, created_at: unixSeconds(stored.createdAt) },
    ...{ filename: stored.name ?? '', purpose, trace_id: context.requestId },
  }
}

/** Streams a piece while it is created, and returns its file afterwards. Throws `conflict`
 *  before the first sound of the piece. The sound can be heard early only on the node that
 *  creates it, so all other nodes throw `conflict` until the file exists. Throws `not_found`
 *  when the piece will never have any sound. */
async function listen(
  context: CallContext<'earlyOutputs'>,
  { task_id = '', piece = '' }: Record<string, string>,
): Promise<BytesReply | FileReply> {
  const task = await context.task(task_id)
  const index = /^[0-9]$/.test(piece) ? Number(piece) : Number.NaN
  const song = filesOfPieces(task)[index]?.song
  if (song) return new FileReply(song)
  const sound = context.earlyOutputs.read(task, index)
  if (sound) {
    context.setHeader('cache-control', 'no-store')
    return new BytesReply('audio/mpeg', sound)
  }
  if (isFinal(task.state))
    throw new GatewayError('not_found', `The task is ${task.state} and has no piece ${JSON.stringify(piece.slice(0, 20))}.`)
  throw new GatewayError(
    'conflict',
    'The piece has not begun on this node. While it is made it plays only on the node that makes it; once the task has succeeded it is a file at this link, on every node.',
  )
}

/** Returns the answer to a query of the task with this id. Throws `task_not_found` for an unknown
 *  id, and for a task of the other kind (song or instrumental). */
async function query(context: CallContext<'earlyOutputs'>, capability: 'music.song' | 'music.instrumental', id = ''): Promise<MusicTask> {
  const task = await context.task(id)
  if (task.capability === capability) return presentTask(context, task)
  const [wanted, is] = capability === 'music.song' ? ['a song', 'an instrumental'] : ['an instrumental', 'a song']
  throw new GatewayError('task_not_found', `The task ${task.id} is not ${wanted} but ${is}.`, { subject: task.id })
}
