/** Reads another gateway's answers about a run. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { type ErrorCode, errorCatalogue, GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { Failed, Outcome, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { fetchEach } from '../../shared/output/fetch-each.ts'
import { fetchOutput } from '../../shared/output/fetch-output.ts'
import type { TaskState } from '../../shared/output/poll-and-fetch.ts'
import { textsOf } from '../../shared/upstream/read-json.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { maxFileBytes } from './bounds.ts'
import { type AnyJob, type RunCall, resultHere } from './run-request.ts'
import { settings } from './settings.ts'

const maxSentence = 500
const maxReasons = 20
const longestMediaType = 100
/** Largest number of units of one kind that one run can have. */
const mostUnits = 2 ** 40
/** Media types of outputs other than pictures, sounds and videos. */
const documents = ['application/pdf', 'application/vnd.openxmlformats-officedocument.presentationml.presentation']
/** Matches media types of raw sound, whose files have no header by which to recognize them. */
const rawSound = /^audio\/(l16|pcm|x-pcm|basic|x-mulaw|x-alaw|pcmu|pcma|mulaw|alaw)\b/i
/** Error codes about the request itself; this gateway's caller gets them as well. All other
 *  codes concern the other gateway. */
const aboutTheRequest = new Set<string>([
  ...(['invalid_request', 'invalid_input_file', 'instruction_not_followed', 'unsupported_media_type', 'payload_too_large'] as const),
  ...(['request_moderated', 'content_moderated', 'language_not_identified', 'loop_detected'] as const),
] satisfies ErrorCode[])

/** Returns the state of the run in an answer. Throws `upstream_error` for an answer that is not a
 *  run. */
export function seenRun(answer: Json, { settings: given }: Pick<AnyJob, 'settings'>): TaskState<JsonObject> {
  const run = objectOf(answer)
  switch (run.state) {
    case 'queued':
    case 'running':
    case 'cancelling':
    case 'unknown': {
      const { progress, begun } = run
      const progressed = typeof progress === 'number' ? { progress: progress / 100 } : {}
      return { state: 'running', ...progressed, ...(Array.isArray(begun) && begun.length > 0 ? { hasEvents: true as const } : {}) }
    }
    case 'succeeded':
      return { state: 'ready', output: run }
    case 'failed':
    case 'expired':
    case 'cancelled':
      return brokenOff(run, settings.targetOf(given).upstream.secrets)
    default:
      throw new GatewayError('upstream_error', 'The other gateway answered with a state that runs do not have.')
  }
}

/** Returns the failure of a run that ended without a result. */
function brokenOff(run: JsonObject, secrets: readonly string[]): Failed {
  const { code, message, reasons } = objectOf(run.error)
  const hidden = (text: string) => withoutSecrets(text, secrets).slice(0, maxSentence)
  const says = hidden(textOf(message) ?? 'no reason was given.')
  const sentence =
    run.state === 'cancelled' ? 'The run was cancelled at the other gateway.' : `The other gateway failed on the run: ${says}`
  const failure = isAboutTheRequest(code)
    ? failed(code, says, textsOf(reasons).slice(0, maxReasons).map(hidden))
    : failed('upstream_error', sentence)
  return isOwed(run) ? { ...failure, mayBeCharged: true } : failure
}

/** Returns true when the other gateway has charged for a run that has ended, or may still do so.
 *  This is so when the run has outputs, usage, or an amount that is still reserved (an open line).
 *  A gateway of an earlier version does not report open lines (`may_be_charged`), but there an
 *  unknown outcome always leaves one. */
export function isOwed({ error, outputs, usage, may_be_charged: hasOpenLine }: JsonObject): boolean {
  const isCounted = objectsOf(usage)
    .flatMap(unitsIn)
    .some(({ units }) => units > 0)
  return isCounted || objectsOf(outputs).length > 0 || hasOpenLine === true || objectOf(error).code === 'outcome_unknown'
}

function isAboutTheRequest(code: unknown): code is ErrorCode {
  return typeof code === 'string' && aboutTheRequest.has(code) && Object.hasOwn(errorCatalogue, code)
}

/** Returns the outcome of a finished run; its files are downloaded and not converted. Throws the
 *  errors of a download (`isLinkGone`). */
export async function outcomeOf(tools: ServiceTools, call: RunCall, run: JsonObject): Promise<Outcome> {
  const files = await fetchEach(objectsOf(run.outputs), (output, index) => fetched(tools, call, { output, index }))
  if ('state' in files) return files
  return { state: 'done', files, report: resultHere(objectOf(run.result), call.job.settings), usage: objectsOf(run.usage).flatMap(unitsIn) }
}

function unitsIn({ unit, units }: JsonObject): UsageUnits[] {
  return typeof unit === 'string' && typeof units === 'number' && units >= 0 && units <= mostUnits ? [{ unit, units }] : []
}

async function fetched(
  { guard, inspection }: ServiceTools,
  { capability, job }: RunCall,
  { output, index }: { output: JsonObject; index: number },
): Promise<OutputFile | Failed> {
  const path = join(job.scratch, `output-${index}`)
  const title = 'A file of the other gateway'
  const { origin: trustedOrigin, route } = settings.targetOf(job.settings).upstream
  const url = textOf(output.url) ?? ''
  // The failure is final, because another poll would return the same link.
  if (!/^https?:\/\//i.test(url)) return failedAfterPay('upstream_error', `${title} has no http or https link.`)
  const reported = (textOf(output.media_type) ?? '').slice(0, longestMediaType)
  const maxBytes = maxFileBytes(capability, reported)
  const got = await fetchOutput({ guard, url, title, toFile: path, maxBytes, signal: job.signal, route, trustedOrigin })
  if ('state' in got) return got
  if (typeof output.sha256 === 'string' && output.sha256 !== (await sha256Of(path)))
    return failedAfterPay('upstream_error', `${title} came with other bytes than it was announced with.`)
  const role = textOf(output.role) ?? 'output'
  if (documents.includes(reported)) return { path, role, mediaType: reported }
  const header = await inspection.readMedia(path, job)
  if (header && kindOf(header.mediaType) === kindOf(reported)) return { path, role, ...header, mediaType: reported, ...lengthOf(output) }
  if (!header && rawSound.test(reported)) return { path, role, mediaType: reported, ...lengthOf(output) }
  return failedAfterPay('upstream_error', `${title} is ${header?.mediaType ?? 'nothing known'}, not ${reported}.`)
}

/** Returns the kind of a media type. The kind of a file must match the announced one. Audio and
 *  video count as one kind, because sounds are often stored in containers whose media type is a
 *  video's. */
function kindOf(mediaType: string): string | undefined {
  const [kind] = mediaType.split('/')
  return kind === 'image' ? kind : kind === 'audio' || kind === 'video' || mediaType === 'application/ogg' ? 'timed' : undefined
}

/** Returns the duration of an output that the other gateway reports; empty when it reports none. */
function lengthOf({ duration_seconds: seconds }: JsonObject): { durationSeconds?: number } {
  return typeof seconds === 'number' ? { durationSeconds: seconds } : {}
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
