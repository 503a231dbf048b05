import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import type { Figure } from './scenarios.ts'

export function isMet({ value, goal }: Figure): boolean {
  if (!goal) return true
  return goal.bound === 'at most' ? value <= goal.value : value >= goal.value
}

export function lineOf(figure: Figure): string {
  const value = `${figure.value >= 100 ? Math.round(figure.value) : figure.value.toPrecision(3)} ${figure.unit}`
  const goal = figure.goal ? `${isMet(figure) ? 'met' : 'MISSED'} (${figure.goal.bound} ${figure.goal.value})` : ''
  return `${figure.name.padEnd(62)} ${value.padStart(14)}  ${goal.padEnd(24)} ${figure.note ?? ''}`.trimEnd()
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Returns the commit of the program, the version of Node and the CPU, which every file of results
 *  contains. */
export function machine(): { commit: string; node: string; cores: number; cpu: string | undefined } {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  return { commit, node: process.version, cores: cpus().length, cpu: cpus()[0]?.model }
}

/** Returns load averages as text. */
export function loadText(load: readonly number[]): string {
  return load.map(value => value.toFixed(2)).join(' ')
}
