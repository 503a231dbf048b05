import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'

export interface ProgramLog {
  log: pino.Logger
  /** Writes a complete line, with its newline, in the format of the logger. It is used for the line
   *  about every request and takes a tenth of the logger's time. */
  line(text: string): void
  /** Writes the lines in the buffer. Resolves after a second at the latest, because the reader of
   *  stdout may have gone. */
  end(): Promise<void>
}

const endWithinMs = 1_000
/** Largest number of bytes that several processes can write into one pipe without mixing their
 *  writes (PIPE_BUF on Linux). */
export const sharedWriteBytes = 4096

/** Returns a log that writes JSON lines to stdout, or to `to`. With `node`, the name of this
 *  process is in every line, for several processes that share the output; their lines of up to
 *  `sharedWriteBytes` are not mixed. */
export function createLog(level: string, to: NodeJS.WritableStream | undefined, node?: string): ProgramLog {
  const base = node === undefined ? null : { node }
  if (to) return { log: pino({ level, base }, to), line: text => void to.write(text), end: async () => {} }
  // Lines are collected and written together, so that the line of a request needs no system call of
  // its own.
  const sizes = node === undefined ? { minLength: 8192 } : { minLength: sharedWriteBytes / 2, maxWrite: sharedWriteBytes }
  const stdout = pino.destination({ dest: 1, sync: false, periodicFlush: 100, ...sizes })
  const log = pino({ level, base }, stdout)
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The logger handles a closed pipe itself. A closed terminal reports EIO, which the logger
    // would not handle.
    if (error.code === 'EIO') stdout.write = () => true
    else if (error.code !== 'EPIPE') throw error
  })
  const end = async (): Promise<void> => {
    const flushed = new Promise<void>(resolve => {
      stdout.flush(() => resolve())
    })
    await Promise.race([flushed, sleep(endWithinMs, undefined, { ref: false })])
    // Logging is switched off, because lines in the buffer at the exit would be written again and
    // again for as long as nobody reads them.
    log.level = 'silent'
    stdout.destroy()
  }
  return { log, line: text => void stdout.write(text), end }
}
