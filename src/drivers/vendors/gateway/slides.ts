/** Presentations of another gateway, over its family of them: a task there writes, an export of it renders. */
import { polled } from '@generation-gateway/kit/driver.ts'
import { type ErrorCode, errorCatalogue, GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import { nextHop } from '@generation-gateway/kit/requests/hops.ts'
import {
  type AskedJob,
  type Failed,
  type Job,
  type Outcome,
  type OutputFile,
  type PolledOffer,
  type Refusal,
  type Running,
  refusal,
} from '@generation-gateway/kit/requests/job.ts'
import type { AskedTemplates, FoundTemplate, TemplatePage } from '@generation-gateway/kit/requests/slide-templates.ts'
import type { Slide, SlidesRenderRequest, SlidesWriteRequest, SlidesWriteResult } from '@generation-gateway/kit/requests/slides.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { isLinkGone } from '../../shared/output/fetch-output.ts'
import { fetchPresentationFile } from '../../shared/slides/presentation-file.ts'
import { targetFor } from '../../shared/upstream/hops.ts'
import { countOf, present, textsOf } from '../../shared/upstream/read-json.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { settings } from './settings.ts'
import { owner } from './task-answer.ts'
import { waitsOf } from './task-paths.ts'

type Asking = Pick<Job<{ hops?: number }>, 'request' | 'settings' | 'signal'>

const pollEveryMs = 1_000
const looksPerSecond = 100
/** Content of many slides. */
const maxAnswerBytes = 16 * 1024 * 1024
const maxSentence = 500

interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  /** After `/ppt/`. */
  path: string
  body?: JsonObject
  headers?: Readonly<Record<string, string>>
}

/** Writes there; what is written is kept there for an hour, and rendered there. */
export function writtenSlides(tools: ServiceTools): PolledOffer<SlidesWriteRequest> {
  return polled<SlidesWriteRequest>({
    isIdempotent: true,
    pollEveryMs,
    looksPerSecond,
    start: async job => {
      const { title, language, slides } = job.request
      const body = present({ type: '1', title, language, slides, model: job.model })
      const call: Call = { method: 'POST', path: 'task', body, headers: { 'idempotency-key': job.id } }
      const id = textOf(objectOf(await asked(tools, job, call).catch(lacking)).taskId)
      if (id !== undefined) return { state: 'started', handle: { id } }
      throw new GatewayError('upstream_error', 'The other gateway did not name the task it made.')
    },
    check: async (job, handle) => {
      try {
        return seenContent(job, await asked(tools, job, { method: 'GET', path: taskPath(handle) }), String(handle.id))
      } catch (error) {
        if (codeBehind(error) === '1222') return failedAfterPay('upstream_error', 'The other gateway no longer has the task.')
        throw error
      }
    },
    cancel: async (job, handle) => {
      try {
        await asked(tools, job, { method: 'DELETE', path: taskPath(handle) })
      } catch (error) {
        if (codeBehind(error) !== '1222') throw error
      }
    },
  })
}

/** Renders what it has written. The same export is asked for however often it is started. */
export function renderedSlides(tools: ServiceTools): PolledOffer<SlidesRenderRequest> {
  return polled<SlidesRenderRequest>({
    isIdempotent: true,
    pollEveryMs,
    looksPerSecond,
    refuses,
    start: async job => {
      const { origin, template } = job.request
      const path = `export/${encodeURIComponent(origin?.id ?? '')}/${template}`
      try {
        const id = textOf(objectOf(await asked(tools, job, { method: 'GET', path })).exportId)
        if (id !== undefined) return { state: 'started', handle: { id } }
      } catch (error) {
        return refusedExport(error, job.request)
      }
      throw new GatewayError('upstream_error', 'The other gateway did not name the export it makes.')
    },
    check: (job, handle) => lookAtExport(tools, job, handle),
    cancel: async (job, handle) => void (await asked(tools, job, { method: 'DELETE', path: exportPath(handle) }).catch(alreadyEnded)),
  })
}

