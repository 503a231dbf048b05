/** Collects the garbage of laying out a scene. */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collector = (how?: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void
let collector: Collector | undefined

/** Collects garbage now, about 30 ms. Canvases are small objects with large pictures behind them,
 *  so the collector by itself would not run before hundreds of megabytes are waiting. */
export async function collect(): Promise<void> {
  await collected()
}

/** Collects garbage like `collect`, about 70 ms, and also returns spare heap memory to the
 *  system. */
export async function collectAll(): Promise<void> {
  await collected({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

async function collected(how?: Parameters<Collector>[0]): Promise<void> {
  if (!collector) {
    setFlagsFromString('--expose-gc')
    // Only a context that is made after the flag was set has `gc`.
    const found: unknown = runInNewContext('gc')
    collector = typeof found === 'function' ? order => (order ? found(order) : found()) : () => {}
  }
  collector(how)
  // Pictures of collected canvases are freed in the next round of the event loop.
  await setImmediate()
}
