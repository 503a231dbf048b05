import { defined } from '@generation-gateway/kit/defined.ts'
import { type ErrorCode, invalidField } from '@generation-gateway/kit/errors.ts'
import { exactNumber } from '@generation-gateway/kit/json.ts'
import { type FieldName, nameIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageUpscaleRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Static } from 'typebox'
import type { CallContext, Submission, TaskView } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { withOutput } from '../../contract/with-output.ts'
import { type Artifact, isFinal, resultOf, type Task } from '../../core/records/task.ts'
import { failureSentence, outputsOf, stateWords, webhookTo } from '../shared/task-answers.ts'
import { usualPicture, usualTolerance } from '../shared/usual-requests.ts'
import { f4, type JobComment, upscaleRules, upscales } from './family.ts'
import { type ParsedText, parseText, sizeOf, usualVersion } from './flags.ts'

type Operations = (typeof f4)['operations']
type Body<Name extends 'diffusion' | 'inpaint' | 'upscale'> = Input<Operations[Name]>['body']
type Job = Static<Operations['query']['reply']['schema']>
type Capability = 'image.generate' | 'image.edit' | 'image.upscale'

/** Number of pictures in a text job or a redraw. */
const perJob = 4

export const f4Entry = implement(
  f4,
  {
    diffusion: (context, { body }) => draw(context, body),
    inpaint: (context, { body }) => redraw(context, body),
    upscale: (context, { body }) => upscale(context, body),
    query: async (context, { params }) => presentTask(context, await context.task(params.jobId ?? '')),
  },
  { webhook: (view, task) => presentTask(view, task) },
)

async function draw(context: CallContext<'notFollowed'>, { text, callback }: Body<'diffusion'>): Promise<Job> {
  const read = parseText(text, 'text')
  const request: ImageGenerateRequest = { ...commonOf(context, read), ...sizeOf(read), aspectRatio: read.aspect ?? '1:1', count: perJob }
  warnOfFlags(context, read, context.notFollowed('image.generate', request))
  return submit(
    context,
    { capability: 'image.generate', request },
    { text, version: read.version ?? usualVersion, count: perJob, callback },
  )
}

async function redraw(
  context: CallContext<'files' | 'notFollowed'>,
  { jobId, imageNo, mask, remixPrompt, callback }: Body<'inpaint'>,
): Promise<Job> {
  const parent = await parentOf(context, jobId, imageNo)
  const text = remixPrompt ?? parent.text
  const read = parseText(text, remixPrompt === undefined ? 'text' : 'remixPrompt')
  const { width, height } = parent.picture
  if (remixPrompt !== undefined && (read.aspect !== undefined || read.isDraft))
    context.warn('--aspect and --draft are left out: a redraw has the size of its picture.')
  const request: ImageEditRequest = {
    ...commonOf(context, read),
    // A redraw has exactly the size of its source picture, even if this is a draft whose sides are
    // not multiples of 32.
    ...(width === undefined || height === undefined ? {} : { width, height }),
    variants: perJob,
    regions: mask.areas,
  }
  warnOfFlags(context, read, context.notFollowed('image.edit', request))
  const shown = { text, version: read.version ?? parent.version, count: perJob, callback }
  return submitWith(context, { capability: 'image.edit', request }, { shown, picture: parent.picture })
}

async function upscale(context: CallContext<'files'>, { jobId, imageNo, type, callback }: Body<'upscale'>): Promise<Job> {
  const { task, picture, text, version } = await parentOf(context, jobId, imageNo)
  if (task.capability === 'image.upscale')
    throw invalidField('jobId', 'jobId is an upscale; it cannot be upscaled again.', upscaleRules.again)
  const { factor, mode, least, most } = upscales[type]!
  if (version < least || version >= most)
    throw invalidField(
      'type',
      `type is ${type}, of other versions; the job is of version ${version}, which takes ${typesOf(version)}.`,
      upscaleRules.wrongVersion,
    )
  const { prompt, seed } = parseText(text, 'text')
  const request: ImageUpscaleRequest = {
    factor,
    mode,
    prompt,
    seed: seed ?? context.randomSeed(),
    safetyTolerance: usualTolerance,
    format: 'png',
  }
  const shown = { text, version, count: 1, callback }
  return submitWith(context, { capability: 'image.upscale', request }, { shown, picture })
}

function typesOf(version: number): string {
  return upscales.flatMap(({ least, most }, type) => (version >= least && version < most ? [type] : [])).join(' or ')
}

/** Warns the caller, in a header, of flags that have no effect. `--draft` is never among them,
 *  because every target can draw the smaller picture. */
function warnOfFlags(context: CallContext, { flagNames, leftOut }: ParsedText, notFollowed: readonly FieldName[]): void {
  if (leftOut.length > 0) context.warn(`${leftOut.join(', ')}: left out, since a job draws ${perJob} pictures.`)
  const names = notFollowed.includes('flags') ? flagNames.filter(name => name !== '--draft') : []
  if (names.length > 0) context.warn(`${names.join(', ')}: not followed by ${context.model.id}.`)
}

function commonOf(context: CallContext, { prompt, negative, seed, flags }: ParsedText) {
  return {
    ...usualPicture,
    prompt,
    seed: seed ?? context.randomSeed(),
    format: 'png' as const,
    ...defined({ negativePrompt: negative }),
    ...(flags === '' ? {} : { flags }),
  }
}

interface JobDetail {
  text: string
  version: number
  /** Number of pictures in the job. */
  count: number
  callback: string | undefined
}

