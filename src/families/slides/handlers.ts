import { randomInt } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { nameIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { Slide, SlidesRenderRequest, SlidesWriteRequest } from '@generation-gateway/kit/requests/slides.ts'
import type { Static } from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import type { ListedTemplate } from '../../contract/needs/templates.ts'
import { BytesReply } from '../../contract/replies.ts'
import { isFinal, resultOf, type Task } from '../../core/records/task.ts'
import { failureSentence, ifFound, outputsOf, stateWords, unixSeconds } from '../shared/task-answers.ts'
import { notReady, taskFailed, unknown } from './failure.ts'
import { contentMs, coverMs, exportDeadlineMs, exportMs, slides } from './family.ts'
import type { PresentationState } from './schema.ts'

type Operations = (typeof slides)['operations']
type Presentation = Static<Operations['show']['reply']['schema']>
type Files = Static<Operations['files']['reply']['schema']>

/** Number of tries to find a free task number. Numbers are random; when the account already has
 *  a task with the number, another one is tried. */
const draws = 5
/** Largest number of exports, including failed ones, of the same content with the same template. */
const mostExports = 20

export const slidesEntry = implement(slides, {
  create: (context, { body }) => create(context, body),
  show: async (context, { params }) => present(await contentTask(context, params.taskId ?? '')),
  templates: async (context, { query: { pageNo, pageSize, model: _model, ...filter } }) => {
    const { total, list } = await context.templates.list({ page: pageNo, pageSize, ...filter })
    const pagination = { total, current_page: pageNo, page_size: pageSize }
    return { pagination, list: list.map(each => presentTemplate(context, each)) }
  },
  cover: async (context, { params: { engine = '', templateId = '' } }) => {
    const path = context.templates.coverOf(engine, templateId)
    if (path === undefined) throw unknownTemplate(templateId)
    context.setHeader('cache-control', `private, max-age=${coverMs / 1000}`)
    return new BytesReply('image/png', createReadStream(path))
  },
  startExport: async (context, { params: { taskId = '', templateId = '' } }) => {
    context.setHeader('cache-control', 'no-store')
    return { exportId: context.publicId(await exportTask(context, await readyTask(context, taskId), templateId)) }
  },
  files: async (context, { params: { exportId = '' } }) => {
    context.setHeader('cache-control', 'no-store')
    return filesOf(context, await ownExport(context, exportId))
  },
})

async function create(context: CallContext, { title, language, slides: count }: Input<Operations['create']>['body']) {
  const request: SlidesWriteRequest = { title: title.trim() }
  if (language !== undefined) request.language = language
  if (count !== undefined) request.slides = count
  for (let drawn = 1; ; drawn++) {
    try {
      const clientReference = String(randomInt(1e9, 1e10))
      const task = await context.submit({ capability: 'slides.write', request, shown: { title: request.title }, clientReference })
      return { message: 'success', taskId: numberOf(task) }
    } catch (error) {
      if (!isTaken(error) || drawn === draws) throw error
    }
  }
}

/** Returns the number by which callers know the task. */
function numberOf({ clientReference, id }: Task): string {
  return clientReference ?? id
}

function isTaken(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'conflict'
}

/** Returns a task that writes content, as long as the content can be exported (one hour). Throws
 *  `task_not_found` afterwards, and for any other id. */
async function contentTask(context: CallContext, taskId: string): Promise<Task> {
  const task = await context.task(taskId)
  if (task.capability === 'slides.write' && context.now() <= lastExportAt(task)) return task
  throw new GatewayError('task_not_found', `The task ${taskId.slice(0, 64)} does not exist.`, { subject: taskId })
}

/** Returns the time until which content can be exported: an hour after it was written or, if it is
 *  not ready yet, after the deadline of the task. */
function lastExportAt({ finishedAt, deadlineAt }: Task): number {
  return (finishedAt ?? deadlineAt) + contentMs
}

/** Returns a task whose content can be exported. When it cannot, throws the error that says why. */
async function readyTask(context: CallContext, taskId: string): Promise<Task> {
  const task = await contentTask(context, taskId)
  if (task.state === 'succeeded') return task
  if (!isFinal(task.state))
    throw notReady('content-not-ready', `The content of task ${numberOf(task)} is not ready; try again in a few seconds.`)
  throw failed(task, 'content-failed')
}

/** Returns the reason why the task has no result. A refusal by the safety rules keeps its own
 *  code. */
function failed({ failure, state }: Task, rule: 'content-failed' | 'export-failed'): GatewayError {
  const message = failure ? failureSentence(slides, failure) : `The task was ${state}.`
  const isModerated = failure?.code === 'request_moderated' || failure?.code === 'content_moderated'
  if (!isModerated) return taskFailed(rule, message)
  const field = failure.field === undefined ? {} : { field: nameIn(slides.fieldNames ?? {}, failure.field) }
  return new GatewayError(failure.code, message, { reasons: failure.reasons ?? [], ...field })
}

/** Returns the task that exports this content with this template. An export that is running or
 *  has succeeded is returned again; otherwise a new one is created. */
async function exportTask(context: CallContext<'templates'>, task: Task, templateId: string): Promise<Task> {
  const template = context.templates.nameOf(templateId)
  if (template === undefined) throw unknownTemplate(templateId)
  const { title, language, slides: written, origin } = resultOf(task, 'slides.write')
  const request: SlidesRenderRequest = { title, language, slides: written, template, ...(origin && { origin }) }
  const shown = { taskId: numberOf(task), templateId: Number(templateId) }
  for (let count = 1; count <= mostExports; count++) {
    const clientReference = [task.id, context.model.id, templateId, count].join('/')
    const earlier = await ifFound(context.task(clientReference))
    if (earlier && !isAlive(earlier)) continue
    if (earlier) return earlier
    try {
      return await context.submit({ capability: 'slides.render', request, shown, clientReference, deadlineMs: exportDeadlineMs })
    } catch (error) {
      // The id may be taken because a concurrent call has created the same export. That export is
      // then returned.
      const made = isTaken(error) ? await ifFound(context.task(clientReference)) : undefined
      if (!made) throw error
      return made
    }
  }
  throw taskFailed('export-failed', `${mostExports} exports of this task in template ${templateId} have failed.`)
}

function isAlive({ state }: Task): boolean {
  return !isFinal(state) || state === 'succeeded'
}

function unknownTemplate(id: string): GatewayError {
  return unknown('template-unknown', `There is no template ${JSON.stringify(id.slice(0, 64))}.`)
}

/** Returns an export of the caller's account. Throws `not_found` for an unknown export, and for one
 *  that ended more than a day ago. */
async function ownExport(context: CallContext, exportId: string): Promise<Task> {
  const task = await ifFound(context.task(exportId))
  const isThere = task?.capability === 'slides.render' && context.now() <= (task.finishedAt ?? task.deadlineAt) + exportMs
  if (isThere) return task
  throw unknown('export-unknown', `There is no export ${JSON.stringify(exportId.slice(0, 64))}.`)
}

function filesOf(context: CallContext, task: Task): Files {
  if (!isFinal(task.state)) throw notReady('export-running', 'The export is in progress; try again later.')
  if (task.state !== 'succeeded') throw failed(task, 'export-failed')
  const outputs = ['deck', 'document'].flatMap(role => outputsOf(task, role))
  const { comment } = resultOf(task, 'slides.render')
  return { urls: outputs.map(each => context.link(each, slides.linkLifetimeMs)), ...defined({ comment }) }
}

const states = stateWords<PresentationState>({
  queued: 'writing',
  running: 'writing',
  succeeded: 'ready',
  failed: 'failed',
  cancelled: 'cancelled',
})

function present(task: Task): Presentation {
  const state = states[task.state]
  const shown: Presentation = { taskId: numberOf(task), state, progress: Math.floor(task.progress), title: String(task.shown?.title) }
  if (task.finishedAt !== undefined) shown.expires_at = unixSeconds(lastExportAt(task))
  if (task.failure) {
    const { code, reasons = [] } = task.failure
    shown.error = { code, message: failureSentence(slides, task.failure), reasons }
  }
  if (state !== 'ready') return shown
  const { title, language, slides: written, comment } = resultOf(task, 'slides.write')
  return { ...shown, title, language, slides: written satisfies Slide[], ...defined({ comment }) }
}

function presentTemplate(context: CallContext, { cover, scenes, ...facts }: ListedTemplate) {
  const cover_img = typeof cover === 'string' ? cover : coverLink(context, cover.engine, facts.id)
  return { ...facts, cover_img, ...(scenes && { scenes: [...scenes] }) }
}

/** Returns the link to the cover of a template. The link stays the same for a day, so that
 *  browsers download the picture only once. */
function coverLink(context: CallContext, engine: string, id: number): string {
  // Half a second is added because the expiry of a link is rounded to whole seconds. Without it,
  // the few milliseconds until the link is signed could change the rounded time, and so the link.
  const lifetimeMs = 2 * coverMs - (context.now() % coverMs) + 500
  return context.signedUrl('cover', { engine, templateId: String(id) }, lifetimeMs)
}
