/** Ids of responses and their items. An item's id contains the response's id and the position of
 *  the item, so it is the same at every read and shows to which response the item belongs. */
import { hash, randomBytes } from 'node:crypto'
import type { Item } from './schema/wire.ts'

const prefixes: Record<Item['type'], string> = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
  reasoning: 'rs',
  compaction: 'cmp',
}
const itemId = /^(?:msg|fc|fco|ctc|ctco|rs|cmp)_([0-9a-f]{48})[01][0-9a-f]{7}$/

/** Returns `resp_` and 192 random bits in hex. */
export function newResponseId(): string {
  return `resp_${randomBytes(24).toString('hex')}`
}

/** Returns the id of the response that a task creates. It is derived from the id of the task: a
 *  repeated submit finds the same task, and therefore gets the same response. */
export function responseIdOfTask(taskId: string): string {
  return `resp_${hash('sha256', `response of ${taskId}`, 'hex').slice(0, 48)}`
}

/** Returns the id of the item at `index` of a response's own input or output. */
export function placedId(responseId: string, type: Item['type'], place: 'input' | 'output', index: number): string {
  const position = index.toString(16).padStart(7, '0')
  return `${prefixes[type]}_${responseId.slice('resp_'.length)}${place === 'input' ? '0' : '1'}${position}`
}

/** Returns the id of the response to which an item belongs; undefined for ids that this gateway did
 *  not issue. */
export function responseOfItem(id: string): string | undefined {
  const hex = itemId.exec(id)?.[1]
  return hex === undefined ? undefined : `resp_${hex}`
}
