/** Collection of what a scene leaves behind when it has been laid out. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collector: (() => void) | undefined

/** Collects garbage now, about 30 ms. Canvases are small objects with large pictures behind them: left to itself the collector finds no reason to come before hundreds of megabytes are waiting. */
export function collect(): void {
  if (!collector) {
    setFlagsFromString('--expose-gc')
    // A context that is made after the flag has it.
    const found: unknown = runInNewContext('gc')
    collector = typeof found === 'function' ? () => found() : () => {}
  }
  collector()
}
