import { isDeepStrictEqual } from 'node:util'
import { type FileText, readConfigText } from './config-schema.ts'
import { FileWatch } from './watch-file.ts'

export interface SettledFileWatch {
  /** Reads the file now; its text counts once a second read has found the same. */
  check(): void
  close(): void
}

/** Does the work after this many milliseconds; the returned function cancels it. */
export type Schedule = (ms: number, work: () => void) => () => void

interface SteadyDeps {
  /** True when this text of the file is already in force. */
  isKnown(read: FileText): boolean
  /** Called when two reads found the same text, and it is not known. */
  onSteady(read: FileText): void
  later: Schedule
  log: { warn(fields: object, message: string): void }
}

/** A file that is being written may be valid halfway, with keys and models missing: it counts
 *  once it has been unchanged for this long. */
const steadyMs = 2_000

/** A timer that does not keep the program alive. */
export const afterMs: Schedule = (ms, work) => {
  const timer = setTimeout(work, ms).unref()
  return () => clearTimeout(timer)
}

/** Reports a change of the file once two reads, 2 s apart, have found the same text; a change in
 *  between starts over. */
export function watchSettledFile(path: string, { isKnown, onSteady, later, log }: SteadyDeps): SettledFileWatch {
  let seen: FileText | undefined
  let callOff = () => {}
  let isClosed = false

  const forget = (): void => {
    callOff()
    seen = undefined
  }
  const look = (): void => {
    if (isClosed) return
    const read = readConfigText(path)
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
    const read = readConfigText(path)
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
