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

/** Options of `fork` for a Node whose files, each, may have so many bytes: a write beyond them fails with EFBIG. The shell sets the limit and becomes Node. Not on Windows. */
export function nodeWithLimits(fileBytes: number, execArgv: readonly string[]): Pick<ForkOptions, 'execPath' | 'execArgv'> {
  if (process.platform === 'win32') return { execArgv: [...execArgv] }
  const script = `${limitScript({ fileBytes })}exec "$0" "$@"`
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
