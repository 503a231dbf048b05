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
  /** Proxy, certificates and time limit for connections to the service that gave the link. */
  route: RouteSettings
  /** The origin that the operator configured. It may have a private address, and only it receives
   *  `trustedHeaders`. */
  trustedOrigin?: string
  trustedHeaders?: Readonly<Record<string, string>>
  /** Largest number of redirects to follow; default 5, and 0 refuses every redirect. */
  maxRedirects?: number
  /** `firstByteMs` is the longest wait for the first byte of an answer; `idleMs` is the longest
   *  pause between two parts of the answer. Both in milliseconds; default 60,000. */
  firstByteMs?: number
  idleMs?: number
  /** Time limit in milliseconds from the call to the last byte, over all tries. Default: one minute
   *  plus the time that `maxBytes` take at 64 kB a second. */
  timeoutMs?: number
  /** Waits in milliseconds, one before each further try, for servers that do not state
   *  `retry-after`. Default: five waits of 250 to 4,000. */
  retryAfterMs?: readonly number[]
}

const defaultWaitMs = 60_000
const slowestBytesPerMs = 64
const defaultRetryAfterMs = [250, 500, 1_000, 2_000, 4_000]
/** Statuses with which file stores answer for an expired link: some refuse its signature (403),
 *  others no longer know the file (404, 410). */
const goneStatuses = new Set([403, 404, 410])

/** Saves the file and returns its size. When the connection breaks, or the server is busy or
 *  fails, the download is tried again. The next try continues where the last one stopped if the
 *  server still has the same version of the file and supports ranges; otherwise the next try
 *  starts from the beginning. Returns `failed` above `maxBytes`. Throws `upstream_error` (see
 *  `isLinkGone`), `upstream_timeout`, `disk_full`, `cancelled`, and `internal_error` for other
 *  errors of the disk. */
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

/** Accepts the statuses of a file (200), of the rest of a file (206), and 416, which means that the
 *  file now has another size. Throws for all other statuses. */
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

/** Returns the error for a failed download. Failures on the gateway's side are returned unchanged.
 *  All others become `upstream_error`, because the link comes from an upstream and the caller is
 *  not at fault. */
function failureOf(cause: unknown, title: string): GatewayError {
  if (cause instanceof GatewayError && (cause.code === 'disk_full' || cause.code === 'internal_error')) return cause
  const why = proxyErrorBehind(cause)?.message
  return new GatewayError('upstream_error', `${title} could not be downloaded${why === undefined ? '.' : `: ${why}`}`, { cause })
}
