import { readConfig } from '../config.ts'
import { startGateway } from '../main.ts'
import { printError, tellFirstKey } from './terminal.ts'

const lingerMs = 1_000

/** Runs the gateway until SIGTERM or SIGINT; a second signal ends it at once. */
export async function runServe(): Promise<void> {
  const gateway = await startGateway({ config: readConfig(process.env), env: process.env })
  tellFirstKey(gateway.firstStart)
  printError(`Listening on ${gateway.url}  (reference: ${gateway.url}/docs)`)
  process.on('SIGHUP', () => {
    gateway
      .reload()
      .catch(error =>
        printError(`The configuration file was not taken, the old one stays in force: ${error instanceof Error ? error.message : error}`),
      )
  })
  await new Promise<void>(resolve => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
  await gateway.stop()
  // A driver that did not let itself be stopped may still hold something open; all that counts is stored.
  setTimeout(() => process.exit(), lingerMs).unref()
}
