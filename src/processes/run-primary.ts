import { onStop } from '../cli/on-stop.ts'
import { exitSoon, printFirstKey, printListening } from '../cli/terminal.ts'
import type { Config } from '../config/settings.ts'
import { createLog } from '../log.ts'
import { Primary } from './primary.ts'

/** Exit codes when a second signal ends the program: 130 for SIGINT, 143 for SIGTERM. */
const killed = [130, 143]

/** Starts the number of processes in GATEWAY_PROCESSES, and keeps them running until a stop. This
 *  process serves no requests itself: it owns the port, and opens neither store nor engines. When a
 *  process cannot start, throws its reason. */
export async function runPrimary(config: Config): Promise<void> {
  const { log, end: endLog } = createLog(config.logLevel, undefined, config.nodeName)
  const { promise: stop, resolve } = Promise.withResolvers<void>()
  const primary = new Primary(config, log)
  onStop(resolve, () => primary.reload())
  process.on('exit', code => {
    if (killed.includes(code)) primary.kill()
  })
  const run = async (): Promise<void> => {
    const { url } = await primary.start(printFirstKey)
    printListening(url, config.processes)
    await stop
  }
  try {
    await Promise.race([run(), stop])
  } finally {
    await primary.stop()
    await endLog()
  }
  exitSoon()
}
