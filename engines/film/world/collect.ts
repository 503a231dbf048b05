/** Collection of what a scene leaves behind when it is laid out. */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collector = (how?: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void
let collector: Collector | undefined

/** Collects garbage now, about 30 ms. Canvases are small objects with large pictures behind
 *  them: left to itself the collector finds no reason to come before hundreds of megabytes are
 *  waiting. */
export async function collect(): Promise<void> {
  await collected()
}

/** The same, about 70 ms, and memory that the heap holds for what may come is given back to the
 *  system too. */
export async function collectAll(): Promise<void> {
  await collected({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

async function collected(how?: Parameters<Collector>[0]): Promise<void> {
  if (!collector) {
    setFlagsFromString('--expose-gc')
    // A context that is made after the flag has it.
    const found: unknown = runInNewContext('gc')
    collector = typeof found === 'function' ? order => (order ? found(order) : found()) : () => {}
  }
  collector(how)
  // Pictures of canvases that were collected are freed when the event loop next comes round.
  await setImmediate()
}
