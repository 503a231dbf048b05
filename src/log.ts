import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'

export interface ProgramLog {
  log: pino.Logger
  /** Writes a whole line, newline included, as the logger would: for the one line of every request, which costs a tenth of what the logger takes for it. */
  line(text: string): void
  /** Writes what is still held back, within a second: nobody may be reading any more. */
  end(): Promise<void>
}

const endWithinMs = 1_000

/** JSON lines on stdout, or where `to` says. */
export function createLog(level: string, to: NodeJS.WritableStream | undefined): ProgramLog {
  if (to) return { log: pino({ level, base: null }, to), line: text => void to.write(text), end: async () => {} }
  // Lines are written in batches: a request's line costs no system call of its own.
  const stdout = pino.destination({ dest: 1, sync: false, minLength: 8192, periodicFlush: 100 })
  const log = pino({ level, base: null }, stdout)
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The logger itself minds a closed pipe; a closed terminal says EIO.
    if (error.code === 'EIO') stdout.write = () => true
    else if (error.code !== 'EPIPE') throw error
  })
  const end = async (): Promise<void> => {
    const flushed = new Promise<void>(resolve => {
      stdout.flush(() => resolve())
    })
    await Promise.race([flushed, sleep(endWithinMs, undefined, { ref: false })])
    // What is left at the exit would be written again and again for as long as nobody takes it.
    log.level = 'silent'
    stdout.destroy()
  }
  return { log, line: text => void stdout.write(text), end }
}
