import { readConfig } from '../config.ts'
import { startGateway } from '../main.ts'
import { printError } from './terminal.ts'

/** Runs the gateway until SIGTERM or SIGINT; a second signal ends it at once. */
export async function runServe(): Promise<void> {
  const gateway = await startGateway({ config: readConfig(process.env), env: process.env })
  const { madeKey } = gateway.firstStart
  // To the terminal, not into the log: this is the only time the key is shown.
  if (madeKey) printError(`First start. Access key of the default account: ${madeKey.secret}\nIt is also in ${madeKey.file}`)
  printError(`Listening on ${gateway.url}  (reference: ${gateway.url}/docs)`)
  await new Promise<void>(resolve => {
    const stop = () => {
      process.once('SIGINT', () => process.exit(130))
      process.once('SIGTERM', () => process.exit(143))
      void gateway.stop().then(resolve)
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
    process.on('SIGHUP', () => {
      gateway
        .reload()
        .catch(error =>
          printError(`The configuration file was not taken, the old one stays in force: ${error instanceof Error ? error.message : error}`),
        )
    })
  })
}
