import { cpus } from 'node:os'

/** Time of all cores since the start of the machine, and the idle part of it. Milliseconds. */
interface CoreTime {
  all: number
  idle: number
}

/** Measures how many cores of the machine were idle between two calls. */
export class IdleCores {
  readonly #read: () => CoreTime
  #before: CoreTime

  /** `read` is the operating system's count when absent. */
  constructor(read: () => CoreTime = spentByCores) {
    this.#read = read
    this.#before = read()
  }

  /** Returns how many of `cores` were idle since the last call or the beginning; 0 when the time is
   *  too short to tell. */
  look(cores: number): number {
    const now = this.#read()
    const all = now.all - this.#before.all
    const idle = now.idle - this.#before.idle
    this.#before = now
    // The counts are kept in hundredths of a second.
    return all < 100 * cores ? 0 : (idle / all) * cores
  }
}

function spentByCores(): CoreTime {
  let [all, idle] = [0, 0]
  for (const { times } of cpus()) {
    all += times.user + times.nice + times.sys + times.irq + times.idle
    idle += times.idle
  }
  return { all, idle }
}
