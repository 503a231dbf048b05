import type { WorkerLog } from '../../core/work/worker-deps.ts'

/** One line for each answered request. */
export interface RequestLog {
  write(request: { id: string; method: string; operation: string; status: number; ms: number }): void
  /** Writes what is held back. */
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

/** Lines go out together, this often or once they are this long: each write costs as much as ten lines. */
const flushEveryMs = 50
const flushAtCharacters = 64 * 1024

/** Lines of the logger's own form, put together by hand: ids, methods, declared operations and numbers need no escaping. `write` takes whole lines. */
export function createRequestLog(
  log: Pick<WorkerLog, 'info'> & { isLevelEnabled(level: string): boolean },
  write: (lines: string) => void,
): RequestLog {
  let lines = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (lines !== '') write(lines)
    lines = ''
  }
  return {
    write: ({ id, method, operation, status, ms }) => {
      if (!log.isLevelEnabled('info')) return
      const shown = Math.round(ms * 10) / 10
      lines += `{"level":30,"time":${Date.now()},"requestId":"${id}","method":"${method}","operation":"${operation}","status":${status},"ms":${shown},"msg":"request"}\n`
      if (lines.length > flushAtCharacters) flush()
      else timer ??= setTimeout(flush, flushEveryMs)
    },
    close: flush,
  }
}
