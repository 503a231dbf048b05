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
