import { defined } from '@generation-gateway/kit/defined.ts'
import type { TaskView } from '../../contract/context.ts'
import { implement } from '../../contract/family.ts'
import { inCurrency } from '../../core/records/ledger.ts'
import { resultOf, type Task } from '../../core/records/task.ts'
import { outputFacts, outputsOf, pageOf, unixSeconds } from '../shared/task-answers.ts'
import { tasksFamily } from './family.ts'

const pictureCapabilities = ['image.generate', 'image.edit', 'image.upscale'] as const

export const tasksEntry = implement(tasksFamily, {
  list: async (context, { query }) => {
    const { idempotency_key: idempotencyKey, ...filter } = query
    const { page, hasMore } = await pageOf(query.limit, limit =>
      context.accountTasks.list({ ...filter, ...defined({ idempotencyKey }), limit }),
    )
    return { object: 'list' as const, data: page.map(task => present(context, task)), has_more: hasMore }
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
    created_at: unixSeconds(task.createdAt),
    started_at: task.startedAt === undefined ? null : unixSeconds(task.startedAt),
    finished_at: task.finishedAt === undefined ? null : unixSeconds(task.finishedAt),
    deadline_at: unixSeconds(task.deadlineAt),
    expires_at: unixSeconds(task.expiresAt),
    client_reference: task.clientReference ?? null,
    error: failure ? { code: failure.code, message: failure.message, reasons: failure.reasons ?? [] } : null,
    outputs: outputsOf(task).map(artifact => ({ ...outputFacts(artifact), url: view.link(artifact, tasksFamily.linkLifetimeMs) })),
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
