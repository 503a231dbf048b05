import { isDeepStrictEqual } from 'node:util'
import type { FileText } from './config-schema.ts'
import { FileWatch } from './watch-file.ts'

export interface SettledFileWatch {
  /** Reads the file now. When a second read, later, finds the same text, the text is reported. */
  check(): void
  close(): void
}

/** Runs the work after this many milliseconds; the returned function cancels it. */
export type Schedule = (ms: number, work: () => void) => () => void

interface SteadyDeps {
  read(path: string): FileText
  /** Returns true for a text that was handled before, so that it is not reported again. */
  isKnown(read: FileText): boolean
  /** Called with the text of the file when two reads in succession have found the same text, unless
   *  `isKnown` returned true for it. */
  onSteady(read: FileText): void
  later: Schedule
  log: { warn(fields: object, message: string): void }
}

/** Time in ms between the two reads. A file that is still being written may be valid although
 *  keys and models are still missing in it. */
const steadyMs = 2_000

/** Runs the work after a delay. The timer does not keep the program alive. */
export const afterMs: Schedule = (ms, work) => {
  const timer = setTimeout(work, ms).unref()
  return () => clearTimeout(timer)
}

/** Watches a file, and reports a change when two reads, 2 s apart, have found the same text.
 *  Another change in between starts the two reads again. */
export function watchSettledFile(path: string, { read: readText, isKnown, onSteady, later, log }: SteadyDeps): SettledFileWatch {
  let seen: FileText | undefined
  let callOff = () => {}
  let isClosed = false

  const forget = (): void => {
    callOff()
    seen = undefined
  }
  const look = (): void => {
    if (isClosed) return
    const read = readText(path)
    if (isKnown(read)) {
      forget()
      return
    }
    if (isDeepStrictEqual(read, seen)) return
    forget()
    seen = read
    callOff = later(steadyMs, checkAgain)
  }
  const checkAgain = (): void => {
    const before = seen
    seen = undefined
    const read = readText(path)
    if (isDeepStrictEqual(read, before) && !isKnown(read)) onSteady(read)
    else look()
  }
  const watching = new FileWatch(path, { log, onChange: look })
  return {
    check: look,
    close: () => {
      isClosed = true
      forget()
      watching.close()
    },
  }
}
