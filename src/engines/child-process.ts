import { constants, setPriority } from 'node:os'
import type { EnginePriority } from '../contract/driver.ts'

/** Environment of an engine's process: `own`, and of ours only what a process needs to run (and `further` names). Nothing secret. */
export function childEnvironment(own: Record<string, string>, further: readonly string[] = []): Record<string, string> {
  const kept = { ...own }
  for (const name of ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', ...further]) {
    const value = process.env[name]
    if (value !== undefined) kept[name] = value
  }
  return kept
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
