/** Plans how the tools of a request are declared to an upstream, and which rules the model's tool
 *  calls must follow (table in docs/vendors/openai-chat.md#emulation). */

import { defined } from '@generation-gateway/kit/defined.ts'
import type { TextRequest, TextTool, ToolChoice, ToolGrammar, ToolKind } from '@generation-gateway/kit/requests/text.ts'
import type { Dialect } from './text-target.ts'

export interface ToolPlan {
  /** The tools in the form in which they are declared upstream. */
  tools: TextTool[]
  choice: ToolChoice
  /** Names of custom tools that are declared as functions with one text member `input`, because the
   *  upstream knows no custom tools. */
  wrapped: ReadonlySet<string>
  /** Names of the tools that may be called; undefined allows all. */
  allowed: ReadonlySet<string> | undefined
  /** Regular expressions by tool name, as the caller wrote them: the whole input of a wrapped tool
   *  must match its expression. `tool-patterns.ts` compiles them. */
  patterns: ReadonlyMap<string, string>
  /** True when an answer may contain at most one tool call. */
  onlyFirst: boolean
}

export function planTools(request: TextRequest, dialect: Dialect): ToolPlan {
  const { tools, toolChoice } = request
  const allowed = toolChoice.mode === 'none' ? new Set<string>() : toolChoice.only === undefined ? undefined : new Set(toolChoice.only)
  const plan = { allowed, onlyFirst: !request.parallelToolCalls }
  if (dialect === 'openai') return { ...plan, tools, choice: toolChoice, wrapped: new Set(), patterns: new Map() }
  const choice = plainChoice(toolChoice)
  // Some services refuse earlier calls of tools that are not declared. So when the tool choice
  // itself keeps the model from calling a tool, the tool is declared nevertheless.
  const isTold = dialect === 'native' && (choice.mode === 'none' || choice.only !== undefined)
  const declared = allowed === undefined || isTold ? tools : tools.filter(tool => allowed.has(tool.name))
  const wrapped = new Set(declared.filter(tool => tool.kind === 'custom').map(tool => tool.name))
  return { ...plan, tools: declared.map(wrap), choice, wrapped, patterns: patternsOf(declared) }
}

/** Returns the JSON arguments that represent the text `input` of a wrapped tool. */
export function wrapInput(input: string): string {
  return JSON.stringify({ input })
}

/** Returns a function that maps the name of a tool to its kind. When several tools have the same
 *  name, the first one counts. An unknown name counts as a function. */
export function kindsOf(tools: readonly TextTool[]): (name: string) => ToolKind {
  const kinds = new Map<string, ToolKind>()
  for (const { name, kind } of tools) if (!kinds.has(name)) kinds.set(name, kind)
  return name => kinds.get(name) ?? 'function'
}

/** Returns the tool choice in a form that every upstream supports. Every upstream can force a call
 *  of one given tool. When the request allows several tools, only those are declared, and the
 *  choice names none of them. */
function plainChoice({ mode, only }: ToolChoice): ToolChoice {
  return mode === 'required' && only?.length === 1 ? { mode, only } : { mode }
}

function wrap(tool: TextTool): TextTool {
  if (tool.kind === 'function') return tool
  const hints = [tool.description, 'Put the raw text for this tool into `input`, with nothing around it.', grammarHint(tool.grammar)]
  return {
    kind: 'function',
    name: tool.name,
    description: hints.filter(hint => hint !== undefined && hint !== '').join('\n\n'),
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The raw text.' } },
      required: ['input'],
      additionalProperties: false,
    },
    ...defined({ cacheControl: tool.cacheControl }),
  }
}

function grammarHint(grammar: ToolGrammar | undefined): string | undefined {
  if (grammar === undefined) return undefined
  return grammar.syntax === 'regex'
    ? `The whole text has to match this regular expression:\n${grammar.definition}`
    : `The text has to follow this grammar (Lark notation):\n${grammar.definition}`
}

/** Returns the regular expressions of custom tools. Grammars in Lark syntax are not checked. */
function patternsOf(tools: readonly TextTool[]): Map<string, string> {
  return new Map(
    tools.flatMap(tool =>
      tool.kind === 'custom' && tool.grammar?.syntax === 'regex' ? [[tool.name, tool.grammar.definition] as const] : [],
    ),
  )
}
