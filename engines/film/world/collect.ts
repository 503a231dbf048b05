/** Runs the garbage collector after a scene has been composed. */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collector = (how?: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void
let collector: Collector | undefined

/** Runs the garbage collector, about 30 ms. Canvas objects are small but hold large pictures
 *  outside the JavaScript heap, so the collector alone would not run before hundreds of megabytes
 *  have piled up. */
export async function collect(): Promise<void> {
  await collected()
}

/** Runs the garbage collector like `collect`, about 70 ms, and also returns unused heap memory to
 *  the operating system. */
export async function collectAll(): Promise<void> {
  await collected({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

async function collected(how?: Parameters<Collector>[0]): Promise<void> {
  if (!collector) {
    setFlagsFromString('--expose-gc')
    // The function `gc` exists only in contexts created after the flag was set.
    const found: unknown = runInNewContext('gc')
    collector = typeof found === 'function' ? order => (order ? found(order) : found()) : () => {}
  }
  collector(how)
  // The pictures of collected canvases are freed in the next turn of the event loop.
  await setImmediate()
}
