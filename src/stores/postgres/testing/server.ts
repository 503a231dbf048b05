/** PostgreSQL servers for tests: real ones, each with a temporary data folder, on 127.0.0.1
 *  only. */
import { type ChildProcess, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../../testing/free-port.ts'
import { findPostgres, type PostgresVersion } from './binaries.ts'
import { type Guard, startGuard } from './guard.ts'
import { queryOnce } from './query-once.ts'

export { needPostgres } from './binaries.ts'

export interface PostgresServer {
  /** Address of the database `postgres`, with the superuser's name and password. */
  readonly url: string
  /** The major version that runs. */
  readonly version: number
  /** Process id of the postmaster; undefined while it does not run. */
  readonly pid: number | undefined
  /** Folder that contains the data and the log; `stop` removes it. */
  readonly folder: string
  /** Creates an empty database and returns its address; without a name it gets a new one. */
  database(name?: string): Promise<string>
  /** Sends SIGKILL to the server and all its processes; resolves when they are gone. */
  kill(): Promise<void>
  /** Stops or continues all processes of the server, like a machine that hangs for a while. Does
   *  nothing while the server does not run. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Starts the server again with the same data and address, after a shutdown if it runs. */
  restart(): Promise<void>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

interface PostgresOptions {
  version: PostgresVersion
  /** True when commits wait for the disk, as in production. When false, the default, commits
   *  reach only the kernel: they survive a SIGKILL of the server, but not a crash of the
   *  machine. */
  isDurable?: boolean
  /** Further settings of the server, in addition to those that all tests use. */
  settings?: Readonly<Record<string, string>>
  /** Port of the server; a random free one when absent. */
  port?: number
}

/** Id of the user `nobody`. Servers run as this user when this process runs as root, because
 *  PostgreSQL refuses to run as root. */
const nobody = 65534

/** Starts a server and resolves when it accepts connections. The server is killed when this
 *  process ends. Throws an error with the reason when this machine has no server of that
 *  version. */
export async function startPostgres({ version, isDurable = false, settings = {}, port }: PostgresOptions): Promise<PostgresServer> {
  const found = findPostgres(version)
  if ('missing' in found) throw new Error(`PostgreSQL cannot be started: this test ${found.missing}`)
  const folder = mkdtempSync(join(tmpdir(), 'gateway-postgres-'))
  const server = new TestServer(
    folder,
    Object.entries({ ...(isDurable ? {} : { fsync: 'off' }), ...settings }).flatMap(each => ['-c', each.join('=')]),
  )
  try {
    await server.create(found)
    await server.startAt(port)
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}

class TestServer implements PostgresServer {
  readonly folder: string
  readonly #settings: readonly string[]
  readonly #guard: Guard
  readonly #password = randomBytes(16).toString('hex')
  readonly #user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : undefined
  #bin = ''
  #port = 0
  #databases = 0
  #child: ChildProcess | undefined

  constructor(folder: string, settings: readonly string[]) {
    this.folder = folder
    this.#settings = settings
    this.#guard = startGuard(folder)
    this.#give(folder)
  }

  get url(): string {
    return this.#urlOf('postgres')
  }

  get version(): number {
    return Number(readFileSync(join(this.folder, 'data/PG_VERSION'), 'utf8'))
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Creates the data folder of the server. */
  async create({ bin, home }: { bin: string; home?: string }): Promise<void> {
    this.#bin = home !== undefined && this.#user ? copyFor(home, join(this.folder, 'server')) : bin
    const password = join(this.folder, 'password')
    writeFileSync(password, this.#password, { mode: 0o600 })
    this.#give(password)
    const init = ['-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', password, '-E', 'UTF8', '--locale=C', '--no-sync']
    const child = this.#spawn('initdb', ['-D', this.#data, ...init])
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`initdb failed:\n${this.#log()}`)
    rmSync(password)
  }

  /** Starts the server on this port, or on a free one when it is undefined. */
  async startAt(port: number | undefined): Promise<void> {
    for (let tries = 1; ; tries++) {
      this.#port = port ?? (await freePort())
      try {
        return await this.#start()
      } catch (error) {
        // The start is tried again on another port when another process took the chosen one in the
        // meantime. Other failures, any failure on a port that the caller has named, and the fifth
        // failure are final.
        if (port !== undefined || tries === 5 || !this.#log().includes('Address already in use')) throw error
      }
    }
  }

  async database(name = `test_${++this.#databases}`): Promise<string> {
    await queryOnce(this.url, `CREATE DATABASE ${pg.escapeIdentifier(name)}`)
    return this.#urlOf(name)
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined) return
    // The postmaster is suspended first, so that it starts no further processes.
    child.kill('SIGSTOP')
    const all = this.#processes()
    for (const pid of all) sendSignal(pid, 'SIGKILL')
    await this.#ended(child)
    while (all.some(isAlive)) await sleep(5)
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of this.#processes()) sendSignal(pid, signal)
  }

  async restart(): Promise<void> {
    await this.#end('SIGINT')
    await this.#start()
  }

  async stop(): Promise<void> {
    await this.#end('SIGQUIT')
    await this.#guard.end()
  }

  /** Returns the ids of the postmaster and its children; none while it does not run. */
  #processes(): number[] {
    const { pid } = this
    return pid === undefined ? [] : [pid, ...childrenOf(pid)]
  }

  get #data(): string {
    return join(this.folder, 'data')
  }

  #urlOf(database: string): string {
    return `postgres://postgres:${this.#password}@127.0.0.1:${this.#port}/${encodeURIComponent(database)}`
  }

  async #start(): Promise<void> {
    const places = ['-D', this.#data, '-p', String(this.#port), '-k', this.folder, '-c', 'listen_addresses=127.0.0.1']
    // With this setting, shared memory is a file in the data folder, so that it is removed with the
    // folder even after a SIGKILL.
    const child = this.#spawn('postgres', [...places, '-c', 'dynamic_shared_memory_type=mmap', ...this.#settings])
    this.#child = child
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
    })
    // A server that a test has not stopped must not keep this process alive; the guard then ends
    // the server.
    child.unref()
    while (!this.#isReady(child)) {
      if (this.#child !== child) throw new Error(`PostgreSQL ended at its start:\n${this.#log()}`)
      await sleep(10)
    }
  }

  /** Returns true when the lock file of this server reports that it accepts connections. The
   *  eighth line of the file is the status: `ready`, or `standby` for a standby that accepts
   *  reads. */
  #isReady(child: ChildProcess): boolean {
    try {
      const lines = readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')
      return Number(lines[0]) === child.pid && /^(ready|standby)$/.test(lines[7]?.trim() ?? '')
    } catch {
      return false
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child) return
    child.kill(signal)
    await this.#ended(child)
  }

  async #ended(child: ChildProcess): Promise<void> {
    child.ref()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  #spawn(program: string, args: readonly string[]): ChildProcess {
    const log = openSync(join(this.folder, 'log'), 'w')
    try {
      return this.#guard.spawn(join(this.#bin, program), args, {
        env: { PATH: process.env.PATH, LC_ALL: 'C' },
        log,
        ...this.#user,
      })
    } finally {
      closeSync(log)
    }
  }

  #log(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8').slice(-4000)
  }

  #give(path: string): void {
    if (this.#user) chownSync(path, this.#user.uid, this.#user.gid)
  }
}

/** Sends a signal to a process. The error for a process that has already ended is ignored,
 *  because the server's processes for closed connections end by themselves. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Copies an installation to a folder that the user `nobody` can read, with hard links where the
 *  file system allows them. Returns the path of its programs. */
function copyFor(home: string, target: string): string {
  const copy = (...options: string[]) => spawnSync('cp', ['-a', ...options, home, target]).status === 0
  if (!copy('--link')) {
    rmSync(target, { recursive: true, force: true })
    if (!copy()) throw new Error(`${home} could not be copied to ${target}`)
  }
  spawnSync('chmod', ['-R', 'a+rX', target])
  return join(target, 'bin')
}

function childrenOf(pid: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return all.filter(each => statusOf(each)[1] === String(pid))
}

/** Returns true when the process runs; false also for a zombie, which has ended but whose parent
 *  has not yet read its exit code. */
function isAlive(pid: number): boolean {
  const [state = 'Z'] = statusOf(pid)
  return state !== 'Z'
}

/** Returns the fields of `/proc/PID/stat`, beginning with the state of the process and the id of
 *  its parent; empty when there is no such process. */
function statusOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The fields begin after the last closing parenthesis, because the program's name in
    // parentheses may itself contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
