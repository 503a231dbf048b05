/** Files that upstreams link to: they come to disk as they arrive, and go on where they were when a connection breaks. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
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
  /** What it is, in sentences: `The picture of Black Forest Labs`. */
  title: string
  /** Replaced when it is there; removed when the download fails. */
  toFile: string
  /** Largest file, bytes, inclusive. */
  maxBytes: number
  signal: AbortSignal
  /** Origin that is the operator's own: exempt from the address rule, and the only one that gets `trustedHeaders`. */
  trustedOrigin?: string
  trustedHeaders?: Readonly<Record<string, string>>
  /** Default 5; 0 refuses the first. */
  maxRedirects?: number
  /** Longest wait for the first byte of an answer, and between two of its parts. Milliseconds; default 60,000. */
  firstByteMs?: number
  idleMs?: number
  /** From the call to the last byte, over all tries. Milliseconds; default: a minute, and the time `maxBytes` take at 64 kB a second. */
  timeoutMs?: number
  /** Waits before each further try, milliseconds, where the server names none. Default 250 to 4,000, five of them. */
  retryAfterMs?: readonly number[]
}

const defaultWaitMs = 60_000
const slowestBytesPerMs = 64
const defaultRetryAfterMs = [250, 500, 1_000, 2_000, 4_000]
/** A signature that has run out is refused by some stores and unknown to others. */
const goneStatuses = new Set([403, 404, 410])

/** Saves the file and gives its size. A connection that breaks, a server that is busy or fails: it is tried again, from where it stopped when the
 *  server can do that for the very same file, else from its beginning. `failed` above `maxBytes`.
 *  Throws `upstream_error` (see `isLinkGone`), `upstream_timeout`, `disk_full`, `cancelled`. */
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

/** Whether an error of `fetchOutput` means that the link is of no use any more: a fresh one may be. */
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
  const { guard, url, signal, trustedOrigin, trustedHeaders, maxRedirects } = output
  const answer = await guard.open(url, {
    field: 'link',
    headers: { accept: '*/*', ...file.rangeHeaders() },
    firstByteMs: output.firstByteMs ?? defaultWaitMs,
    idleMs: output.idleMs ?? defaultWaitMs,
    signal,
    ...(trustedOrigin === undefined ? {} : { trustedOrigin }),
    ...(trustedHeaders === undefined ? {} : { trustedHeaders }),
    ...(maxRedirects === undefined ? {} : { maxRedirects }),
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

/** Lets through what a file can come with, and the 416 that says it has another size by now. */
function refuseOthers({ status, headers }: OpenedUrl): void {
  if (status === 408 || status === 429 || status >= 500) throw new InterruptionError(`the answer was ${status}`, retryAfterOf(headers))
  if (status !== 200 && status !== 206 && status !== 416) throw new UpstreamAnswerError(status, undefined, undefined)
  // It was not asked for, and its size would say nothing about that of the file.
  if ((headerOf(headers, 'content-encoding') ?? 'identity') !== 'identity') throw new CompressedError('the answer was compressed')
}

class CompressedError extends Error {}

function mayTryAgain(error: unknown): boolean {
  if (error instanceof InterruptionError) return true
  return error instanceof GatewayError && (error.code === 'upstream_error' || error.code === 'upstream_timeout')
}

/** Our own side's failures stay as they are; all else is the upstream's: the link is not the caller's. */
function failureOf(cause: unknown, title: string): GatewayError {
  if (cause instanceof GatewayError && (cause.code === 'disk_full' || cause.code === 'internal_error')) return cause
  return new GatewayError('upstream_error', `${title} could not be downloaded.`, { cause })
}
