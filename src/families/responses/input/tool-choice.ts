/** Reads the choice among the declared tools. Returns it in neutral form, and in the form in
 *  which the response object shows it. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { ToolChoice, ToolKind } from '@generation-gateway/kit/requests/text.ts'
import { isHosted } from './hosted-tools.ts'
import type { ToolName } from './namespaces.ts'
import { objectAt, optionalTextAt, refuse, shown, textAt, wordAt } from './refuse.ts'
import type { ParsedField, ParsedTools } from './tools.ts'

const modes = ['auto', 'required'] as const

/** A tool that the choice names, under the caller's name and under the name that the model
 *  knows. */
interface NamedTool {
  echo: ToolName & { type: 'function' | 'custom' }
  name: string
}

/** Returns the choice. Checks that every tool named in it is declared. Throws `invalid_request`
 *  when the choice requires a hosted tool. */
export function readToolChoice(value: Json | undefined, tools: ParsedTools): ParsedField<ToolChoice> {
  if (value === undefined || value === null) return { neutral: { mode: 'auto' }, echo: 'auto' }
  if (value === 'auto' || value === 'none') return { neutral: { mode: value }, echo: value }
  if (value === 'required') {
    if (tools.neutral.length > 0) return { neutral: { mode: 'required' }, echo: value }
    if (tools.leftOut.length > 0) throw noHosted('tool_choice is required, but tools has only', tools.leftOut)
    throw refuse('tool_choice', 'tool_choice is required, but no tools are declared.')
  }
  if (!isObject(value)) {
    throw refuse('tool_choice', `tool_choice is ${shown(value)}; it must be none, auto, required or an object.`, 'unsupported')
  }
  return value.type === 'allowed_tools' ? readAllowedTools(value, tools) : readForcedTool(value, tools)
}

function readForcedTool(choice: JsonObject, tools: ParsedTools): ParsedField<ToolChoice> {
  if (isHostedChoice(choice)) throw noHosted('tool_choice demands', [choice.type])
  const { name, echo } = namedTool(choice, 'tool_choice', finderOf(tools))
  return { neutral: { mode: 'required', only: [name] }, echo }
}

/** Reads a choice of allowed tools. Hosted tools in it are ignored, because they are not sent to
 *  the model. When the choice requires a call, at least one other tool must remain. */
function readAllowedTools(choice: JsonObject, tools: ParsedTools): ParsedField<ToolChoice> {
  const nested = isObject(choice.allowed_tools)
  const field = nested ? 'tool_choice.allowed_tools' : 'tool_choice'
  const allowed = nested ? objectAt(choice.allowed_tools, field) : choice
  const mode = wordAt(allowed, 'mode', field, modes)
  if (!Array.isArray(allowed.tools) || allowed.tools.length === 0) {
    throw refuse('tool_choice', `${field}.tools must be a list with at least one tool.`)
  }
  const find = finderOf(tools)
  const named = allowed.tools.flatMap((value, index) => {
    const place = `${field}.tools[${index}]`
    const tool = objectAt(value, place)
    return isHostedChoice(tool) ? [] : [namedTool(tool, place, find)]
  })
  if (named.length > 0) {
    return {
      neutral: { mode, only: named.map(tool => tool.name) },
      echo: { type: 'allowed_tools', mode, tools: named.map(tool => tool.echo) },
    }
  }
  if (mode === 'required')
    throw noHosted(
      'tool_choice demands one of',
      allowed.tools.map(tool => String(Object(tool).type)),
    )
  return { neutral: { mode: 'none' }, echo: 'none' }
}

function isHostedChoice(choice: JsonObject): choice is JsonObject & { type: string } {
  return typeof choice.type === 'string' && isHosted(choice.type)
}

function noHosted(demand: string, types: readonly string[]): GatewayError {
  return refuse('tool_choice', `${demand} ${types.join(', ')}; this model has no hosted tools.`, 'unsupported')
}

/** Returns the name under which the model knows a declared tool of this kind; undefined when no
 *  such tool is declared. */
type Finder = (kind: ToolKind, tool: ToolName) => string | undefined

function finderOf({ neutral, names }: ParsedTools): Finder {
  const declared = new Set(neutral.map(({ kind, name }) => `${kind} ${name}`))
  return (kind, tool) => {
    const flat = names.flat(tool)
    return declared.has(`${kind} ${flat}`) ? flat : undefined
  }
}

/** Returns the named tool. Its name is a member of the choice itself or, as in Chat Completions, of
 *  the object `function` or `custom` in the choice. */
function namedTool(choice: JsonObject, field: string, find: Finder): NamedTool {
  const type = wordAt(choice, 'type', field, ['function', 'custom'])
  const inner = choice[type]
  const name = isObject(inner) ? textAt(inner, 'name', `${field}.${type}`) : textAt(choice, 'name', field)
  const namespace = optionalTextAt(choice, 'namespace', field)
  const full: ToolName = { name, ...defined({ namespace }) }
  const flat = find(type, full)
  if (flat !== undefined) return { name: flat, echo: { type, ...full } }
  const place = namespace === undefined ? '' : ` of the namespace ${shown(namespace)}`
  throw refuse('tool_choice', `${field} names the ${type} ${shown(name)}${place}, which tools does not declare.`)
}
