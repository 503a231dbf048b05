/** `node scripts/python-clients.ts`: creates the virtual environments with the Python clients
 *  that tests run. The versions of the packages are exactly those in the requirements files.
 *  Only packages in `sourcePackages` run code of their own when they are installed. Does nothing
 *  for environments that already exist. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type EnvironmentName,
  environmentFolder,
  environments,
  installer,
  needsPython,
  pythonVersion,
  sourcePackages,
} from '../src/clients/python/testing/environments.ts'
import { installWhole } from '../src/clients/testing/clients-folder.ts'
import { uvSettings } from './uv-settings.ts'

const names = Object.keys(environments) as EnvironmentName[]
if (pythonVersion === undefined)
  process.stdout.write(`Python clients: none; their tests are skipped. This machine ${needsPython.replace('needs', 'would need')}.\n`)
else {
  const missing = names.filter(name => !existsSync(environmentFolder(name)))
  if (missing.length > 0) makeAll(missing)
  for (const name of names) process.stdout.write(`Python clients, ${name}: ${environmentFolder(name)}\n`)
}

/** Creates the environments with uv, which pip installs for this purpose. uv takes about a tenth
 *  of the CPU time that pip takes. Its cache is beside the environments, so that the environments
 *  share the files of the same package; it is removed at the end. */
function makeAll(missing: readonly EnvironmentName[]): void {
  const parent = dirname(environmentFolder('newest'))
  mkdirSync(parent, { recursive: true })
  const scratch = mkdtempSync(join(parent, 'uv-'))
  try {
    const tool = join(scratch, 'tool')
    run('python3', ['-m', 'venv', '--without-pip', tool])
    run('python3', ['-m', 'pip', '--python', tool, 'install', '--quiet', '--no-input', ...wheelsOf(installer)])
    const env = { ...process.env, ...uvSettings(), UV_CACHE_DIR: join(scratch, 'cache') }
    for (const name of missing) make(name, args => run(join(tool, 'bin', 'uv'), args, env))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function make(name: EnvironmentName, uv: (args: readonly string[]) => void): void {
  const folder = environmentFolder(name)
  installWhole(folder, partial => {
    process.stdout.write(`Installing the Python clients of the tests, ${name} ...\n`)
    run('python3', ['-m', 'venv', '--without-pip', partial])
    const install = ['pip', 'install', '--quiet', '--python', join(partial, 'bin', 'python')]
    uv([...install, ...wheelsOf(environments[name])])
    const sources = sourcePackages[name]
    if (sources) uv([...install, ...exactly(sources), '--no-binary', ':all:', '--no-build-isolation'])
    moveStarters(partial, folder)
  })
}

/** Arguments of pip and of uv that install the packages of a requirements file, without any code
 *  of the packages being run. */
function wheelsOf(requirements: URL): string[] {
  return [...exactly(requirements), '--only-binary', ':all:']
}

function exactly(requirements: URL): string[] {
  return ['--require-hashes', '--no-deps', '-r', fileURLToPath(requirements)]
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

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.slice(0, 3).join(' ')} failed; the Python clients cannot be installed`)
}
