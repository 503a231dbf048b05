import type { ChildProcess, ForkOptions } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { EnginePriority } from '../driver.ts'
import { limitScript } from './process-limits.ts'

/** Returns the environment of an engine's process: `own`, plus those variables of this process that
 *  a process needs to run (and those that `further` names). Contains no secret.
 *  ORT_DISABLE_TELEMETRY keeps onnxruntime from reporting its use to Microsoft, which onnxruntime
 *  does from version 1.30 on. */
export function childEnvironment(own: Record<string, string>, further: readonly string[] = []): Record<string, string> {
  const kept: Record<string, string> = { ORT_DISABLE_TELEMETRY: '1', ...own }
  for (const name of ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', ...further]) {
    const value = process.env[name]
    if (value !== undefined) kept[name] = value
  }
  return kept
}

/** Bytes of private writable memory that the limit allows a Node process before its first job.
 *  1,135 MiB were measured (Node 26.10, Linux x64, 2026-11-25), mostly address space that is
 *  reserved for code and never used. The rest is a margin for machines with more cores. */
export const nodeDataBytes = 1280 * 2 ** 20

/** Throws an error with the code `EMFILE` when a process was not started for want of file
 *  descriptors. Node then returns a process without streams and reports the error later, by an
 *  event. */
export function assertSpawned(child: ChildProcess): void {
  if (child.stdin) return
  child.once('error', () => {})
  throw Object.assign(new Error('No process can be started: too many files are open.'), { code: 'EMFILE' })
}

interface NodeLimits {
  /** Largest file in bytes that the process may write; larger writes fail with EFBIG. */
  fileBytes: number
  /** Bytes of memory that a job may allocate at once; needed because the watchdog checks only ten
   *  times a second. No limit when absent. Only Linux enforces it. */
  jobBytes?: number | undefined
}

/** Returns options of `fork` for a Node process on which the kernel enforces these limits. A shell
 *  sets them and is then replaced by Node. Has no effect on Windows. */
export function nodeWithLimits(
  { fileBytes, jobBytes }: NodeLimits,
  execArgv: readonly string[],
): Pick<ForkOptions, 'execPath' | 'execArgv'> {
  if (process.platform === 'win32') return { execArgv: [...execArgv] }
  const dataBytes = jobBytes === undefined || process.platform !== 'linux' ? {} : { dataBytes: nodeDataBytes + jobBytes }
  const script = `${limitScript({ fileBytes, ...dataBytes })}exec "$0" "$@"`
  return { execPath: '/bin/sh', execArgv: ['-c', script, process.execPath, ...execArgv] }
}

/** Options with which an engine's process is spawned. */
export const childOptions: Pick<ForkOptions, 'serialization' | 'stdio' | 'detached'> = {
  serialization: 'advanced',
  stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  // The process gets a process group of its own: a Ctrl-C in the gateway's group would end a
  // process that has just started and does not handle signals yet. On Windows this option would
  // open a console.
  detached: process.platform !== 'win32',
}

/** Sets the scheduling priority of an engine's process; `low` yields to the gateway's event loop
 *  and to every program of normal priority. */
export function givePriority(pid: number | undefined, priority: EnginePriority = 'low'): void {
  if (pid === undefined || priority === 'normal') return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Some sandboxes do not permit a priority; the engine then competes at normal priority.
  }
}
