/** Runs the garbage collector after a scene has been composed. */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collector = (how?: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void
let collector: Collector | undefined

/** Runs the garbage collector, which takes about 30 ms. A canvas is a small object that holds a
 *  large picture outside the JavaScript heap. So without this call, the collector would not run
 *  before hundreds of megabytes have accumulated. */
export async function collect(): Promise<void> {
  await collected()
}

/** Runs the garbage collector and also returns unused heap memory to the operating system, which
 *  takes about 70 ms. */
export async function collectAll(): Promise<void> {
  await collected({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

async function collected(how?: Parameters<Collector>[0]): Promise<void> {
  if (!collector) {
    setFlagsFromString('--expose-gc')
    // Only a context that is created after the flag was set has the function `gc`.
    const found: unknown = runInNewContext('gc')
    collector = typeof found === 'function' ? order => (order ? found(order) : found()) : () => {}
  }
  collector(how)
  // The picture of a collected canvas is freed in the next turn of the event loop.
  await setImmediate()
}
