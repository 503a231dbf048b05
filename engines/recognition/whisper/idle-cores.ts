import { cpus } from 'node:os'

/** Total time of all cores since the machine started, and the idle part of it, in ms. */
interface CoreTime {
  all: number
  idle: number
}

/** Measures how many cores of the machine were idle since the last measurement. */
export class IdleCores {
  readonly #read: () => CoreTime
  #before: CoreTime

  /** Starts the first measurement. `read` returns the time of the cores; by default, the operating
   *  system's numbers. */
  constructor(read: () => CoreTime = spentByCores) {
    this.#read = read
    this.#before = read()
  }

  /** Returns how many of `cores` were idle since the last call (or since the construction); 0 when
   *  that time is too short to measure. */
  look(cores: number): number {
    const now = this.#read()
    const all = now.all - this.#before.all
    const idle = now.idle - this.#before.idle
    this.#before = now
    // The system counts in hundredths of a second, so at least 100 ms are needed.
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
