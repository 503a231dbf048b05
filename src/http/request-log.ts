import type { WorkerLog } from '../core/worker.ts'

/** One line for each answered request. */
export type RequestLog = (request: { id: string; method: string; operation: string; status: number; ms: number }) => void

/** Lines of the logger's own form, put together by hand: ids, methods, declared operations and numbers need no escaping. `write` takes whole lines. */
export function createRequestLog(
  log: Pick<WorkerLog, 'info'> & { isLevelEnabled(level: string): boolean },
  write: (line: string) => void,
): RequestLog {
  return ({ id, method, operation, status, ms }) => {
    if (!log.isLevelEnabled('info')) return
    const time = Date.now()
    const shown = Math.round(ms * 10) / 10
    write(
      `{"level":30,"time":${time},"requestId":"${id}","method":"${method}","operation":"${operation}","status":${status},"ms":${shown},"msg":"request"}\n`,
    )
  }
}
