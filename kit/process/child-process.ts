import type { ForkOptions } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { EnginePriority } from '../driver.ts'
import { limitScript } from './process-limits.ts'

/** Environment of an engine's process: `own`, and of ours only what a process needs to run (and `further` names). Nothing secret. */
export function childEnvironment(own: Record<string, string>, further: readonly string[] = []): Record<string, string> {
  const kept = { ...own }
  for (const name of ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', ...further]) {
    const value = process.env[name]
    if (value !== undefined) kept[name] = value
  }
  return kept
}

/** Bytes that a Node process of ours has as private writable memory before its first job, mostly address space for code that it never touches (1,135 MB measured on Node 26.10, Linux x64, 2026-11-25), and room for more cores. */
const nodeDataBytes = 1280 * 2 ** 20

interface NodeLimits {
  /** Bytes of any one file that it writes: a write beyond them fails with EFBIG. */
  fileBytes: number
  /** Bytes of memory that a job may ask for at once: the watchdog looks only ten times a second. No limit when absent. Linux alone has one. */
  jobBytes?: number | undefined
}

/** Options of `fork` for a Node that the kernel holds to these limits. The shell sets them and becomes Node. Not on Windows. */
export function nodeWithLimits(
  { fileBytes, jobBytes }: NodeLimits,
  execArgv: readonly string[],
): Pick<ForkOptions, 'execPath' | 'execArgv'> {
  if (process.platform === 'win32') return { execArgv: [...execArgv] }
  const dataBytes = jobBytes === undefined || process.platform !== 'linux' ? {} : { dataBytes: nodeDataBytes + jobBytes }
  const script = `${limitScript({ fileBytes, ...dataBytes })}exec "$0" "$@"`
  return { execPath: '/bin/sh', execArgv: ['-c', script, process.execPath, ...execArgv] }
}

/** How an engine's process is started, beside its arguments and environment. */
export const childOptions: Pick<ForkOptions, 'serialization' | 'stdio' | 'detached'> = {
  serialization: 'advanced',
  stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  // A group of its own: what Ctrl-C sends to the gateway's would end a process that has just been started and does not listen yet. On Windows this would open a console.
  detached: process.platform !== 'win32',
}

/** Gives an engine's process its place in the queue for the cores; `low` yields to the gateway's event loop and to every program of usual priority. */
export function givePriority(pid: number | undefined, priority: EnginePriority = 'low'): void {
  if (pid === undefined || priority === 'normal') return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not permitted in some sandboxes; the engine then competes as an equal.
  }
}
