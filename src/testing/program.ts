/** Runs the real program in a process of its own, for tests that kill it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { testAdminKey, testKey } from './gateway.ts'
import { databaseSettings } from './stores/database.ts'

const entry = fileURLToPath(new URL('../cli/gateway.ts', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Program {
  url: string
  process: ChildProcess
  /** Sends SIGKILL, as when the program crashes or the kernel kills it. Resolves when the
   *  process has ended. */
  kill(): Promise<void>
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** Returns the output on stdout and stderr so far; at most its last 1,000,000 characters. */
  output(): string
}

interface ProgramOptions {
  dataDir: string
  port: number
  env?: Record<string, string>
  /** The command that runs `serve`, in the folder of the project and in a process group of its
   *  own. Default: the Node.js that runs the tests. */
  command?: [program: string, ...args: string[]]
}

/** Starts `serve` on the data folder and waits until it answers. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const [program, ...args] = options.command ?? [process.execPath, entry, 'serve']
  const child = spawn(program, args, {
    cwd: root,
    detached: options.command !== undefined,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: String(options.port),
      GATEWAY_DATA_DIR: options.dataDir,
      GATEWAY_ACCESS_KEY: testKey,
      GATEWAY_ADMIN_KEY: testAdminKey,
      GATEWAY_ALLOW_PRIVATE_URLS: '1',
      GATEWAY_ENGINE_PRELOAD: '0',
      GATEWAY_LOG_LEVEL: 'warn',
      GATEWAY_MIN_FREE_MB: '1',
      ...(options.env?.GATEWAY_DATABASE_URL === undefined ? await databaseSettings(options.dataDir) : {}),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-1_000_000)
    })
  }
  const exited = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)))
  const url = `http://127.0.0.1:${options.port}`
  await untilHealthy(
    url,
    () => child.exitCode !== null || child.signalCode !== null,
    () => text,
  )
  return {
    url,
    process: child,
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
    output: () => text,
  }
}

/** A command that has ended; `code` is null when its time ran out. */
export interface CommandRun {
  code: number | null
  out: string
  error: string
}

/** Runs a command of the program with only PATH and these environment variables, and waits for its
 *  end. The command is stopped after `timeoutMs`; when absent, it may take any time. */
export function endOfCommand(
  args: readonly string[],
  { env, timeoutMs }: { env: Record<string, string>; timeoutMs?: number },
): Promise<CommandRun> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [entry, ...args], {
      env: withPath(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    })
    let out = ''
    let error = ''
    child.stdout.setEncoding('utf8').on('data', chunk => {
      out += chunk
    })
    child.stderr.setEncoding('utf8').on('data', chunk => {
      error += chunk
    })
    child.on('close', code => resolve({ code, out, error }))
  })
}

/** Runs a command of the program with only PATH and these environment variables. Returns its
 *  output. When the command fails, throws what it has printed to stderr. */
export async function runCommand(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, out, error } = await endOfCommand(args, { env })
  if (code !== 0) throw new Error(error)
  return out
}

/** Starts a command and kills it with SIGKILL as soon as the condition is true. Returns false when
 *  the command ended before it could be killed, as may happen on a busy machine. */
export async function killCommandWhen(
  condition: () => Promise<boolean>,
  args: readonly string[],
  env: Record<string, string>,
): Promise<boolean> {
  const child = spawn(process.execPath, [entry, ...args], { env: withPath(env), stdio: 'ignore' })
  const ended = once(child, 'exit')
  while (child.exitCode === null && !(await condition())) await sleep(1)
  child.kill('SIGKILL')
  await ended
  return child.signalCode === 'SIGKILL'
}

async function untilHealthy(url: string, hasEnded: () => boolean, output: () => string): Promise<void> {
  for (let tries = 0; tries < 3_600; tries++) {
    if (hasEnded()) throw new Error(`the program ended at its start:\n${output()}`)
    try {
      if ((await fetch(`${url}/healthz`)).ok) return
    } catch {
      // The program does not accept connections yet.
    }
    await sleep(50)
  }
  throw new Error(`the program did not answer within three minutes:\n${output()}`)
}

function withPath(env: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', ...env }
}