/** Templates of its model there. */
export async function templatesThere(tools: ServiceTools, asking: AskedTemplates): Promise<TemplatePage> {
  const { page, pageSize, ...filter } = asking.query
  const query = new URLSearchParams({ pageNo: String(page), pageSize: String(pageSize), ...filter, model: asking.model })
  const call: Call = { method: 'GET', path: `export/templates?${query}` }
  const { pagination, list } = objectOf(await asked(tools, { ...asking, request: {} }, call).catch(lacking))
  return { total: countOf(objectOf(pagination).total), list: objectsOf(list).flatMap(templateIn) }
}

async function asked({ upstream }: ServiceTools, job: Asking, { path, headers, ...call }: Call): Promise<Json> {
  const { whole, endpoint } = settings.targetOf(job.settings)
  const waits = waitsOf(job)
  const limits = { ...waits, timeoutMs: 2 * waits.firstByteMs, maxBytes: maxAnswerBytes, signal: job.signal, isStored: true }
  const sent = { ...headers, ...nextHop(job.request.hops) }
  const at = `/v1/ai/${endpoint}/ppt/${path}`
  return (await upstream.json(targetFor(whole, { headers: sent }), { ...call, ...limits, path: at, headers: sent })).body
}

const taskPath = ({ id }: JsonObject) => `task/${encodeURIComponent(String(id))}`
const exportPath = ({ id }: JsonObject) => `export/result/${encodeURIComponent(String(id))}`

/** The gateway and its endpoint: tasks of one are not there for another. */
function serviceOf(given: JsonObject): string {
  const { whole, endpoint } = settings.targetOf(given)
  return `${whole.origin}${whole.path}#${endpoint}`
}

function refuses({ request: { origin, template, outputs = [] }, settings: given }: AskedJob<SlidesRenderRequest>): Refusal | undefined {
  if (origin?.service !== serviceOf(given)) return refusal('slides', 'another gateway makes files only of what it has written itself.')
  if (!/^[1-9]\d{0,14}$/.test(template)) return refusal('template', 'another gateway has numbers for its templates.')
  if (outputs.includes('page')) return refusal('outputs', 'another gateway gives no pictures of pages.')
  return undefined
}

function seenContent({ settings: given }: Asking, answer: Json, id: string): Running | Outcome {
  const { state, progress, title, language, slides, comment, error } = objectOf(answer)
  if (state === 'writing') return { state: 'running', ...(typeof progress === 'number' ? { progress: progress / 100 } : {}) }
  if (state === 'cancelled') return failed('upstream_error', 'The task was cancelled at the other gateway.')
  if (state === 'failed') return brokenOff(objectOf(error), settings.targetOf(given).whole.secrets)
  if (state !== 'ready') throw new GatewayError('upstream_error', 'The other gateway answered with a state that presentations do not have.')
  const written = objectsOf(slides).filter(isSlide)
  const result: SlidesWriteResult = {
    title: textOf(title) ?? '',
    language: textOf(language) ?? 'und',
    slides: written,
    origin: { service: serviceOf(given), id },
    ...(textOf(comment) === undefined ? {} : { comment: textOf(comment) ?? '' }),
  }
  return { state: 'done', files: [], report: { ...result }, usage: [{ unit: 'slides', units: written.length }] }
}

/** Which layouts there are is that gateway's affair: it alone renders them. */
function isSlide(value: object): value is Slide {
  return 'layout' in value && 'title' in value && 'points' in value && Array.isArray(value.points)
}

function brokenOff({ code, message, reasons }: JsonObject, secrets: readonly string[]): Failed {
  const says = withoutSecrets(textOf(message) ?? 'no reason was given.', secrets).slice(0, maxSentence)
  if (isAboutTheRequest(code)) return failed(code, says, textsOf(reasons))
  const sentence = `The other gateway failed on the task: ${says}`
  return code === 'outcome_unknown' ? failedAfterPay('upstream_error', sentence) : failed('upstream_error', sentence)
}

/** It means the same there and here, and nothing was made. */
function isAboutTheRequest(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCatalogue, code) && /moderated|^invalid_request$|^instruction_/.test(code)
}

