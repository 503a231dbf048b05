import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { AccountFile, CallFile } from '../../contract/call-file.ts'
import type { CallContext } from '../../contract/context.ts'
import { implement } from '../../contract/family.ts'
import { Base64Of } from '../../contract/replies.ts'
import type { StoredFile } from '../../core/ports/files.ts'
import { type Artifact, isFinal, resultOf, type Task } from '../../core/records/task.ts'
import { callersNames, failureSentence, ifFound, outputsOf } from '../shared/task-answers.ts'
import { grpcCodeOf } from './failure.ts'
import { linkMs, responseType, resultMs, v } from './family.ts'
import { isObjectName, mappedBucket, missing, type OperationError, objectName, sampleIn, sampleUri } from './gcs.ts'
import { reasonText } from './reasons.ts'
import { type MediaField, mediaOf, problemOf, requestOf, withRoles } from './request.ts'
import { type CreateBody, mediaLimits, type OperationReply, type Parameters, usualParameters } from './schema.ts'

/** Largest total size in bytes, before base64, of the videos that a query returns inside its
 *  answer (docs/interface/videos.md#v). */
export const mostInlineBytes = 64 * 1024 * 1024

export const vEntry = implement(v, {
  create: (context, { body, files }) => create(context, body, files),
  query: async (context, { body }) => {
    const task = await context.task(body.operationName)
    if (task.finishedAt !== undefined && context.now() >= task.finishedAt + resultMs)
      throw new GatewayError('task_not_found', `The operation ${context.publicId(task)} ended more than 48 hours ago.`)
    await putVideos(context, task)
    const operation = presentTask(context, task)
    return context.route.settings?.wrap_data === true ? { data: operation } : operation
  },
})

async function create(context: CallContext<'buckets' | 'files' | 'section'>, body: CreateBody, files: readonly CallFile[]) {
  const given = mediaOf(body)
  const sent = withRoles(given, files)
  const request = requestOf(context, body)
  const { storageUri } = body.parameters
  const shown: JsonObject = { count: request.count, asked: changedParameters(body.parameters), ...defined({ storageUri }) }
  const named: NamedFiles = { stored: [], fetched: [] }
  const { stored, fetched } = named
  try {
    const operationError = problemOf(context, body) ?? (await addNamedFiles(context, given, named))
    const task = operationError
      ? await context.submit({
          ...{ capability: 'video.generate', request, shown: { ...shown, operationError: { ...operationError } } },
          failure: { code: operationError.code === 7 ? 'not_allowed' : 'invalid_request', message: operationError.message },
        })
      : await context.submit({ capability: 'video.generate', request, shown, inputs: [...sent, ...fetched, ...stored] })
    return { name: context.publicId(task) }
  } finally {
    // A failed removal is ignored: the copies expire anyway, and the task keeps the bytes.
    for (const { stored: file } of stored) await context.files.remove(file.id).catch(() => undefined)
  }
}

interface NamedFiles {
  /** Videos of earlier operations. */
  stored: AccountFile[]
  /** Files that were copied from a bucket. */
  fetched: CallFile[]
}

/** Adds the input files that the request names by a `gs://` URI. Stops at the first file that
 *  cannot be used, and returns its problem. When an error is thrown, the files added before stay in
 *  `files`, so that the caller can remove them. */
async function addNamedFiles(
  context: CallContext<'buckets' | 'files' | 'section'>,
  given: readonly MediaField[],
  files: NamedFiles,
): Promise<OperationError | undefined> {
  for (const { field, role, media } of given) {
    if (media.gcsUri === undefined) continue
    const found = await namedFile(context, { uri: media.gcsUri, field: `${field}.gcsUri`, role, mimeType: media.mimeType })
    if ('message' in found) return found
    const { mediaType } = 'facts' in found ? found.facts : found
    const isKind = mediaType.split('/')[0] === media.mimeType.split('/')[0]
    if ('facts' in found) files.stored.push({ stored: found, role })
    else files.fetched.push(found)
    if (!isKind) return { code: 3, message: `The object ${media.gcsUri} is ${mediaType}, not ${media.mimeType}` }
  }
  return undefined
}

interface NamedFile {
  uri: string
  field: string
  role: string
  mimeType: string
}

/** Returns the video of an earlier operation, else the object of a bucket that the configuration
 *  file maps; an error when there is neither. */
async function namedFile(
  context: CallContext<'buckets' | 'files' | 'section'>,
  { uri, field, role, mimeType }: NamedFile,
): Promise<StoredFile | CallFile | OperationError> {
  const sample = await sampleFile(context, uri)
  const bucket = mappedBucket(context, uri)
  if (!('message' in sample) || bucket === undefined || !isObjectName(objectName(uri))) return sample
  const limits = mimeType.startsWith('image/') ? mediaLimits.image : mediaLimits.video
  try {
    return (await context.buckets.fetch(bucket, objectName(uri), { field, role, limits })) ?? missing(uri)
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return { code: 3, message: error.message }
    throw error
  }
}

