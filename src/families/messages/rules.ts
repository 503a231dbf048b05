/** Rules that involve several fields of a body. They also check relayed bodies. */
import { type JsonObject, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Rule } from '../../contract/operation.ts'
import type { CountBody, Tool } from './schema.ts'

/** Returns true for a hosted tool, which only an upstream of this protocol can run. One hosted tool
 *  may provide several tools with other names, so `tool_choice` may name a tool that is not in the
 *  body. */
export function isHosted({ type }: Pick<Tool, 'type'>): boolean {
  return type != null && type !== 'custom'
}

/** Returns true for a body that requests a hosted tool, a container or an MCP server. Only an
 *  upstream of the Messages protocol can serve such a body; it cannot be translated. */
export function needsMessages(body: JsonObject): boolean {
  return objectsOf(body.tools).some(tool => isHosted({ type: textOf(tool.type) ?? null })) || unofferedIn(body) !== undefined
}

/** Members of a body that name containers and servers which only an upstream of this protocol can
 *  use. */
const unoffered = ['container', 'mcp_servers']

/** Returns the name of the first member in `unoffered` that has a value other than null or an empty
 *  list; undefined when none has. */
export function unofferedIn(body: object): string | undefined {
  return unoffered.find(name => {
    const value: unknown = Reflect.get(body, name)
    return value != null && !(Array.isArray(value) && value.length === 0)
  })
}

type Checked = Pick<CountBody, 'tools' | 'tool_choice' | 'thinking' | 'output_config'>

export const messagesRules: Rule<Checked>[] = [
  {
    id: 'tool-choice-name',
    says: 'tool_choice.name is required when the type is tool.',
    field: 'tool_choice.name',
    holds: ({ tool_choice: choice }) => choice?.type !== 'tool' || choice.name !== undefined,
  },
  {
    id: 'tool-choice-declared',
    says: 'tool_choice names a tool that is declared in tools.',
    field: 'tool_choice.name',
    holds: ({ tool_choice: choice, tools }) =>
      choice?.type !== 'tool' || choice.name === undefined || (tools ?? []).some(tool => tool.name === choice.name || isHosted(tool)),
    explain: ({ tool_choice: choice }) => `tool_choice names the tool ${choice?.name}, which tools does not declare.`,
  },
  {
    id: 'tool-choice-tools',
    says: 'tool_choice of type any needs a tool in tools.',
    field: 'tool_choice',
    holds: ({ tool_choice: choice, tools }) => choice?.type !== 'any' || (tools ?? []).length > 0,
  },
  {
    id: 'thinking-budget',
    says: 'thinking.budget_tokens is required when the type is enabled.',
    field: 'thinking.budget_tokens',
    holds: ({ thinking }) => thinking?.type !== 'enabled' || thinking.budget_tokens !== undefined,
  },
  {
    id: 'schema-required',
    says: 'output_config.format.schema is required when the type is json_schema.',
    field: 'output_config.format.schema',
    holds: ({ output_config: config }) => config?.format?.type !== 'json_schema' || config.format.schema !== undefined,
  },
]
