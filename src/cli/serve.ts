import { readConfig } from '../config/settings.ts'
import type { Gateway } from '../main.ts'
import { onStop } from './on-stop.ts'
import { exitSoon, printFirstKey, printListening, printRefused } from './terminal.ts'

/** Runs the gateway until it is stopped (`onStop`); a stop during the start takes effect right
 *  after the start. SIGHUP reads the configuration file again. With GATEWAY_PROCESSES above 1, this
 *  process serves no requests itself: it starts the processes that do. */
export async function runServe(): Promise<void> {
  // The modules are loaded only when they are needed, so that each kind of process (primary,
  // member, single) loads only its own.
  const { isMember } = await import('../processes/member.ts')
  if (isMember()) return (await import('../processes/run-member.ts')).runMember()
  const config = readConfig(process.env)
  if (config.processes > 1) return (await import('../processes/run-primary.ts')).runPrimary(config)
  const { promise: stop, resolve } = Promise.withResolvers<void>()
  let gateway: Gateway | undefined
  onStop(resolve, () => {
    gateway?.reload().catch(printRefused)
  })
  const { startGateway } = await import('../main.ts')
  gateway = await startGateway({ config, env: process.env, ownsProcess: true })
  printFirstKey(gateway.firstStart)
  printListening(gateway.url)
  await stop
  await gateway.stop()
  exitSoon()
}
