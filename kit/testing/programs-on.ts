import { readdirSync, readFileSync } from 'node:fs'

/** Returns the process ids of programs that were started with this path. */
export function programsOn(path: string): number[] {
  return readdirSync('/proc').flatMap(name => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`file:${path}`) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