async function submit<C extends Capability>(
  context: CallContext,
  submission: Pick<Submission<C>, 'capability' | 'request' | 'inputs'>,
  { callback, ...shown }: JobDetail,
): Promise<Job> {
  const { seed } = submission.request
  return presentTask(context, await context.submit({ ...submission, ...webhookTo(callback, 'callback'), shown: { ...shown, seed } }))
}

async function submitWith<C extends Capability>(
  context: CallContext<'files'>,
  submission: Pick<Submission<C>, 'capability' | 'request'>,
  { shown, picture }: { shown: JobDetail; picture: Artifact },
): Promise<Job> {
  const earlier = { output: picture, role: 'image', purpose: 'picture of a job', lifetimeMs: f4.deadlineMs }
  return withOutput(context, earlier, input => submit(context, { ...submission, inputs: [input] }, shown))
}

interface Parent {
  task: Task
  picture: Artifact
  text: string
  version: number
}

/** Returns the job and the picture from which a new job starts. Throws `task_not_found`, and
 *  `invalid_request` for a job or picture that cannot be used as a source. */
async function parentOf(context: CallContext, jobId: string, imageNo: number): Promise<Parent> {
  const task = await context.task(jobId)
  if (!isFinal(task.state)) throw invalidField('jobId', 'jobId is a job that has not ended.', 'job-ended')
  const { text, version, count } = shownOf(task)
  if (imageNo >= count)
    throw invalidField('imageNo', `imageNo is ${imageNo}; the job has ${count} picture${count === 1 ? '' : 's'}, from 0.`, 'picture-there')
  const picture = picturesOf(task)[imageNo]?.artifact
  if (picture) return { task, picture, text, version }
  throw invalidField('imageNo', `imageNo is ${imageNo}, a picture that was rejected or not drawn.`, 'picture-there')
}

function shownOf({ shown }: Task) {
  return {
    text: String(shown?.text),
    version: Number(shown?.version),
    count: Number(shown?.count),
    seed: String(shown?.seed),
  }
}

interface Picture {
  artifact?: Artifact | undefined
  /** The reason why the picture is missing; '' when it is there. */
  audit: string
}

/** Returns the pictures of an ended job, in the order of the request. */
function picturesOf(task: Task): Picture[] {
  const outputs = outputsOf(task)
  const refused = new Map(refusedIn(task).map(({ picture, reasons }) => [picture, reasons]))
  return Array.from({ length: shownOf(task).count }, (_, index): Picture => {
    const reasons = refused.get(index)
    if (reasons) return { audit: reasons.join(', ') || 'rejected' }
    const artifact = outputs.shift()
    return artifact ? { artifact, audit: '' } : { audit: commentOf(task) === 'Success' ? 'Error' : commentOf(task) }
  })
}

function refusedIn(task: Task) {
  if (task.state !== 'succeeded') return []
  return resultOf(task, 'image.generate', 'image.edit', 'image.upscale').refused ?? []
}

const comments = stateWords<JobComment>({
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Success',
  failed: 'Error',
  cancelled: 'Canceled',
  expired: 'Timeout',
})
const failureComments: Partial<Record<ErrorCode, JobComment>> = {
  request_moderated: 'TextReject',
  content_moderated: 'Reject',
  invalid_request: 'InvalidParameter',
  invalid_input_file: 'InvalidParameter',
  instruction_not_followed: 'BadPrompt',
  deadline_exceeded: 'Timeout',
  engine_timeout: 'Timeout',
  upstream_timeout: 'Timeout',
  rate_limited: 'MaxConcurrentLimited',
  engine_busy: 'MaxConcurrentLimited',
  overloaded: 'MaxConcurrentLimited',
  cancelled: 'Canceled',
}

function commentOf({ state, failure }: Task): JobComment {
  return (failure && failureComments[failure.code]) ?? comments[state]
}

/** Returns a job in the format of the dialect. A job that has ended with at least one picture is
 *  shown as successful; `audits` says why the other pictures are missing. A job that has ended
 *  without any picture is shown as failed (docs/vendors/youchuan.md#job-record). */
function presentTask(view: TaskView, task: Task): Job {
  const { text, seed } = shownOf(task)
  const job = { id: task.id, text, seed: exactNumber(seed), urls: [], audits: [] }
  if (!isFinal(task.state)) return { ...job, status: task.state === 'queued' ? 0 : 1, comment: commentOf(task) }
  const pictures = picturesOf(task)
  const message = task.failure ? { message: failureSentence(f4, task.failure) } : {}
  if (pictures.some(({ artifact }) => artifact)) {
    const urls = pictures.map(({ artifact }) => (artifact ? view.link(artifact, f4.linkLifetimeMs) : ''))
    return { ...job, status: 2, comment: 'Success', urls, audits: pictures.map(({ audit }) => audit), ...message, ...reportOf(task) }
  }
  const comment = task.state === 'succeeded' ? 'Reject' : commentOf(task)
  const reasons = task.failure?.reasons ?? [...new Set(refusedIn(task).flatMap(refusal => refusal.reasons))]
  const isRejected = comment === 'Reject' || comment === 'TextReject'
  const rejected = isRejected ? { urls: [''], audits: [reasons.join(', ') || 'rejected'] } : {}
  return { ...job, status: 3, comment, ...rejected, ...message }
}

function reportOf(task: Task): Pick<Job, 'not_drawn' | 'not_followed'> {
  if (task.state !== 'succeeded') return {}
  const { notDrawn, notFollowed = [] } = resultOf(task, 'image.generate', 'image.edit', 'image.upscale')
  return { not_drawn: notDrawn, not_followed: notFollowed.map(field => nameIn(f4.fieldNames ?? {}, field)) }
}