async function sampleFile(context: CallContext<'files' | 'section'>, uri: string): Promise<StoredFile | OperationError> {
  const sample = sampleIn(context, uri)
  if ('message' in sample) return sample
  const task = await ifFound(context.task(sample.taskId))
  const video = task && videosOf(task).find(({ index }) => index === sample.index)
  if (!task || !video || sampleUri(task, sample.index) !== uri) return missing(uri)
  return context.files.keep(video.artifact, { purpose: 'video that is gone on with', lifetimeMs: v.deadlineMs })
}

/** Returns the names of the parameters that differ from their default; only these are reported when
 *  they are ignored. */
function changedParameters(parameters: Parameters): string[] {
  const names = Object.keys(usualParameters) as (keyof Parameters)[]
  return names
    .filter(name => Object.hasOwn(parameters, name) && parameters[name] !== usualParameters[name])
    .map(name => `parameters.${name}`)
}

interface Video {
  /** Index of the video among the requested samples, from 0. */
  index: number
  artifact: Artifact
}

/** Writes the videos of an operation that has ended into the bucket that the configuration file
 *  maps to the storage URI, if there is one. Must be called before the query reports the end, so
 *  that a caller who reads the end finds the videos in the bucket. */
async function putVideos(context: CallContext<'buckets' | 'section'>, task: Task): Promise<void> {
  const { storageUri } = task.shown ?? {}
  const bucket = isFinal(task.state) && typeof storageUri === 'string' ? mappedBucket(context, storageUri) : undefined
  if (bucket === undefined) return
  for (const { artifact, index } of videosOf(task)) await context.buckets.put(bucket, objectName(sampleUri(task, index) ?? ''), artifact)
}

/** Returns the delivered videos, each with its index among the requested samples. */
function videosOf(task: Task): Video[] {
  const outputs = outputsOf(task, 'video')
  const filtered = new Set(filteredIn(task).map(({ video }) => video))
  const drawn = Array.from({ length: Number(task.shown?.count) }, (_, index) => index).filter(index => !filtered.has(index))
  return outputs.map((artifact, place) => ({ artifact, index: drawn[place] ?? place }))
}

function filteredIn(task: Task) {
  return task.state === 'succeeded' ? resultOf(task, 'video.generate').filtered : []
}

function presentTask(context: CallContext, task: Task): OperationReply {
  const name = context.publicId(task)
  if (!isFinal(task.state)) return { name, done: false }
  const error = errorOf(task)
  return error ? { name, done: true, error } : { name, done: true, response: responseOf(context, task) }
}

function errorOf(task: Task): OperationError | undefined {
  const { shown, failure, state } = task
  const known = shown?.operationError
  // The cast is safe: `create` stored this value.
  if (known !== undefined) return known as unknown as OperationError
  const videos = videosOf(task)
  const bytes = videos.reduce((sum, { artifact }) => sum + artifact.bytes, 0)
  if (shown?.storageUri === undefined && bytes > mostInlineBytes)
    return { code: 3, message: 'Generated video is large, an output storage uri is required' }
  if (state === 'succeeded' || videos.length > 0 || isWithheld(task)) return undefined
  if (state === 'cancelled') return { code: 1, message: 'The operation was cancelled.' }
  if (!failure) return { code: 4, message: 'The operation did not end before its deadline.' }
  return { code: grpcCodeOf(failure.code), message: failureSentence(v, failure) }
}

/** Returns true for a refusal by the safety review. The answer has the same form whether the
 *  review judged the prompt, an input or the video (docs/interface/videos.md#v). */
function isWithheld({ failure }: Task): boolean {
  return failure?.code === 'content_moderated' || failure?.code === 'request_moderated'
}

function responseOf(context: CallContext, task: Task): NonNullable<OperationReply['response']> {
  const videos = videosOf(task).map(video => presentVideo(context, task, video))
  const filtered = task.state === 'succeeded' ? filteredIn(task).map(({ reasons }) => reasons) : [task.failure?.reasons ?? []]
  const count = task.state === 'succeeded' ? filtered.length : Number(task.shown?.count) - videos.length
  const reasons = [...new Set(filtered.flat())].map(reasonText)
  const notFollowed = notFollowedIn(task)
  return {
    '@type': responseType,
    raiMediaFilteredCount: count,
    ...(reasons.length > 0 ? { raiMediaFilteredReasons: reasons } : {}),
    ...(videos.length > 0 ? { videos } : {}),
    ...(notFollowed.length > 0 ? { notFollowed } : {}),
  }
}

function presentVideo(context: CallContext, task: Task, { artifact, index }: Video) {
  const gcsUri = sampleUri(task, index)
  const mimeType = artifact.mediaType
  return gcsUri === undefined
    ? { bytesBase64Encoded: new Base64Of(artifact), mimeType }
    : { gcsUri, mimeType, url: context.link(artifact, linkMs) }
}

function notFollowedIn(task: Task): string[] {
  if (task.state !== 'succeeded') return []
  const requested: unknown[] = Array.isArray(task.shown?.asked) ? task.shown.asked : []
  const { notFollowed = [] } = resultOf(task, 'video.generate')
  return callersNames(v, notFollowed).filter(name => !name.startsWith('parameters.') || requested.includes(name))
}