/** Nothing has been started, and another try there would end alike. */
function refusedExport(error: unknown, { template }: SlidesRenderRequest): Failed {
  switch (codeBehind(error)) {
    case '1222':
      return failed('upstream_error', 'The other gateway no longer has the content.')
    case 'template_not_found':
      return failed('invalid_request', about('template', `there is no ${template} at the other gateway.`))
    case 'generation_failed':
    case 'export_failed':
      return failed('upstream_error', 'The other gateway cannot make files of this.')
    case 'content_policy_violation':
      return failed('content_moderated', 'The other gateway refused the content.')
    default:
      return lacking(error)
  }
}

async function lookAtExport(tools: ServiceTools, job: Job<SlidesRenderRequest>, handle: JsonObject): Promise<Running | Outcome> {
  try {
    const { urls, comment } = objectOf(await asked(tools, job, { method: 'GET', path: exportPath(handle) }))
    return await filesAt(tools, job, { urls: textsOf(urls), comment: textOf(comment) })
  } catch (error) {
    if (isLinkGone(error) && codeBehind(error) === undefined) return { state: 'running' }
    switch (codeBehind(error)) {
      case '1223':
        return { state: 'running' }
      case 'export_failed':
        return failed('upstream_error', 'The other gateway could not make the files.')
      case 'content_policy_violation':
        return failed('content_moderated', 'The other gateway refused the content.')
      case 'export_not_found':
        return failedAfterPay('upstream_error', 'The other gateway no longer has the export.')
      default:
        throw error
    }
  }
}

/** The deck comes first, the document second. */
async function filesAt(
  { guard }: ServiceTools,
  job: Job<SlidesRenderRequest>,
  { urls, comment }: { urls: string[]; comment: string | undefined },
): Promise<Outcome> {
  const trustedOrigin = settings.targetOf(job.settings).whole.origin
  const files: OutputFile[] = []
  let pages = 0
  for (const [index, url] of urls.entries()) {
    const role = (['deck', 'document'] as const)[index]
    if (role === undefined) break
    const fetched = await fetchPresentationFile({ guard, trustedOrigin, job, owner, role }, url)
    if ('state' in fetched) return fetched
    files.push(fetched.file)
    pages = fetched.slides ?? pages
  }
  if (files.length === 0) return failedAfterPay('upstream_error', 'The other gateway calls the export done and links to no file.')
  const slides = pages || job.request.slides.length
  return { state: 'done', files, report: present({ slides, comment }), usage: [{ unit: 'slides', units: slides }] }
}

/** A model, an endpoint or the family that it lacks: nothing was spent, and another target may have it. */
function lacking(error: unknown): never {
  if (answerBehind(error)?.status !== 404) throw error
  const code = codeBehind(error)
  const what = code === 'model_not_found' || code === 'endpoint_not_found' ? code.replace('_not_found', '') : 'family slides'
  throw new GatewayError('capability_unavailable', `The other gateway does not have the ${what} of the target.`, { cause: error })
}

function alreadyEnded(error: unknown): void {
  if (answerBehind(error)?.status !== 404 && answerBehind(error)?.status !== 409) throw error
}

function codeBehind(error: unknown): string | undefined {
  return answerBehind(error)?.upstreamCode
}

function templateIn({ id, cover_img: cover, title, category, style, colour, scenes }: JsonObject): FoundTemplate[] {
  const link = textOf(cover)
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1 || link === undefined || !/^https?:\/\//.test(link)) return []
  const { name, hex } = objectOf(colour)
  const [named, bright] = [textOf(name), textOf(hex)]
  const words = Object.entries({ title, category, style }).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []))
  return [
    {
      ...{ id, name: String(id), cover: link },
      ...Object.fromEntries(words),
      ...(named !== undefined && bright !== undefined ? { colour: { name: named, hex: bright } } : {}),
      ...(Array.isArray(scenes) ? { scenes: textsOf(scenes) } : {}),
    },
  ]
}
