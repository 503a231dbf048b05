import { defined } from '@generation-gateway/kit/defined.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextFormat, TextTool, ToolChoice, ToolGrammar } from '@generation-gateway/kit/requests/text.ts'
import { markIn } from '../shared/cache-marks.ts'
import { type Path, refusal } from '../shared/refusal.ts'
import { referenceOf } from './rules.ts'
import type { ChatBody } from './schema.ts'

type ToolBody = NonNullable<ChatBody['tools']>[number]
type FunctionBody = NonNullable<ToolBody['function']>
type CustomBody = NonNullable<ToolBody['custom']>

/** Returns the declared tools, given in the newer or the older form. Throws `invalid_request`
 *  naming the tool and its field. */
export function toolsOf({ tools, functions }: ChatBody): TextTool[] {
  const names = new Set<string>()
  const once = (tool: TextTool, path: Path) => {
    if (names.has(tool.name)) throw refusal([...path, 'name'], `is ${tool.name}; an earlier tool has this name.`)
    names.add(tool.name)
    return tool
  }
  return [
    ...(tools ?? []).map((tool, index) => once(toolOf(tool, ['tools', index]), ['tools', index, tool.type])),
    ...(functions ?? []).map((body, index) => once(functionTool(body), ['functions', index])),
  ]
}

/** Translates the choice among the declared tools; the rules of the operation have checked that the
 *  named tool is declared. */
export function toolChoiceOf({ tool_choice: choice, function_call: older }: ChatBody, tools: readonly TextTool[]): ToolChoice {
  if (tools.length === 0) return { mode: 'none' }
  if (typeof older === 'object' && older !== null) return { mode: 'required', only: [older.name] }
  const picked = choice ?? older ?? 'auto'
  if (picked === 'auto' || picked === 'none' || picked === 'required') return { mode: picked }
  if (typeof picked === 'string')
    throw refusal(['tool_choice'], `is ${picked}; it must be none, auto, required or an object.`, 'unsupported')
  if (picked.allowed_tools && picked.type === 'allowed_tools') {
    const { mode, tools: allowed } = picked.allowed_tools
    return { mode, only: [...new Set(allowed.map(nameOf))] }
  }
  return { mode: 'required', only: [nameOf(picked)] }
}

/** Returns the format that the answer's text must have: plain text, any JSON object, or JSON
 *  that matches a schema. */
export function formatOf({ response_format: format }: ChatBody): TextFormat {
  if (format == null || format.type === 'text') return { type: 'text' }
  if (format.type === 'json_object') return { type: 'json_object' }
  const described = format.json_schema
  if (!described) throw refusal(['response_format', 'json_schema'], 'is required when the type is json_schema.', 'required')
  return {
    type: 'json_schema',
    name: described.name,
    schema: json(described.schema ?? {}),
    ...defined({ strict: described.strict, description: described.description }),
  }
}

function nameOf(reference: Parameters<typeof referenceOf>[0]): string {
  const { kind, name } = referenceOf(reference)
  if (name === undefined) throw refusal(['tool_choice'], `has the type ${kind}; it must name a function or a custom tool.`, 'unsupported')
  return name
}

function toolOf(tool: ToolBody, path: Path): TextTool {
  switch (tool.type) {
    case 'function':
      if (!tool.function) throw refusal([...path, 'function'], 'is required in a tool of type function.', 'required')
      return { ...functionTool(tool.function), ...markIn(tool.function), ...markIn(tool) }
    case 'custom':
      if (!tool.custom) throw refusal([...path, 'custom'], 'is required in a tool of type custom.', 'required')
      return { ...customTool(tool.custom, [...path, 'custom']), ...markIn(tool) }
    default:
      throw refusal([...path, 'type'], `is ${tool.type}; it must be function or custom.`, 'unsupported')
  }
}

function functionTool({ name, description, parameters, strict }: FunctionBody): TextTool {
  return {
    kind: 'function',
    name,
    ...defined({ description, parameters: parameters && json(parameters), strict }),
  }
}

function customTool({ name, description, format }: CustomBody, path: Path): TextTool {
  const grammar = format?.type === 'grammar' ? grammarOf(format, [...path, 'format']) : undefined
  return { kind: 'custom', name, ...defined({ description }), ...(grammar ? { grammar } : {}) }
}

/** Returns the grammar of a custom tool. A grammar is nested under `grammar` in chat and flat in
 *  responses; both forms are read (docs/vendors/openai-chat.md#custom-tools). */
function grammarOf(format: NonNullable<CustomBody['format']>, path: Path): ToolGrammar {
  const { syntax, definition } = format.grammar ?? format
  if (syntax === undefined) throw refusal([...path, 'grammar', 'syntax'], 'is required; it must be lark or regex.', 'required')
  if (!definition) throw refusal([...path, 'grammar', 'definition'], 'is required in a grammar.', 'required')
  return { syntax, definition }
}

function json(value: Record<string, unknown>): JsonObject {
  // The cast is safe: the value comes from JSON.parse; the schema's type cannot express that.
  return value as JsonObject
}
