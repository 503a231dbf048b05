/** `node scripts/python-clients.ts`: creates the virtual environments with the Python clients
 *  that tests run. The versions of the packages are exactly those in the requirements files.
 *  Only packages in `sourcePackages` run code of their own when they are installed. Does nothing
 *  for environments that already exist. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type EnvironmentName,
  environmentFolder,
  environments,
  needsPython,
  pythonVersion,
  sourcePackages,
} from '../src/clients/python/testing/environments.ts'
import { installWhole } from '../src/clients/testing/clients-folder.ts'

if (pythonVersion === undefined)
  process.stdout.write(`Python clients: none; their tests are skipped. This machine ${needsPython.replace('needs', 'would need')}.\n`)
else for (const name of Object.keys(environments) as EnvironmentName[]) make(name)

function make(name: EnvironmentName): void {
  const folder = environmentFolder(name)
  installWhole(folder, partial => {
    process.stdout.write(`Installing the Python clients of the tests, ${name} ...\n`)
    run(['-m', 'venv', '--without-pip', partial])
    // The modules are not compiled during the installation, because most of them are never
    // imported.
    const exactly = ['--require-hashes', '--no-deps', '--no-compile', '--no-input', '--disable-pip-version-check']
    const install = (...given: string[]) => run(['-m', 'pip', '--python', partial, 'install', '--quiet', ...exactly, ...given])
    install('--only-binary', ':all:', '-r', fileURLToPath(environments[name]))
    const sources = sourcePackages[name]
    if (sources) install('--no-binary', ':all:', '--no-build-isolation', '-r', fileURLToPath(sources))
    moveStarters(partial, folder)
  })
  process.stdout.write(`Python clients, ${name}: ${folder}\n`)
}

/** Corrects the start scripts of the installed programs: they contain the absolute path of the
 *  Python in the temporary folder. */
function moveStarters(partial: string, folder: string): void {
  for (const entry of readdirSync(join(partial, 'bin'), { withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const text = entry.isFile() ? readFileSync(file, 'latin1') : ''
    if (text.startsWith('#!')) writeFileSync(file, text.replaceAll(partial, folder), 'latin1')
  }
}

function run(args: string[]): void {
  const { status, error } = spawnSync('python3', args, { stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) throw new Error(`python3 ${args.slice(0, 2).join(' ')} failed; the Python clients cannot be installed`)
}
