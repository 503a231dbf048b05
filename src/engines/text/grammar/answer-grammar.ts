/** The grammar of a whole answer: text or JSON, and the tool calls that may be made. */
import { GatewayError } from '../../../core/errors.ts'
import type { TextRequest, TextTool } from '../../../core/requests/text.ts'
import { anyChar, charSetFrom, charSetOf, subtract } from './char-set.ts'
import { charClass, choice, GbnfRules, literal } from './gbnf.ts'
import { anyObject, anyString, schemaToGbnf } from './json-schema.ts'
import { larkToGbnf } from './lark.ts'
import { patternInJson } from './pattern.ts'
import { parseRegex } from './regex.ts'

/** How a call begins and ends in the text of the model. Between them stands `{"name": "…", "arguments": {…}}`, or `"input": "…"` for a custom tool. */
export const callStart = '<tool_call>'
export const callEnd = '</tool_call>'

/** What an answer may begin with in place of the marks when the model is free to call: models trained on code mean a call by it. */
export const fenceStart = '```json\n'
export const fenceEnd = '\n```'

/** Characters of the grammars of all tools together: each is read in full before the answer begins. */
const longestGrammars = 64_000

/** Calls in one answer at most, when several are allowed. */
const mostCalls = 8

/** The tools that may be called: none, the declared ones, or those of them that `only` names. */
export function callableTools({ tools, toolChoice }: TextRequest): TextTool[] {
  if (toolChoice.mode === 'none') return []
  return toolChoice.only ? tools.filter(tool => toolChoice.only?.includes(tool.name)) : tools
}

/** GBNF text that every answer to the request fits; undefined when any text will do.
 *  Throws `invalid_request` naming what a schema or grammar uses that cannot be held exactly. */
export function answerGrammar(request: TextRequest): string | undefined {
  const rules = new GbnfRules()
  const tools = callableTools(request)
  refuseLong(tools)
  const body = bodyOf(request, rules)
  if (tools.length === 0) return body === undefined ? undefined : rules.render(body)
  const written = rules.add(
    'written',
    choice(tools.map(tool => `${literal(`{"name": ${JSON.stringify(tool.name)}, `)} ${inputOf(tool, rules)} "}"`)),
  )
  const calls = callsOf(request, written, rules)
  if (request.toolChoice.mode === 'required') return rules.render(calls)
  const fenced = `${literal(fenceStart)} ${written} ${literal(fenceEnd)}`
  return rules.render(body === undefined ? `${textThenCalls(calls, rules)} | ${fenced}` : `${body} | ${calls}`)
}

function refuseLong(tools: readonly TextTool[]): void {
  const length = tools.reduce((sum, tool) => sum + (tool.kind === 'custom' ? (tool.grammar?.definition.length ?? 0) : 0), 0)
  if (length > longestGrammars)
    throw new GatewayError('invalid_request', `The grammars of the tools have ${length} characters; at most ${longestGrammars}.`, {
      field: 'tools',
    })
}

function bodyOf({ format }: TextRequest, rules: GbnfRules): string | undefined {
  if (format.type === 'text') return undefined
  return format.type === 'json_object' ? anyObject(rules) : schemaToGbnf(format.schema, rules, `The schema ${format.name}`)
}

function callsOf({ parallelToolCalls, toolChoice }: TextRequest, written: string, rules: GbnfRules): string {
  const call = rules.add('call', `${literal(`${callStart}\n`)} ${written} ${literal(`\n${callEnd}`)}`)
  // A tool that is forced by its name is called once.
  const isForced = toolChoice.mode === 'required' && toolChoice.only?.length === 1
  return parallelToolCalls && !isForced ? `${call} ("\\n" ${call}){0,${mostCalls - 1}}` : call
}

function inputOf(tool: TextTool, rules: GbnfRules): string {
  if (tool.kind === 'function') {
    const schema = tool.parameters ?? { type: 'object', properties: {}, additionalProperties: false }
    const held = schema.type === undefined ? { ...schema, type: 'object' } : schema
    return `"\\"arguments\\": " ${rules.add('arguments', schemaToGbnf(held, rules, `The parameters of tool ${tool.name}`))}`
  }
  if (!tool.grammar) return `"\\"input\\": " ${anyString(rules)}`
  const { syntax, definition } = tool.grammar
  const where = `The grammar of tool ${tool.name}`
  const text =
    syntax === 'lark'
      ? larkToGbnf(definition, rules, where)
      : patternInJson(parseRegex(definition, 'whole', where), { where, budget: rules.budget })
  return `"\\"input\\": \\"" ${rules.add('input', text)} "\\""`
}

/** Free text in which `<tool_call>` never stands, perhaps followed by calls. One rule for each letter of the mark that is already written;
 *  the mark's first letter stands nowhere else in it, so a letter that breaks it off leads back to the first or the second rule. */
function textThenCalls(calls: string, rules: GbnfRules): string {
  const names = [...callStart].map((_, index) => rules.reserve(`text${index}`))
  const [begin = '', second = ''] = names
  const first = callStart.charAt(0)
  for (const [index, name] of names.entries()) {
    const expected = callStart.charAt(index)
    const options = ['""', `${charClass(subtract(anyText, charSetFrom(first + expected)))} ${begin}`]
    const next = names[index + 1]
    if (index === 0) options.push(calls)
    else options.push(`${literal(first)} ${second}`)
    if (next !== undefined) options.push(`${literal(expected)} ${next}`)
    rules.set(name, options.join(' | '))
  }
  return `"" | ${calls} | ${charClass(subtract(anyText, charSetFrom(first + neverFirst)))} ${begin} | ${literal(first)} ${second}`
}

/** With tools at hand, text does not begin with these: a model that means a call but forgets its mark would write bare JSON. */
const neverFirst = '{`'

const anyText = charSetOf([...anyChar, [0x7f, 0x9f]])
