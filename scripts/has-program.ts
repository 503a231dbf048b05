import { spawnSync } from 'node:child_process'

/** Returns true when a program is installed; `args` make it print its version. */
export function hasProgram(program: string, args: readonly string[] = ['--version']): boolean {
  return spawnSync(program, args).status === 0
}

export function hasKubectl(): boolean {
  return hasProgram('kubectl', ['version', '--client'])
}
