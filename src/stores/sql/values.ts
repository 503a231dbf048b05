import type { SQLOutputValue } from 'node:sqlite'
import { type TaskState, taskStates } from '../../core/records/task.ts'

/** A value of a column, as statements take it. */
export type Cell = string | number | null

/** A row as `node:sqlite` returns it. */
export type Row = Record<string, SQLOutputValue>

const stateByName: ReadonlyMap<string, TaskState> = new Map(taskStates.map(state => [state, state]))

export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw damaged(column)
  return value
}

export function optionalText(row: Row, column: string): string | null {
  const value = row[column]
  if (value === null || typeof value === 'string') return value
  throw damaged(column)
}

export function number(row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw damaged(column)
  return value
}

export function optionalNumber(row: Row, column: string): number | null {
  const value = row[column]
  if (value === null || typeof value === 'number') return value
  throw damaged(column)
}

export function taskState(row: Row, column: string): TaskState {
  const state = stateByName.get(text(row, column))
  if (state === undefined) throw damaged(column)
  return state
}

function damaged(column: string): TypeError {
  return new TypeError(`column ${column} holds a value of the wrong type`)
}
