/** Downloads files that upstreams link to. Bytes are streamed to disk, and a broken download
 *  resumes where it stopped. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { RouteSettings } from '@generation-gateway/kit/outbound/outbound.ts'
import { proxyErrorBehind } from '@generation-gateway/kit/outbound/proxy.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import { failedAfterPay } from '../failed.ts'
import { answerBehind, headerOf, retryAfterOf, UpstreamAnswerError } from '../upstream/upstream-failures.ts'
import type { OpenedUrl, UrlGuard } from '../upstream/url-guard.ts'
import { wait } from '../upstream/wait.ts'
import { InterruptionError, PartialFile } from './partial-file.ts'
import { TooManyBytesError } from './save-body.ts'

export interface LinkedOutput {
  guard: UrlGuard
  url: string
  /** The file's name in messages: `The picture of Black Forest Labs`. */
  title: string
  /** Path of the file. An existing file is replaced; the file is removed when the download
   *  fails. */
  toFile: string
  /** Largest file, bytes, inclusive. */
  maxBytes: number
  signal: AbortSignal
  /** The way of connections to the service that gave the link. */
  route: RouteSettings
  /** The operator's own origin. It is exempt from the address rule and the only one that receives
   *  `trustedHeaders`. */
  trustedOrigin?: string
  trustedHeaders?: Readonly<Record<string, string>>
  /** Most redirects to follow; default 5, and 0 refuses every redirect. */
  maxRedirects?: number
  /** Longest wait for the first byte of an answer (`firstByteMs`), and between two parts of it
   *  (`idleMs`). Milliseconds; default 60,000. */
  firstByteMs?: number
  idleMs?: number
  /** Limit from the call to the last byte, over all tries. Milliseconds; default: a minute plus the
   *  time that `maxBytes` take at 64 kB a second. */
  timeoutMs?: number
  /** Waits before each further try, in milliseconds, when the server does not name one. Default:
   *  five waits of 250 to 4,000. */
  retryAfterMs?: readonly number[]
}

const defaultWaitMs = 60_000
const slowestBytesPerMs = 64
const defaultRetryAfterMs = [250, 500, 1_000, 2_000, 4_000]
/** Statuses for an expired link: some stores refuse the old signature, others no longer know it. */
const goneStatuses = new Set([403, 404, 410])

/** Saves the file and returns its size. After a broken connection, or from a busy or failing
 *  server, the download is tried again: from where it stopped when the server can resume the same
 *  version of the file, otherwise from the beginning. Returns `failed` above `maxBytes`. Throws
 *  `upstream_error` (see `isLinkGone`), `upstream_timeout`, `disk_full`, `cancelled`. */
export async function fetchOutput(output: LinkedOutput): Promise<{ bytes: number } | Failed> {
  const { title, maxBytes } = output
  const late = AbortSignal.timeout(output.timeoutMs ?? defaultWaitMs + Math.ceil(maxBytes / slowestBytesPerMs))
  const file = await PartialFile.create(output.toFile, maxBytes)
  try {
    await fetchAll({ ...output, signal: AbortSignal.any([output.signal, late]) }, file)
    await file.close()
    return { bytes: file.bytes }
  } catch (error) {
    await file.drop()
    if (error instanceof TooManyBytesError) return failedAfterPay('upstream_error', `${title} has more than ${maxBytes} bytes.`)
    if (output.signal.aborted) throw new GatewayError('cancelled', `${title}: the download was stopped.`, { cause: error })
    if (late.aborted) throw new GatewayError('upstream_timeout', `${title} did not come in time.`, { cause: error })
    throw failureOf(error, title)
  }
}

/** Returns true when an error of `fetchOutput` means that the link has expired; a fresh link may
 *  work. */
export function isLinkGone(error: unknown): boolean {
  return goneStatuses.has(answerBehind(error)?.status ?? 0)
}

async function fetchAll(output: LinkedOutput, file: PartialFile): Promise<void> {
  for (const waitMs of [...(output.retryAfterMs ?? defaultRetryAfterMs), undefined]) {
    try {
      return await fetchOnce(output, file)
    } catch (error) {
      if (output.signal.aborted || !mayTryAgain(error) || waitMs === undefined) throw error
      const seconds = error instanceof InterruptionError ? error.retryAfterSeconds : undefined
      await wait(seconds === undefined ? waitMs : seconds * 1000, output.signal, 'The download was stopped.')
    }
  }
}

async function fetchOnce(output: LinkedOutput, file: PartialFile): Promise<void> {
  const { guard, url, signal, route, trustedOrigin, trustedHeaders, maxRedirects } = output
  const answer = await guard.open(url, {
    field: 'link',
    headers: { accept: '*/*', ...file.rangeHeaders() },
    firstByteMs: output.firstByteMs ?? defaultWaitMs,
    idleMs: output.idleMs ?? defaultWaitMs,
    signal,
    route,
    ...defined({ trustedOrigin, trustedHeaders, maxRedirects }),
  })
  try {
    refuseOthers(answer)
    await file.begin(answer.status, answer.headers)
    for await (const chunk of answer.chunks()) await file.append(chunk)
    file.end()
  } finally {
    answer.cut()
  }
}

/** Accepts the statuses that a file can arrive with, and 416, which says that the file now has
 *  another size. Throws for all others. */
function refuseOthers({ status, headers }: OpenedUrl): void {
  if (status === 408 || status === 429 || status >= 500) throw new InterruptionError(`the answer was ${status}`, retryAfterOf(headers))
  if (status !== 200 && status !== 206 && status !== 416) throw new UpstreamAnswerError(status, undefined, undefined)
  // A compressed answer is refused: compression was not requested, and the compressed size says
  // nothing about the size of the file.
  if ((headerOf(headers, 'content-encoding') ?? 'identity') !== 'identity') throw new CompressedError('the answer was compressed')
}

class CompressedError extends Error {}

function mayTryAgain(error: unknown): boolean {
  if (error instanceof InterruptionError) return true
  return error instanceof GatewayError && (error.code === 'upstream_error' || error.code === 'upstream_timeout')
}

/** Returns the error for a failed download. Failures on the gateway's side stay as they are; all
 *  others become `upstream_error`, because the link does not come from the caller. */
function failureOf(cause: unknown, title: string): GatewayError {
  if (cause instanceof GatewayError && (cause.code === 'disk_full' || cause.code === 'internal_error')) return cause
  const why = proxyErrorBehind(cause)?.message
  return new GatewayError('upstream_error', `${title} could not be downloaded${why === undefined ? '.' : `: ${why}`}`, { cause })
}
