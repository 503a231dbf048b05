import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'

export interface ProgramLog {
  log: pino.Logger
  /** Writes a complete line, including its newline, directly to the output instead of through
   *  the logger. Used for the line about every request, because it takes a tenth of the logger's
   *  time. */
  line(text: string): void
  /** Writes the lines that are still in the buffer, and ignores later ones. Resolves after a second
   *  at the latest, because nothing may be reading stdout any more. */
  end(): Promise<void>
}

const endWithinMs = 1_000

/** Largest number of bytes of lines that wait to be written; further lines are lost. Otherwise the
 *  lines would fill the memory while nothing reads the output or the disk is full. */
const mostWaitingBytes = 16 * 2 ** 20
/** Largest number of bytes that several processes can write into one pipe without mixing their
 *  writes (PIPE_BUF on Linux). */
export const sharedWriteBytes = 4096

/** Returns a log that writes JSON lines to stdout, or to `to`. `node` is the name of this
 *  process when several processes share the output: each line then contains the name, and lines
 *  of up to `sharedWriteBytes` are never mixed. */
export function createLog(level: string, to: NodeJS.WritableStream | undefined, node?: string): ProgramLog {
  const base = node === undefined ? null : { node }
  if (to) return { log: pino({ level, base }, to), line: text => void to.write(text), end: async () => {} }
  // Several lines are written together, so that not every request needs a system call.
  const sizes = node === undefined ? { minLength: 8192 } : { minLength: sharedWriteBytes / 2, maxWrite: sharedWriteBytes }
  const stdout = pino.destination({ dest: 1, sync: false, periodicFlush: 100, maxLength: mostWaitingBytes, ...sizes })
  const log = pino({ level, base }, stdout)
  let hasEnded = false
  let isBroken = false
  const flushSync = stdout.flushSync.bind(stdout)
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The logger itself handles EPIPE, the error of a closed pipe. It does not handle EIO, which a
    // closed terminal reports. After other errors, such as a full disk, it writes the lines again
    // with its next flush.
    if (error.code === 'EIO') stdout.write = () => true
    else if (error.code !== 'EPIPE' && !isBroken) reportLoss(error)
    isBroken = true
    // At the exit of the process, `flushSync` would repeat the failing write without end.
    stdout.flushSync = () => {}
  })
  stdout.on('write', () => {
    isBroken = false
    stdout.flushSync = flushSync
  })
  const end = async (): Promise<void> => {
    // `flush` calls back as soon as the write in progress is done. Lines logged after that write
    // began would then be lost in `destroy` below. `end` writes all lines first.
    const written = new Promise<void>(resolve => stdout.once('close', resolve).once('error', () => resolve()))
    hasEnded = true
    log.level = 'silent'
    // After EPIPE, the methods of `stdout` do nothing, so `end` would never emit `close`.
    if (!isBroken) {
      stdout.end()
      await Promise.race([written, sleep(endWithinMs, undefined, { ref: false })])
    }
    // When nothing reads the output any more, the process would try to write the buffered lines
    // again and again while it exits. `destroy` discards them.
    stdout.destroy()
  }
  return { log, line: text => void (hasEnded || stdout.write(text)), end }
}

/** Writes to stderr that the log loses lines. */
function reportLoss(error: Error): void {
  try {
    process.stderr.write(
      `The log cannot be written (${error.message}); lines beyond ${mostWaitingBytes / 2 ** 20} MiB are lost until it can.\n`,
    )
  } catch {
    // Stderr may be on the same full disk.
  }
}
