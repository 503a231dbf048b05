/** Starts processes that are to be measured, and reads their CPU time and memory from /proc. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Returns the CPU time in seconds (user and system, all threads) that a process has used so
 *  far, without its children. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Returns the CPU time in seconds that a process and all its descendants have used so far,
 *  including descendants that have already ended. */
export function treeCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const ended = (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
  return cpuSeconds(pid) + ended + childrenOf(pid).reduce((sum, child) => sum + unlessEnded(() => treeCpuSeconds(child), 0), 0)
}

/** Returns the resident memory of one process now, bytes. */
export function residentBytes(pid: number): number {
  return statusKilobytes(pid, 'VmRSS') * 1024
}

/** Returns the highest resident memory of one process so far, bytes. */
export function peakResidentBytes(pid: number): number {
  return statusKilobytes(pid, 'VmHWM') * 1024
}

/** Returns the resident memory of these processes together, bytes. A process that has ended counts
 *  0. */
export function residentBytesOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + unlessEnded(() => residentBytes(pid), 0), 0)
}

/** Returns the resident memory of a process and its living descendants, bytes. */
export function treeResidentBytes(pid: number): number {
  return residentBytes(pid) + residentBytesOf(descendantsOf(pid))
}

/** Returns the children of a process, such as engine processes of the gateway. Each child is listed
 *  under the thread that started it. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap(thread => {
    const children = unlessEnded(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'), '')
    return children.trim().split(' ').filter(Boolean).map(Number)
  })
}

/** Returns all descendants of a process. */
export function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap(child => [child, ...unlessEnded(() => descendantsOf(child), [])])
}

/** Returns what `read` reads from /proc about a process or thread; `otherwise` when it has
 *  ended. */
export function unlessEnded<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read()
  } catch {
    return otherwise
  }
}

export interface Server {
  pid: number
  url: string
  stop(): Promise<void>
}

/** Starts a TypeScript module of this project as a server and waits until it answers. With
 *  `core`, it runs only on this core; this needs the program `taskset`. */
export async function startServer(
  module: string,
  options: { args?: string[]; env?: Record<string, string>; port: number; core?: number },
): Promise<Server> {
  const path = fileURLToPath(new URL(`../${module}`, import.meta.url))
  const command = [process.execPath, path, ...(options.args ?? [])]
  const pinned = options.core === undefined ? command : ['taskset', '-c', String(options.core), ...command]
  const child = spawn(pinned[0] ?? '', pinned.slice(1), {
    env: { ...process.env, PORT: String(options.port), ...options.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${options.port}`
  for (let tries = 0; tries < 400; tries++) {
    if (child.exitCode !== null) throw new Error(`${module} ended at its start`)
    const isUp = await fetch(`${url}/healthz`).then(
      response => response.ok,
      () => false,
    )
    if (isUp) return { pid: child.pid ?? 0, url, stop: () => stop(child) }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`${module} did not answer within 20 s`)
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

function statusKilobytes(pid: number, name: string): number {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(match?.[1] ?? 0)
}
