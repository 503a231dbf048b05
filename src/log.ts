import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'

export interface ProgramLog {
  log: pino.Logger
  /** Writes a whole line, newline included, in the logger's format: for the one line of every
   *  request, at a tenth of the logger's cost. */
  line(text: string): void
  /** Writes the buffered lines, within a second, because the reader may be gone. */
  end(): Promise<void>
}

const endWithinMs = 1_000
/** Linux keeps the writes of several processes into one pipe apart up to this size (PIPE_BUF). */
export const sharedWriteBytes = 4096

/** Returns a log of JSON lines on stdout, or on `to`. `node` is the name of this process, in every
 *  line, where several share the output; their lines stay whole up to `sharedWriteBytes`. */
export function createLog(level: string, to: NodeJS.WritableStream | undefined, node?: string): ProgramLog {
  const base = node === undefined ? null : { node }
  if (to) return { log: pino({ level, base }, to), line: text => void to.write(text), end: async () => {} }
  // Lines are written in batches, so that a request's line costs no system call of its own.
  const sizes = node === undefined ? { minLength: 8192 } : { minLength: sharedWriteBytes / 2, maxWrite: sharedWriteBytes }
  const stdout = pino.destination({ dest: 1, sync: false, periodicFlush: 100, ...sizes })
  const log = pino({ level, base }, stdout)
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The logger itself handles a closed pipe; a closed terminal reports EIO.
    if (error.code === 'EIO') stdout.write = () => true
    else if (error.code !== 'EPIPE') throw error
  })
  const end = async (): Promise<void> => {
    const flushed = new Promise<void>(resolve => {
      stdout.flush(() => resolve())
    })
    await Promise.race([flushed, sleep(endWithinMs, undefined, { ref: false })])
    // Lines left at the exit would be retried for as long as nothing reads them.
    log.level = 'silent'
    stdout.destroy()
  }
  return { log, line: text => void stdout.write(text), end }
}
