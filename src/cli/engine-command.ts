import { existsSync } from 'node:fs'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { readConfig } from '../config/settings.ts'
import { engines } from '../engines.ts'
import { prepareDataFolder } from '../stores/files/data-folder.ts'
import { engineFolderOf } from '../stores/files/open.ts'
import { print } from './terminal.ts'

/** Ids of the engines that have commands of their own; such a command begins with the id. */
export const engineGroups: readonly string[] = engines.filter(engine => engine.commands).map(({ id }) => id)

/** Runs a command of an engine. The command works on the engine's files in the data folder, even
 *  while a gateway is running there. Throws `invalid_request` for an unknown command and
 *  for a data folder that does not exist, and the errors of the command. */
export async function runEngineCommand(id: string, [name, ...args]: string[]): Promise<void> {
  const commands = engines.find(engine => engine.id === id)?.commands ?? {}
  const help = Object.entries(commands).map(([command, { says }]) => `  gateway ${`${id} ${command}`.padEnd(20)}${says}`)
  if (name === undefined || name === '--help' || name === '-h') return print(help.join('\n'))
  const command = commands[name]
  if (!command) throw new GatewayError('invalid_request', `There is no command ${id} ${name}.\n\n${help.join('\n')}`)
  if (args.includes('--help') || args.includes('-h')) return print(command.help)
  const { dataDir } = readConfig(process.env)
  // When `GATEWAY_DATA_DIR` is mistyped, the code below would make that folder and the command
  // would fill it, but no gateway would ever read it.
  if (!existsSync(dataDir))
    throw new GatewayError(
      'invalid_request',
      `There is no data folder ${dataDir}: check GATEWAY_DATA_DIR. A start of the gateway makes one.`,
    )
  prepareDataFolder(dataDir)
  await command.run(args, { dataDirectory: engineFolderOf(dataDir, id), print })
}
