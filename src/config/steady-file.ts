import { isDeepStrictEqual } from 'node:util'
import { type FileText, readConfigText } from './config-schema.ts'
import { FileWatch } from './watch-file.ts'

export interface SteadyWatch {
  /** Reads the file now; what it says counts once a second reading has found the same. */
  look(): void
  close(): void
}

/** Does the work after so many milliseconds; what comes back calls it off. */
export type Later = (ms: number, work: () => void) => () => void

interface SteadyDeps {
  /** The file already counts as it reads now. */
  isKnown(read: FileText): boolean
  /** It has been read equal twice, and not known. */
  onSteady(read: FileText): void
  later: Later
  log: { warn(fields: object, message: string): void }
}

/** A file that is being written may be valid halfway, and then lacks keys and models: it counts once it has stayed as it is for so long. */
const steadyMs = 2_000

/** A timer that keeps no program from ending. */
export const afterMs: Later = (ms, work) => {
  const timer = setTimeout(work, ms).unref()
  return () => clearTimeout(timer)
}

/** Tells of a change of the file once two readings, 2 s apart, have found the same; what changes in between begins anew. */
export function watchSteady(path: string, { isKnown, onSteady, later, log }: SteadyDeps): SteadyWatch {
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
    callOff = later(steadyMs, lookAgain)
  }
  const lookAgain = (): void => {
    const before = seen
    seen = undefined
    const read = readConfigText(path)
    if (isDeepStrictEqual(read, before) && !isKnown(read)) onSteady(read)
    else look()
  }
  const watching = new FileWatch(path, { log, onChange: look })
  return {
    look,
    close: () => {
      isClosed = true
      forget()
      watching.close()
    },
  }
}
