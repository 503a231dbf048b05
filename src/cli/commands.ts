import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { settings, version } from '../config.ts'
import { adminGroups, runAdminCommand } from './admin-command.ts'
import { runDemo } from './demo.ts'
import { runDoctor } from './doctor.ts'
import { engineGroups, runEngineCommand } from './engine-command.ts'
import { runOpenapi } from './openapi.ts'
import { runServe } from './serve.ts'
import { runSetup } from './setup.ts'
import { print, printError } from './terminal.ts'

interface Command {
  says: string
  run(args: string[]): Promise<void>
}

const commands: Record<string, Command> = {
  serve: { says: 'Starts the gateway (npm start).', run: runServe },
  demo: { says: 'Starts a gateway on an empty folder and makes one result of every family into demo-output/.', run: runDemo },
  setup: { says: 'Gets the engine packs that the lockfile cannot carry, and shows what is ready.', run: runSetup },
  doctor: { says: 'Checks settings, data folder, engines and packs.', run: runDoctor },
  openapi: { says: 'Prints the OpenAPI 3.1 document.', run: runOpenapi },
}

/** The `gateway` command. Resolves with the exit code. */
export async function main(args: string[]): Promise<number> {
  const [name = 'help', ...rest] = args
  try {
    const command = commands[name]
    if (command) await command.run(rest)
    else if (adminGroups.includes(name)) await runAdminCommand(name, rest)
    else if (engineGroups.includes(name)) await runEngineCommand(name, rest)
    else if (name === '--version' || name === '-v') print(version)
    else if (name === 'help' || name === '--help' || name === '-h') print(help())
    else throw new GatewayError('invalid_request', `There is no command ${name}. Try: gateway --help`)
    return 0
  } catch (error) {
    printError(explain(error))
    return 1
  }
}

/** A sentence for what the person at the terminal can mend; the stack for what only we can. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isTyping = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  return error instanceof GatewayError || isTyping ? error.message : (error.stack ?? error.message)
}

function help(): string {
  const line = (name: string, says: string) => `  ${name.padEnd(28)}${says}`
  return [
    `gateway ${version}: one HTTP interface to every kind of generative model`,
    '',
    'Commands',
    ...Object.entries(commands).map(([name, command]) => line(name, command.says)),
    ...[...adminGroups, ...engineGroups].map(group => line(group, `See: gateway ${group} --help`)),
    '',
    'Settings (environment)',
    ...Object.values(settings).map(setting => line(setting.env, `${setting.says}${setting.default === '' ? '' : ` [${setting.default}]`}`)),
  ].join('\n')
}
