import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { secretFiles, settings, version } from '../config/settings.ts'
import { explain } from './explain.ts'
import { print, printError } from './terminal.ts'

interface Command {
  says: string
  run(args: string[]): Promise<void>
}

/** The commands by name. Each loads only the modules that it needs, because loading all families,
 *  drivers and engines takes a second of CPU time. */
const commands: Record<string, Command> = {
  serve: {
    says: 'Starts the gateway (npm start).',
    run: async () => (await import('./serve.ts')).runServe(),
  },
  demo: {
    says: 'Starts a gateway on an empty folder and makes results with the built-in engines into demo-output/.',
    run: async args => (await import('./demo.ts')).runDemo(args),
  },
  setup: {
    says: 'Gets the engine packs that the lockfile cannot carry, and shows what is ready.',
    run: async args => (await import('./setup.ts')).runSetup(args),
  },
  doctor: {
    says: 'Checks settings, data folder, engines and packs.',
    run: async () => (await import('./doctor.ts')).runDoctor(),
  },
  migrate: {
    says: 'Brings the schema of the store up to date, as a start does (--check only reports).',
    run: async args => (await import('./migrate.ts')).runMigrate(args),
  },
  reencrypt: {
    says: 'Encrypts stored secrets with a new GATEWAY_SECRET_KEY.',
    run: async args => (await import('./reencrypt.ts')).runReencrypt(args),
  },
  export: {
    says: 'Writes everything that a stopped gateway has stored into a folder.',
    run: async args => (await import('./move.ts')).runExport(args),
  },
  import: {
    says: 'Brings such a folder into an empty store: another data folder, or a database.',
    run: async args => (await import('./move.ts')).runImport(args),
  },
  backup: {
    says: 'Copies the data folder of a running gateway.',
    run: async args => (await import('./backup.ts')).runBackup(args),
  },
  restore: {
    says: 'Brings a backup into an empty data folder.',
    run: async args => (await import('./backup.ts')).runRestore(args),
  },
  prices: {
    says: "Imports prices of models from LiteLLM's public list, and lists prices (see: gateway prices --help).",
    run: async args => (await import('./prices.ts')).runPrices(args),
  },
  openapi: {
    says: 'Prints the OpenAPI 3.1 document.',
    run: async () => (await import('./openapi.ts')).runOpenapi(),
  },
}

/** Runs the `gateway` command with these arguments. Resolves with the exit code. */
export async function main(args: string[]): Promise<number> {
  const [name = 'help', ...rest] = args
  try {
    const command = commands[name]
    if (command) await command.run(rest)
    else if (name === '--version' || name === '-v') print(version)
    else if (name === 'help' || name === '--help' || name === '-h') print(await help())
    else await runOfGroup(name, rest)
    return 0
  } catch (error) {
    printError(explain(error))
    return 1
  }
}

/** Runs an action of an operator, or a command that an engine provides. */
async function runOfGroup(name: string, args: string[]): Promise<void> {
  const { adminGroups, runAdminCommand } = await import('./admin-command.ts')
  if (adminGroups.includes(name)) return runAdminCommand(name, args)
  const { engineGroups, runEngineCommand } = await import('./engine-command.ts')
  if (engineGroups.includes(name)) return runEngineCommand(name, args)
  throw new GatewayError('invalid_request', `There is no command ${name}. Try: gateway --help`)
}

async function help(): Promise<string> {
  const { adminGroups } = await import('./admin-command.ts')
  const { engineGroups } = await import('./engine-command.ts')
  const line = (name: string, says: string) => `  ${name.padEnd(28)}${says}`
  return [
    `gateway ${version}: one HTTP interface to every kind of generative model`,
    '',
    'Commands',
    ...Object.entries(commands).map(([name, command]) => line(name, command.says)),
    ...[...adminGroups, ...engineGroups].map(group => line(group, `See: gateway ${group} --help`)),
    '',
    `Settings (environment). ${secretFiles}`,
    ...Object.values(settings).map(setting => line(setting.env, `${setting.says}${setting.default === '' ? '' : ` [${setting.default}]`}`)),
  ].join('\n')
}
