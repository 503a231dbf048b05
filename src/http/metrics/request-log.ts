import type { WorkerLog } from '../../core/work/worker-deps.ts'

/** A log with one line for each answered request. */
export interface RequestLog {
  write(request: { id: string; method: string; operation: string; status: number; ms: number }): void
  /** Writes the buffered lines. */
  close(): void
}

/** Counts an answered request and writes its line. */
export function noteRequest(
  { metrics, requestLog }: { metrics: { observe(operation: string, status: number, seconds: number): void }; requestLog: RequestLog },
  request: Parameters<RequestLog['write']>[0],
): void {
  metrics.observe(request.operation, request.status, request.ms / 1000)
  requestLog.write(request)
}

/** Milliseconds after which buffered lines are written together, or sooner when there are
 *  `heldBytes` of them. One write costs as much as building ten lines. */
const flushEveryMs = 50
const usualHeldBytes = 64 * 1024

interface RequestLogOptions {
  /** Name of this process, which every line then contains. */
  node?: string | undefined
  /** Size of the buffer in bytes, and so of the largest write; a line that does not fit is buffered
   *  after a write. */
  heldBytes?: number | undefined
}

/** Returns a log that builds lines in the logger's own format directly: ids, methods, declared
 *  operations and numbers are ASCII and need no escaping. `write` gets whole lines. */
export function createRequestLog(
  log: Pick<WorkerLog, 'info'> & { isLevelEnabled(level: string): boolean },
  write: (lines: string) => void,
  { node, heldBytes = usualHeldBytes }: RequestLogOptions = {},
): RequestLog {
  const process = node === undefined ? '' : `"node":"${node}",`
  // A byte buffer instead of a growing string, which would be a tree of a dozen pieces per line
  // that lives long enough for the garbage collector to copy it.
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
