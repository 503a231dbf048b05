/** Rules that involve several fields of a chat body. The rules also check relayed bodies, so
 *  each check must be fast. */
import type { Rule } from '../../contract/operation.ts'
import type { ChatBody, ToolChoiceBody } from './schema.ts'

export const chatRules: Rule<ChatBody>[] = [
  {
    id: 'tool-choice-declared',
    says: 'tool_choice and every entry of allowed_tools name a tool that is declared in tools, with its type.',
    field: 'tool_choice',
    holds: body => undeclaredChoice(body) === undefined,
    explain: body => undeclaredChoice(body) ?? '',
  },
  {
    id: 'function-call-declared',
    says: 'function_call names a function that is declared in functions.',
    field: 'function_call',
    holds: ({ function_call: choice, functions }) =>
      typeof choice !== 'object' || choice === null || (functions ?? []).some(declared => declared.name === choice.name),
  },
  {
    id: 'functions-or-tools',
    says: 'functions is the older form of tools: send one of them.',
    field: 'functions',
    source: 'ours',
    holds: body => !body.functions?.length || !body.tools?.length,
  },
  {
    id: 'json-schema-required',
    says: 'response_format.json_schema is required when the type is json_schema.',
    field: 'response_format.json_schema',
    holds: ({ response_format: format }) => format?.type !== 'json_schema' || format.json_schema !== undefined,
  },
  {
    id: 'stream-options',
    says: 'stream_options is only for stream true.',
    field: 'stream_options',
    holds: body => body.stream_options == null || body.stream === true,
  },
  {
    id: 'top-logprobs',
    says: 'top_logprobs is only for logprobs true.',
    field: 'top_logprobs',
    holds: body => !body.top_logprobs || body.logprobs === true,
  },
  {
    id: 'one-token-limit',
    says: 'max_tokens is the older name of max_completion_tokens: send one of them, or both with the same value.',
    field: 'max_tokens',
    source: 'ours',
    holds: ({ max_tokens: old, max_completion_tokens: limit }) => old == null || limit == null || old === limit,
  },
  {
    id: 'metadata-names',
    says: 'Names in metadata have at most 64 characters.',
    field: 'metadata',
    explain: () => 'metadata has a name that is too long; at most 64 characters.',
    holds: ({ metadata }) => metadata == null || Object.keys(metadata).every(name => name.length <= 64),
  },
]

/** Returns the type and the name to which a tool choice, or one entry of it, refers; the name is
 *  undefined when there is none. */
export function referenceOf(reference: ToolReference): { kind: string; name: string | undefined } {
  return { kind: reference.type, name: reference.type === 'custom' ? reference.custom?.name : reference.function?.name }
}

type ToolReference = Pick<ToolChoiceBody, 'type' | 'function' | 'custom'>

function undeclaredChoice({ tool_choice: choice, tools }: ChatBody): string | undefined {
  if (choice == null || choice === 'auto' || choice === 'none') return undefined
  const declared = tools ?? []
  if (typeof choice === 'string') return declared.length > 0 ? undefined : 'tool_choice is required, but tools has none.'
  const known = new Set(declared.map(keyOf))
  if (choice.type !== 'allowed_tools') return unknownTool(choice, known)
  if (choice.allowed_tools === undefined) return 'tool_choice.allowed_tools is required when the type is allowed_tools.'
  const { tools: allowed } = choice.allowed_tools
  if (allowed.length === 0) return 'tool_choice.allowed_tools.tools is empty; it must name at least one declared tool.'
  return allowed.map(reference => unknownTool(reference, known)).find(problem => problem !== undefined)
}

function unknownTool(reference: ToolReference, known: ReadonlySet<string>): string | undefined {
  if (known.has(keyOf(reference))) return undefined
  const { kind, name } = referenceOf(reference)
  if (!hasName(kind)) return `tool_choice has the type ${kind}, and no such tool is declared.`
  if (name === undefined) return `tool_choice has the type ${kind}; ${kind}.name is required.`
  return `tool_choice names the ${kind} tool ${name}, which tools does not declare.`
}

/** Returns a key by which references to tools are compared. A tool of a type that only the
 *  upstream knows has no name here, so its key is the type alone. */
function keyOf(reference: ToolReference): string {
  const { kind, name } = referenceOf(reference)
  return hasName(kind) && name !== undefined ? `${kind} ${name}` : kind
}

function hasName(kind: string): boolean {
  return kind === 'function' || kind === 'custom'
}
