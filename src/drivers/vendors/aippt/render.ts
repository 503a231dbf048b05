/** Renders content that the service wrote earlier: saves it as a design with a template, then
 *  exports that design in each format. */
import { objectOf } from '@generation-gateway/kit/json.ts'
import {
  type Failed,
  type Job,
  type JobFacts,
  type Outcome,
  type OutputFile,
  type PolledOffer,
  type Refusal,
  type Running,
  refusal,
  type Started,
} from '@generation-gateway/kit/requests/job.ts'
import type { SlidesRenderRequest } from '@generation-gateway/kit/requests/slides.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { isLinkGone } from '../../shared/output/fetch-output.ts'
import { textsOf } from '../../shared/upstream/read-json.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { codes, dataOf, idIn } from './codes.ts'
import { fetchPresentationFile, type PresentationRole } from './presentation-file.ts'
import type { Sessions } from './session.ts'
import { owner, settings } from './settings.ts'

type RenderJob = Job<SlidesRenderRequest>

const mostUnderway = 1_000
/** Largest number of times that an export is requested again after the vendor lost it. */
const mostLost = 3

const formats: Readonly<Record<PresentationRole, string>> = { deck: 'ppt', document: 'pdf' }

/** The exports of one job: the vendor's keys by role of the file, and how many exports the vendor
 *  lost. */
interface Exports {
  keys: Map<PresentationRole, string>
  lost: number
}

export function renderings(tools: ServiceTools, sessions: Sessions): Omit<PolledOffer<SlidesRenderRequest>, 'pollEveryMs'> {
  // The exports of all jobs. They are kept in memory only: after a restart, the exports of a design
  // are requested from the vendor again.
  const underway = new Map<string, Exports>()
  return {
    kind: 'polled',
    refuses,
    start: job => start(sessions, job),
    check: async (job, handle) => {
      const design = String(handle.design)
      const key = `${settings.targetOf(job.settings).service} ${design}`
      if (underway.size >= mostUnderway) underway.clear()
      const exports = underway.get(key) ?? { keys: new Map(), lost: 0 }
      underway.set(key, exports)
      const seen = await poll({ tools, sessions, job, design, exports })
      if (seen.state !== 'running') underway.delete(key)
      return seen
    },
  }
}

function refuses({ request: { origin, template, outputs = [] }, settings: given }: JobFacts<SlidesRenderRequest>): Refusal | undefined {
  if (origin?.service !== settings.targetOf(given).service)
    return refusal('slides', `${owner} makes files only of what it has written itself.`)
  if (!/^\d{1,15}$/.test(template)) return refusal('template', `${owner} has numbers for its templates.`)
  if (outputs.includes('page')) return refusal('outputs', `${owner} is asked for no pictures of pages.`)
  return undefined
}

/** Creates a design from the content and the template at the service. Polls then request the
 *  exports of the design. */
async function start(sessions: Sessions, job: RenderJob): Promise<Started | Failed> {
  const { origin, template, title } = job.request
  const form = { task_id: origin?.id ?? '', template_id: template, name: title }
  const reported = await sessions.submit(job, { path: '/design/v2/save', form })
  if (reported.code === codes.taskMissing) return failed('upstream_error', `${owner} no longer has the content.`)
  return { state: 'started', handle: { design: idIn(objectOf(dataOf(reported)).id, 'the design it made') } }
}

interface PollContext {
  tools: ServiceTools
  sessions: Sessions
  job: RenderJob
  design: string
  exports: Exports
}

async function poll(pollContext: PollContext): Promise<Running | Outcome> {
  const { hasPdf } = settings.targetOf(pollContext.job.settings)
  const { outputs = ['deck', ...(hasPdf ? ['document' as const] : [])] } = pollContext.job.request
  const wanted = (['deck', 'document'] as const).filter(role => outputs.includes(role))
  const links: [PresentationRole, string][] = []
  for (const role of wanted) {
    const link = await linkOf(pollContext, role)
    if (link !== undefined) links.push([role, link])
  }
  if (pollContext.exports.lost > mostLost) return failedAfterPay('upstream_error', `${owner} loses its exports.`)
  if (links.length < wanted.length) return { state: 'running', progress: (1 + links.length) / (2 + wanted.length) }
  return filesOf(pollContext, links)
}

/** Requests an export, or polls it when it was already requested. Returns the link of the finished
 *  file; undefined while the export is not ready. */
async function linkOf({ sessions, job, design, exports }: PollContext, role: PresentationRole): Promise<string | undefined> {
  const key = exports.keys.get(role)
  if (key === undefined) {
    const form = { id: design, format: formats[role], edit: 'true', files_to_zip: 'false' }
    const reported = await sessions.ask(job, { path: '/download/export/file', form })
    if (reported.code === codes.exportQueueFull) return undefined
    exports.keys.set(role, idIn(dataOf(reported), 'the export it makes'))
    return undefined
  }
  const reported = await sessions.ask(job, { path: '/download/export/file/result', form: { task_key: key } })
  if (reported.code === codes.exportMissing) {
    exports.keys.delete(role)
    exports.lost++
    return undefined
  }
  // While the export is running, `data` is an empty list or no list.
  return textsOf(dataOf(reported))[0]
}

async function filesOf({ tools, job, exports }: PollContext, links: readonly [PresentationRole, string][]): Promise<Running | Outcome> {
  const { origin: trustedOrigin, route } = settings.targetOf(job.settings).upstream
  const files: OutputFile[] = []
  let pages = 0
  for (const [role, link] of links) {
    try {
      const fetched = await fetchPresentationFile({ guard: tools.guard, trustedOrigin, route, job, role }, link)
      if ('state' in fetched) return fetched
      files.push(fetched.file)
      pages = fetched.slides ?? pages
    } catch (error) {
      if (!isLinkGone(error) || exports.lost >= mostLost) throw error
      // The link has expired, so the export is requested again; the new export has another key and
      // another link.
      exports.keys.delete(role)
      exports.lost++
      return { state: 'running' }
    }
  }
  const slides = pages || job.request.slides.length
  return { state: 'done', files, report: { slides }, usage: [{ unit: 'slides', units: slides }] }
}
