/** Writes the content for a title: creates a task at the vendor, reads the task's outline, and then
 *  lets the vendor write the content. The vendor streams the outline while it writes it. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Failed, Job, Outcome, PolledOffer, Running, Started } from '@generation-gateway/kit/requests/job.ts'
import type { SlidesWriteRequest, SlidesWriteResult } from '@generation-gateway/kit/requests/slides.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { codes, dataOf, idIn, integerIn, type ServiceAnswer } from './codes.ts'
import { slidesOf } from './outline.ts'
import type { Sessions } from './session.ts'
import { owner, settings } from './settings.ts'

type WriteJob = Job<SlidesWriteRequest>

const maxOutline = 1_000_000
/** Largest number of outlines that are kept in memory until their content is ready. */
const mostWaiting = 1_000
/** Values of a content's status: 1 while the vendor writes it, 2 when it is finished. */
const statuses = { writing: 1, done: 2 } as const

interface OutlineTicket {
  outline: string
  ticket: string
}

export function writings(sessions: Sessions): Omit<PolledOffer<SlidesWriteRequest>, 'pollEveryMs'> {
  // Outlines and tickets of the jobs whose content the vendor is writing. They are kept in memory
  // only; when one is missing (after a restart, or when the map was full and was cleared), the
  // outline and the content are requested again.
  const waiting = new Map<string, OutlineTicket>()
  return {
    kind: 'polled',
    start: job => start(sessions, job),
    check: async (job, handle) => {
      const key = `${settings.targetOf(job.settings).service} ${String(handle.task)}`
      const seen = await poll({ sessions, job, task: String(handle.task), waiting, key })
      if (seen.state !== 'running') waiting.delete(key)
      return seen
    },
  }
}

async function start(sessions: Sessions, job: WriteJob): Promise<Started | Failed> {
  const reported = await sessions.submit(job, { path: '/ai/chat/v2/task', form: { type: '1', title: job.request.title } })
  if (reported.code === codes.moderated) return moderated()
  return { state: 'started', handle: { task: idIn(objectOf(dataOf(reported)).id, 'the task it made') } }
}

interface PollContext {
  sessions: Sessions
  job: WriteJob
  task: string
  waiting: Map<string, OutlineTicket>
  key: string
}

async function poll({ sessions, job, task, waiting, key }: PollContext): Promise<Running | Outcome> {
  const writing = waiting.get(key)
  if (!writing) {
    const outline = await outlineOf(sessions, job, task)
    const reported = await sessions.ask(job, { path: `/ai/chat/v2/content?${new URLSearchParams({ task_id: task })}` })
    const problem = problemIn(reported)
    if (problem) return problem
    if (waiting.size >= mostWaiting) waiting.clear()
    waiting.set(key, { outline, ticket: idIn(ticketIn(dataOf(reported)), 'the ticket of the content') })
    return { state: 'running', progress: 0.3 }
  }
  const reported = await sessions.ask(job, { path: `/ai/chat/v2/content/check?${new URLSearchParams({ ticket: writing.ticket })}` })
  const problem = problemIn(reported)
  if (problem) return problem
  const { status, content } = objectOf(dataOf(reported))
  const state = integerIn(status)
  if (state === statuses.writing) return { state: 'running', progress: 0.6 }
  if (state !== statuses.done) return failedAfterPay('upstream_error', `${owner} did not write the content.`)
  return done(job, { task, markdown: textOf(content) ?? writing.outline })
}

/** Returns the ticket, an id by which the content is polled; the vendor sends it either as the data
 *  itself or as a member of the data. */
function ticketIn(data: unknown): unknown {
  return typeof data === 'object' ? objectOf(data).ticket : data
}

/** Requests the outline and returns its text. The first request makes the service write it; the
 *  text is streamed while it is written. */
async function outlineOf(sessions: Sessions, job: WriteJob, task: string): Promise<string> {
  const answer = await sessions.open(job, `/ai/chat/outline?${new URLSearchParams({ task_id: task })}`)
  let outline = ''
  for await (const { data } of answer.events()) {
    outline += piecesIn(data)
    if (outline.length > maxOutline) throw new GatewayError('upstream_error', `The outline of ${owner} does not end.`)
  }
  return outline
}

/** Returns the text in an event; the event is either plain text, or JSON with a text in it. */
function piecesIn(data: string): string {
  if (data === '[DONE]') return ''
  try {
    const { content, data: inner } = objectOf(JSON.parse(data))
    return textOf(content) ?? textOf(objectOf(inner).content) ?? ''
  } catch {
    return data
  }
}

function problemIn({ code }: ServiceAnswer): Failed | undefined {
  if (code === codes.moderated) return moderated()
  if (code === codes.generationFailed) return failedAfterPay('upstream_error', `${owner} could not write the content.`)
  if (code === codes.taskMissing) return failedAfterPay('upstream_error', `${owner} no longer has the task.`)
  return undefined
}

function moderated(): Failed {
  return failed('request_moderated', `${owner} refused the title.`)
}

function done({ request, settings: given }: WriteJob, { task, markdown }: { task: string; markdown: string }): Outcome {
  const { title, language, slides: count } = request
  const slides = slidesOf(markdown, title)
  const leftOut = [...(language === undefined ? [] : ['the language']), ...(count === undefined ? [] : ['the number of slides'])]
  const result: SlidesWriteResult = {
    title: slides[0]?.title ?? title,
    language: language ?? (/\p{Script=Han}/u.test(title) ? 'zh' : 'und'),
    slides,
    origin: { service: settings.targetOf(given).service, id: task },
    ...(leftOut.length === 0 ? {} : { comment: `${owner} chooses ${leftOut.join(' and ')} by itself.` }),
  }
  return { state: 'done', files: [], report: { ...result }, usage: [{ unit: 'slides', units: slides.length }] }
}
