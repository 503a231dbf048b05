/** Converts error messages of a ComfyUI server to sentences that callers may see. */

import { type Json, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import { failed } from '../../shared/failed.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import { nameAt, type WorkflowPlan } from './inputs.ts'

const maxWords = 300
const maxReasons = 10
/** These patterns match absolute paths and paths in a home folder, on Windows and Unix. A quoted
 *  path may contain spaces; an unquoted one ends at the first space. */
const quotedPath = /(['"`])(?:[A-Za-z]:[\\/]|\\\\|~?\/)[^'"`\n]*\1/g
const barePath = /(?<![\w./\\])(?:[A-Za-z]:[\\/]|\\\\|~?\/)[^\s'"`,;()<>|]+/g
/** Types of objections to the value of an input. The caller is at fault only when that value comes
 *  from the request. */
const aboutValues = new Set(['value_smaller_than_min', 'value_bigger_than_max'])

/** Returns the first line of the server's message, without paths and secrets; '' when there is
 *  none. */
export function shownText(value: Json | undefined, secrets: readonly string[]): string {
  const line = (textOf(value) ?? '').trim().split('\n', 1)[0] ?? ''
  const shown = line.replaceAll(quotedPath, '(path)').replaceAll(barePath, '(path)')
  return withoutSecrets(shown, secrets).slice(0, maxWords)
}

/** Returns the failure for a workflow that `POST /prompt` refused. The message of the failure
 *  contains the title and the error of the first faulty node; the errors of further nodes become
 *  reasons. */
export function refusalOf(plan: WorkflowPlan, said: JsonObject, secrets: readonly string[]): Failed {
  const found = Object.entries(objectOf(said.node_errors)).flatMap(([node, errors]) =>
    objectsOf(objectOf(errors).errors).map(error => nodeRefusal({ plan, node, error, secrets })),
  )
  const [first] = found
  if (first === undefined) {
    const words = textOf(said.error) === undefined ? shownText(objectOf(said.error).message, secrets) : shownText(said.error, secrets)
    return failed('upstream_error', `The ComfyUI server refused the workflow${words === '' ? '.' : `: ${ended(words)}`}`)
  }
  const reasons = [...new Set(found.map(({ sentence }) => sentence))].slice(0, maxReasons)
  const code = found.every(({ isOfRequest }) => isOfRequest) ? 'invalid_request' : 'upstream_error'
  return failed(code, `The ComfyUI server refused the workflow: ${first.sentence}`, reasons.length > 1 ? reasons : [])
}

/** Returns the failure of a prompt whose run ended with an error. */
export function executionFailure(entry: JsonObject, secrets: readonly string[]): Failed {
  const { messages } = objectOf(entry.status)
  const facts = (event: string): JsonObject | undefined => {
    const found = Array.isArray(messages) ? messages.findLast(each => Array.isArray(each) && each[0] === event) : undefined
    return Array.isArray(found) ? objectOf(found[1]) : undefined
  }
  const error = facts('execution_error')
  if (error) {
    const node = shownText(error.node_type, secrets) || 'unknown'
    const words = shownText(error.exception_message, secrets) || shownText(error.exception_type, secrets)
    return failed(
      'upstream_error',
      `The ComfyUI server failed at the node ${titleIn(entry, error.node_id, node)}${words === '' ? '.' : `: ${ended(words)}`}`,
    )
  }
  if (facts('execution_interrupted')) return failed('upstream_error', 'The run was interrupted at the ComfyUI server.')
  return failed('upstream_error', 'The ComfyUI server failed on the workflow and does not say why.')
}

interface RefusedNode {
  plan: WorkflowPlan
  node: string
  error: JsonObject
  secrets: readonly string[]
}

function nodeRefusal({ plan, node, error, secrets }: RefusedNode): { sentence: string; isOfRequest: boolean } {
  const found = plan.workflow.nodes.find(({ id }) => id === node)
  const input = textOf(objectOf(error.extra_info).input_name)
  const name = input === undefined ? undefined : nameAt(plan, node, input)
  const details = shownDetails(error, secrets)
  const words = [shownText(error.message, secrets), details].filter(each => each !== '').join(': ')
  const title = found === undefined ? node.slice(0, 50) : found.title.slice(0, 100)
  return {
    sentence: `node "${title}": ${ended(words === '' ? 'not valid' : words)}`,
    isOfRequest: name !== undefined && name !== 'model' && aboutValues.has(String(error.type)),
  }
}

/** Returns the details of an error. When a value is not one of the allowed values, the details
 *  contain the list of these values, which may include the operator's file names. So only the text
 *  before the list is kept. */
function shownDetails(error: JsonObject, secrets: readonly string[]): string {
  const shown = shownText(error.details, secrets)
  return error.type === 'value_not_in_list' ? shown.replace(/\s+not in\s.*$/, '') : shown
}

/** Returns the title of a node in the workflow of this run; followed by the node's class when the
 *  two differ. */
function titleIn(entry: JsonObject, id: Json | undefined, classType: string): string {
  const graph = Array.isArray(entry.prompt) ? objectOf(entry.prompt[2]) : {}
  const title = typeof id === 'string' ? textOf(objectOf(objectOf(graph[id])._meta).title) : undefined
  return title === undefined || title === classType ? `"${classType}"` : `"${title.slice(0, 100)}" (${classType})`
}

function ended(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`
}
