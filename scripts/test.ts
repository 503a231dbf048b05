/** `npm test [-- --offline] [--store=postgres [--named]] [files, folders or patterns]`: installs
 *  the engine packs, clients and servers that the tests need, then runs the tests. With
 *  `--offline` nothing is fetched; tests whose pack, client or server is missing are then
 *  skipped, and the output names them. With `--store=postgres`, the tests run on PostgreSQL 18
 *  instead of the embedded store; `--named` then runs only the files in
 *  scripts/postgres-tests.ts. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { postgresTests } from './postgres-tests.ts'
import { writeGroups } from './test-groups.ts'

interface Program {
  tests: readonly string[]
  installer: string
  /** Installers of the same lane use the same package tool, so they run one after the other.
   *  Different lanes run at the same time. The engine packs have the lane `apt`. */
  lane: 'apt' | 'npm' | 'pip'
  isApart?: true
}

/** Folders of tests that run programs which are too large for `npm ci`, and the scripts that
 *  install these programs. */
const programs: readonly Program[] = [
  { tests: ['src/clients/cli', 'src/clients/page'], installer: 'scripts/client-tools.ts', lane: 'npm' },
  { tests: ['src/clients/python', 'src/clients/page', 'src/clients/samples'], installer: 'scripts/python-clients.ts', lane: 'pip' },
  { tests: ['src/drivers/vendors/ai-sdk/providers'], installer: 'scripts/provider-packages.ts', lane: 'npm' },
  { tests: ['src/stores/postgres', 'src/tests/nodes', 'src/processes'], installer: 'scripts/postgres.ts', lane: 'apt' },
  { tests: ['src/stores/s3'], installer: 'scripts/s3-server.ts', lane: 'apt', isApart: true },
]

const given = process.argv.slice(2)
const isOffline = given.includes('--offline')
const isOnPostgres = given.includes('--store=postgres')
const options = ['--offline', '--store=postgres', '--named']
const unknown = given.find(argument => argument.startsWith('--') && !options.includes(argument))
if (unknown !== undefined) {
  process.stderr.write(`There is no option ${unknown}; the options are ${options.join(', ')}.\n`)
  process.exit(1)
}
const files = given.includes('--named') ? postgresTests : given.filter(argument => !argument.startsWith('--'))
// Tests with an S3 server run only when files are named (as in `npm run test:s3`), because building
// the server takes minutes.
const isWhole = files.length === 0
if (isWhole) process.env.GATEWAY_TEST_S3 = 'apart'
const patterns = !isWhole ? files : ['{src,kit,engines,bench,scripts}/**/*.test.ts']

const chosen = globSync(
  patterns.map(each => (statSync(each, { throwIfNoEntry: false })?.isDirectory() ? `${each}/**/*.test.ts` : each)),
).map(file => resolve(file))
if (chosen.length === 0) {
  process.stderr.write(`No test file matches ${patterns.join(' ')}.\n`)
  process.exit(1)
}
endUnless(await install(chosen))
const temporary = temporaryFolder()
process.env.TMPDIR = temporary
process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }))
// On Ctrl-C, the tests get the signal too. This process waits for their end, and then removes the
// folder.
process.on('SIGINT', () => process.exit(130))
if (isOnPostgres) process.env.GATEWAY_TEST_POSTGRES_URL = await startServer()
const groups = writeGroups(chosen)
// On two cores, three processes run at a time, because tests often wait for other processes, for
// the disk and for clocks. With four, tests that measure time fail. A test that never ends fails
// after 15 minutes.
endUnless(run(['--test', `--test-concurrency=${availableParallelism() + 1}`, '--test-timeout=900000', ...groups]))

/** Installs the engine packs, and the programs that the chosen tests need. Returns the exit code of
 *  the installation of the packs. When another program cannot be installed, this is reported here;
 *  the tests that need the program fail later with the same message. */
async function install(files: readonly string[]): Promise<number> {
  if (isOffline) return run(['src/cli/gateway.ts', 'setup', '--offline'])
  const needed = programs.filter(
    ({ tests, isApart }) => !(isApart && isWhole) && files.some(file => tests.some(folder => file.startsWith(resolve(folder) + sep))),
  )
  const installersOf = (lane: Program['lane']) => needed.filter(each => each.lane === lane).map(({ installer }) => [installer])
  const [codes] = await Promise.all([
    inTurn([['src/cli/gateway.ts', 'setup'], ...installersOf('apt')]),
    inTurn(installersOf('npm')),
    inTurn(installersOf('pip')),
  ])
  return codes[0] ?? 1
}

/** Creates the folder for the tests' temporary files: in memory (`/dev/shm`) when `TMPDIR` names
 *  no other place, programs can run from there, and at least 8 GiB of it and of memory are free;
 *  on the disk otherwise. Each gateway that a test starts creates some 300 folders and files and
 *  waits for the disk after each commit. In memory, the tests of `src/http` take a third less
 *  CPU time. */
function temporaryFolder(): string {
  if (process.env.TMPDIR !== undefined || !hasRoom('/dev/shm')) return mkdtempSync(join(tmpdir(), 'gateway-tests-'))
  const folder = mkdtempSync('/dev/shm/gateway-tests-')
  // The PostgreSQL servers of some tests run as another user.
  chmodSync(folder, 0o755)
  const program = join(folder, 'probe')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  if (status === 0) return folder
  rmSync(folder, { recursive: true })
  return mkdtempSync(join(tmpdir(), 'gateway-tests-'))
}

function hasRoom(folder: string): boolean {
  const least = 8 * 1024 ** 3
  try {
    const { bavail, bsize } = statfsSync(folder)
    return Math.min(bavail * bsize, process.availableMemory()) >= least
  } catch {
    return false
  }
}

/** Runs scripts one after the other and returns their exit codes. */
async function inTurn(scripts: readonly string[][]): Promise<number[]> {
  const codes: number[] = []
  for (const args of scripts) {
    const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit', env: environment() }), 'exit')
    codes.push(code ?? 1)
  }
  return codes
}

/** Starts a PostgreSQL 18 server, which runs until this process ends, and returns the server's
 *  address. */
async function startServer(): Promise<string> {
  if (!isOffline) run(['scripts/postgres.ts'])
  const { startPostgres } = await import('../src/stores/postgres/testing/server.ts')
  return (await startPostgres({ version: 18, settings: { max_connections: '400' } })).url
}

function run(args: string[]): number {
  const { status, error } = spawnSync(process.execPath, args, { stdio: 'inherit', env: environment() })
  if (error) throw error
  return status ?? 1
}

function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_COMPILE_CACHE: resolve('node_modules/.cache/tests'),
    ...(isOffline ? { GATEWAY_OFFLINE: '1' } : {}),
  }
}

function endUnless(status: number): void {
  if (status !== 0) process.exit(status)
}
