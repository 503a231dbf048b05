import type { TaskView } from '../../contract/context.ts'
import { implement } from '../../contract/family.ts'
import { inCurrency } from '../../core/records/ledger.ts'
import { type Artifact, resultOf, type Task } from '../../core/records/task.ts'
import { tasksFamily } from './family.ts'

const pictureCapabilities = ['image.generate', 'image.edit', 'image.upscale'] as const

export const tasksEntry = implement(tasksFamily, {
  list: async (context, { query }) => {
    // One more tells whether there is a next page.
    const { idempotency_key: idempotencyKey, ...filter } = query
    const named = idempotencyKey === undefined ? {} : { idempotencyKey }
    const found = await context.accountTasks.list({ ...filter, ...named, limit: query.limit + 1 })
    return {
      object: 'list' as const,
      data: found.slice(0, query.limit).map(task => present(context, task)),
      has_more: found.length > query.limit,
    }
  },
  get: async (context, { params }) => {
    const task = await context.accountTasks.get(params.id ?? '')
    const { currency, lines } = await context.accountTasks.usage(task.id)
    const usage = lines.map(({ unit, units, costMicros }) => ({ unit, units, cost: inCurrency(costMicros) }))
    const costMicros = lines.reduce((sum, line) => sum + line.costMicros, 0)
    return { ...present(context, task), pictures: picturesOf(task), videos: videosOf(task), currency, cost: inCurrency(costMicros), usage }
  },
})

function present(view: TaskView, task: Task) {
  const { id, family, endpoint, model, capability, state, progress, failure } = task
  return {
    id,
    object: 'task' as const,
    family,
    endpoint,
    model,
    capability,
    state,
    progress,
    created_at: toSeconds(task.createdAt),
    started_at: task.startedAt === undefined ? null : toSeconds(task.startedAt),
    finished_at: task.finishedAt === undefined ? null : toSeconds(task.finishedAt),
    deadline_at: toSeconds(task.deadlineAt),
    expires_at: toSeconds(task.expiresAt),
    client_reference: task.clientReference ?? null,
    error: failure ? { code: failure.code, message: failure.message, reasons: failure.reasons ?? [] } : null,
    outputs: task.artifacts.filter(({ kind }) => kind === 'output').map(artifact => presentOutput(view, artifact)),
  }
}

function presentOutput(view: TaskView, artifact: Artifact) {
  const { role, index, mediaType, bytes, sha256, width, height, durationSeconds } = artifact
  return {
    role,
    index,
    media_type: mediaType,
    bytes,
    sha256,
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(durationSeconds === undefined ? {} : { duration_seconds: durationSeconds }),
    url: view.link(artifact, tasksFamily.linkLifetimeMs),
  }
}

function picturesOf(task: Task) {
  if (task.state !== 'succeeded' || !isOfPictures(task.capability)) return null
  const { seed, prompt, notDrawn, notFollowed = [], refused = [] } = resultOf(task, ...pictureCapabilities)
  const withheld = refused.map(({ picture, reasons }) => ({ index: picture, reasons }))
  return { seed, prompt, not_drawn: notDrawn, not_followed: [...notFollowed], refused: withheld }
}

function videosOf(task: Task) {
  if (task.state !== 'succeeded' || task.capability !== 'video.generate') return null
  const { seed, prompt, notFollowed = [], filtered } = resultOf(task, 'video.generate')
  return { seed, prompt, not_followed: [...notFollowed], filtered: filtered.map(({ video, reasons }) => ({ index: video, reasons })) }
}

function isOfPictures(capability: string): boolean {
  return pictureCapabilities.some(each => each === capability)
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}
