/** Translates the functions of a body, and the setting that says which of them the model may or
 *  must call. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { type JsonObject, objectsOf } from '@generation-gateway/kit/json.ts'
import type { TextTool, ToolChoice } from '@generation-gateway/kit/requests/text.ts'
import { type Path, refusal } from '../shared/refusal.ts'
import { jsonSchemaOf } from './json-schema.ts'
import type { Conversation } from './schema.ts'

/** Returns the functions. Throws `invalid_request` for a hosted tool, which only a target of this
 *  protocol may have, and for a name that occurs twice. */
export function toolsOf({ tools = [] }: Conversation, path: Path): TextTool[] {
  const names = new Set<string>()
  return tools.flatMap((tool, index) => {
    const place = [...path, 'tools', index]
    const hosted = hostedIn(tool)
    if (hosted !== undefined) throw refusal([...place, hosted], 'is not offered: this model has no hosted tools.', 'unsupported')
    return (tool.functionDeclarations ?? []).map(({ name, description, parameters, parametersJsonSchema }, at): TextTool => {
      if (names.has(name)) throw refusal([...place, 'functionDeclarations', at, 'name'], `is ${name}; an earlier function has this name.`)
      names.add(name)
      const schema = parametersJsonSchema ?? (parameters && jsonSchemaOf(parameters))
      return { kind: 'function', name, ...defined({ description, parameters: schema }) }
    })
  })
}

/** Returns true for a body that asks for a tool which the upstream itself runs. No translation
 *  accepts such a body. */
export function needsGemini({ tools }: JsonObject): boolean {
  return objectsOf(tools).some(tool => hostedIn(tool) !== undefined)
}

/** Returns the name of the first hosted tool; undefined when there are only functions. */
function hostedIn(tool: object): string | undefined {
  return Object.entries(tool).find(([name, value]) => name !== 'functionDeclarations' && value !== null)?.[0]
}

export function choiceOf({ toolConfig }: Conversation, tools: readonly TextTool[], path: Path): ToolChoice {
  if (tools.length === 0) return { mode: 'none' }
  const { mode = 'AUTO', allowedFunctionNames: allowed = [] } = toolConfig?.functionCallingConfig ?? {}
  const only = allowed.length === 0 ? {} : { only: [...new Set(allowed)] }
  switch (mode.toUpperCase()) {
    case 'MODE_UNSPECIFIED':
    case 'AUTO':
      return { mode: 'auto' }
    case 'VALIDATED':
      return { mode: 'auto', ...only }
    case 'ANY':
      return { mode: 'required', ...only }
    case 'NONE':
      return { mode: 'none' }
    default:
      throw refusal(
        [...path, 'toolConfig', 'functionCallingConfig', 'mode'],
        `is ${JSON.stringify(mode.slice(0, 100))}; it must be AUTO, ANY, NONE or VALIDATED.`,
        'unsupported',
      )
  }
}
