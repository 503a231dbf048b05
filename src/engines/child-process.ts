import { constants, setPriority } from 'node:os'

/** Environment of an engine's process: `own`, and of ours only what a process needs to run (and `further` names). Nothing secret. */
export function childEnvironment(own: Record<string, string>, further: readonly string[] = []): Record<string, string> {
  const kept = { ...own }
  for (const name of ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', ...further]) {
    const value = process.env[name]
    if (value !== undefined) kept[name] = value
  }
  return kept
}

/** An engine yields to the event loop when cores are short. */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not permitted in some sandboxes; the engine then competes as an equal.
  }
}
