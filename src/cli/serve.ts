import { readConfig } from '../config/settings.ts'
import { type Gateway, startGateway } from '../main.ts'
import { onStop } from './on-stop.ts'
import { exitSoon, printError, printFirstKey } from './terminal.ts'

/** Runs the gateway until a stop (`onStop`); a stop during the start takes effect right after
 *  it. SIGHUP reads the configuration file again. */
export async function runServe(): Promise<void> {
  const { promise: stop, resolve } = Promise.withResolvers<void>()
  let gateway: Gateway | undefined
  onStop(resolve, () => {
    gateway
      ?.reload()
      .catch(error =>
        printError(`The configuration file was not taken, the old one stays in force: ${error instanceof Error ? error.message : error}`),
      )
  })
  gateway = await startGateway({ config: readConfig(process.env), env: process.env, ownsProcess: true })
  printFirstKey(gateway.firstStart)
  printError(`Listening on ${gateway.url}  (reference: ${gateway.url}/docs)`)
  await stop
  await gateway.stop()
  exitSoon()
}
