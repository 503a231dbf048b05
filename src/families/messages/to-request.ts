/** Translates the body of a message into the neutral request. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextFormat, TextItem, TextRequest, TextTool, ToolChoice } from '@generation-gateway/kit/requests/text.ts'
import { markIn } from '../shared/cache-marks.ts'
import { othersIn } from '../shared/left-out.ts'
import { type Path, refusal } from '../shared/refusal.ts'
import { effortOf } from '../shared/thinking-effort.ts'
import { itemsOf, textsOf } from './items.ts'
import { isHosted, unofferedIn } from './rules.ts'
import type { CountBody, MessageBody, Tool } from './schema.ts'

/** Largest number of stop texts of a neutral request. */
const mostStops = 4

/** Fields that are translated into the neutral request, or that affect the reply. All other
 *  fields are forwarded only to an upstream that speaks this protocol. `thinking` and
 *  `output_config` are not listed, because they are translated and, in addition, forwarded
 *  unchanged. */
const translated: ReadonlySet<string> = new Set([
  ...(['model', 'messages', 'system', 'tools', 'tool_choice', 'max_tokens', 'stream', 'stop_sequences'] as const),
  ...(['temperature', 'top_p', 'top_k', 'metadata'] as const),
] satisfies (keyof MessageBody)[])

/** Returns the neutral request. Throws `invalid_request`, which names the path
 *  (`messages[2].content[0].type`) of a value that cannot be translated. */
export function toTextRequest(body: MessageBody): TextRequest {
  if (body.max_tokens === 0) throw refusal(['max_tokens'], 'is 0, which only fills a cache; this model has none to fill.', 'unsupported')
  const { stop_sequences: stops } = body
  if (stops && stops.length > mostStops)
    throw refusal(['stop_sequences'], `has ${stops.length} texts; this model takes at most ${mostStops}.`, 'unsupported')
  return {
    ...conversationOf(body),
    maxOutputTokens: body.max_tokens,
    ...(body.temperature == null ? {} : { temperature: body.temperature }),
    ...(body.top_p == null ? {} : { topP: body.top_p }),
    ...(body.top_k == null ? {} : { topK: body.top_k }),
    ...(stops && stops.length > 0 ? { stop: stops } : {}),
    ...(body.metadata?.user_id == null ? {} : { user: body.metadata.user_id }),
  }
}

/** Returns the request whose tokens are to be counted, without the hosted tools, and the names
 *  of the hosted tools (`leftOut`). */
export function toCountRequest(body: CountBody): { request: TextRequest; leftOut: string[] } {
  const tools = body.tools ?? []
  const hosted = tools.filter(isHosted)
  const request = conversationOf(
    body,
    tools.filter(tool => !isHosted(tool)),
  )
  return { request, leftOut: hosted.map(({ name, type }) => name ?? type ?? '') }
}

function conversationOf(body: CountBody, given: readonly Tool[] = body.tools ?? []): TextRequest {
  const unoffered = unofferedIn(body)
  if (unoffered !== undefined) throw refusal([unoffered], 'is not offered by this model.', 'unsupported')
  const tools = toolsOf(given)
  const { tool_choice: choice } = body
  return {
    items: [...systemOf(body), ...itemsOf(body.messages)],
    tools,
    toolChoice: choiceOf(choice, tools),
    parallelToolCalls: choice?.disable_parallel_tool_use !== true,
    format: formatOf(body),
    ...reasoningOf(body),
    extras: { protocol: 'messages', fields: othersIn(body, translated) },
  }
}

function systemOf({ system }: CountBody): TextItem[] {
  if (system === undefined || system.length === 0) return []
  return [{ type: 'message', role: 'system', parts: textsOf(system, ['system']) }]
}

function toolsOf(given: readonly Tool[]): TextTool[] {
  const names = new Set<string>()
  return given.map((tool, index) => {
    const path = ['tools', index]
    const read = toolOf(tool, path)
    if (names.has(read.name)) throw refusal([...path, 'name'], `is ${read.name}; an earlier tool has this name.`)
    names.add(read.name)
    return read
  })
}

function toolOf(tool: Tool, path: Path): TextTool {
  if (isHosted(tool)) throw refusal([...path, 'type'], `is ${tool.type}; this model has no hosted tools.`, 'unsupported')
  const { name, description, input_schema: schema, strict } = tool
  if (name === undefined) throw refusal([...path, 'name'], 'is required.', 'required')
  if (schema === undefined) throw refusal([...path, 'input_schema'], 'is required.', 'required')
  return {
    kind: 'function',
    name,
    ...(description == null ? {} : { description }),
    // The cast is safe: the schema comes from JSON.parse, so everything in it is JSON.
    parameters: schema as JsonObject,
    ...(strict == null ? {} : { strict }),
    ...markIn(tool),
  }
}

function choiceOf(choice: CountBody['tool_choice'], tools: readonly TextTool[]): ToolChoice {
  if (tools.length === 0) return { mode: 'none' }
  switch (choice?.type) {
    case 'any':
      return { mode: 'required' }
    case 'tool':
      return choice.name === undefined ? { mode: 'required' } : { mode: 'required', only: [choice.name] }
    case 'none':
      return { mode: 'none' }
    default:
      return { mode: 'auto' }
  }
}

function formatOf({ output_config: config }: CountBody): TextFormat {
  const format = config?.format
  if (format == null) return { type: 'text' }
  if (format.type !== 'json_schema')
    throw refusal(['output_config', 'format', 'type'], `is ${format.type}; it must be json_schema.`, 'unsupported')
  // The cast is safe: the schema comes from JSON.parse, so everything in it is JSON.
  return { type: 'json_schema', name: 'answer', schema: (format.schema ?? {}) as JsonObject, strict: true }
}

/** Returns the reasoning that the body requests; an empty object when the model should think as
 *  it does by default, which is also the meaning of `adaptive` without an effort. */
function reasoningOf({ thinking, output_config: config }: CountBody): Pick<TextRequest, 'reasoning'> {
  if (thinking?.type === 'disabled') return { reasoning: { effort: 'none' } }
  const effort = config?.effort ?? undefined
  const budgetTokens = thinking?.type === 'enabled' ? thinking.budget_tokens : undefined
  if (effort === undefined && budgetTokens === undefined) return {}
  return {
    reasoning: {
      effort: effort ?? effortOf(budgetTokens ?? 0),
      ...(budgetTokens === undefined ? {} : { budgetTokens }),
    },
  }
}
