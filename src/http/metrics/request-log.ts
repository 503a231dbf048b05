import type { WorkerLog } from '../../core/work/worker-deps.ts'

/** A log with one line for each answered request. */
export interface RequestLog {
  write(request: { id: string; method: string; operation: string; status: number; ms: number }): void
  /** Writes the buffered lines. */
  close(): void
}

/** Counts an answered request in the metrics and writes its line to the log. */
export function noteRequest(
  { metrics, requestLog }: { metrics: { observe(operation: string, status: number, seconds: number): void }; requestLog: RequestLog },
  request: Parameters<RequestLog['write']>[0],
): void {
  metrics.observe(request.operation, request.status, request.ms / 1000)
  requestLog.write(request)
}

/** Buffered lines are written together after this many milliseconds, or as soon as they fill the
 *  buffer. One write costs as much as building ten lines. */
const flushEveryMs = 50
const usualHeldBytes = 64 * 1024

interface RequestLogOptions {
  /** Name of this process; every line contains it. */
  node?: string | undefined
  /** Size of the buffer in bytes, which is also the size of the largest write. When a line does
   *  not fit, the buffer is written first. */
  heldBytes?: number | undefined
}

/** Returns a log that builds its lines in the format of the logger without using the logger.
 *  That is safe because ids, methods, names of operations and numbers are ASCII and need no
 *  escaping. `write` gets one or more whole lines. */
export function createRequestLog(
  log: Pick<WorkerLog, 'info'> & { isLevelEnabled(level: string): boolean },
  write: (lines: string) => void,
  { node, heldBytes = usualHeldBytes }: RequestLogOptions = {},
): RequestLog {
  const process = node === undefined ? '' : `"node":"${node}",`
  // The buffer holds bytes. A string to which lines are appended would be a tree of a dozen pieces
  // per line, which lives long enough for the garbage collector to copy it.
  const held = Buffer.alloc(heldBytes)
  let length = 0
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (length > 0) write(held.toString('latin1', 0, length))
    length = 0
  }
  return {
    write: ({ id, method, operation, status, ms }) => {
      if (!log.isLevelEnabled('info')) return
      const shown = Math.round(ms * 10) / 10
      const line = `{"level":30,"time":${Date.now()},${process}"requestId":"${id}","method":"${method}","operation":"${operation}","status":${status},"ms":${shown},"msg":"request"}\n`
      if (length + line.length > heldBytes) flush()
      length += held.write(line, length, 'latin1')
      timer ??= setTimeout(flush, flushEveryMs)
    },
    close: flush,
  }
}
