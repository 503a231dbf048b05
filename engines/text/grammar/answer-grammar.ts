/** Builds the grammar of a whole answer: text or JSON, and the possible tool calls. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextRequest, TextTool } from '@generation-gateway/kit/requests/text.ts'
import { type CallForm, callEnd, callStart, fence, objectOpenings } from './call-openings.ts'
import { choice, GbnfRules, literal, repeat } from './gbnf.ts'
import { anyObject, anyString } from './json-any.ts'
import { schemaToGbnf } from './json-schema.ts'
import { larkToGbnf } from './lark.ts'
import { patternInJson } from './pattern.ts'
import { parseRegex } from './regex.ts'
import { textThenCalls } from './text-rules.ts'

/** Largest number of characters in the grammars (Lark or regular expressions) of all custom
 *  tools together. They are converted and parsed before the answer begins, so longer ones would
 *  delay it. */
const longestGrammars = 64_000

/** Largest number of calls in one answer, when parallel calls are allowed. */
const mostCalls = 8

/** Returns the tools that may be called: no tool, all declared tools, or the tools that
 *  `toolChoice.only` names. */
export function callableTools({ tools, toolChoice }: TextRequest): TextTool[] {
  if (toolChoice.mode === 'none') return []
  return toolChoice.only ? tools.filter(tool => toolChoice.only?.includes(tool.name)) : tools
}

/** True when a call can only begin with the call mark. The mark is needed when an answer without a
 *  call is itself JSON, and when a call is required. */
export function isMarkedOnly({ format, toolChoice }: TextRequest): boolean {
  return format.type !== 'text' || toolChoice.mode === 'required'
}

/** Returns a GBNF grammar that every allowed answer matches; undefined when any text is allowed.
 *  Throws `invalid_request` when a part of a schema or grammar must be enforced exactly but cannot
 *  be; the message names that part. */
export function answerGrammar(request: TextRequest): string | undefined {
  const tools = callableTools(request)
  const isMarked = isMarkedOnly(request)
  const rules = new GbnfRules(isMarked || tools.length === 0 ? 'one line' : 'any lines')
  refuseLong(tools)
  const body = bodyOf(request, rules)
  if (tools.length === 0) return body === undefined ? undefined : rules.render(body)
  const inputs = new Map(tools.map(tool => [tool.name, inputOf(tool, rules)]))
  const written = rules.add(
    'written',
    `"{"${rules.space} "\\"name\\"" ${rules.colon} ${choice(tools.map(tool => namedCall(tool, inputs, rules)))}${rules.space} "}"`,
  )
  const most = mostCallsOf(request)
  const calls = markedCalls(written, most, rules)
  if (request.toolChoice.mode === 'required') return rules.render(`${literal(callStart)} ${calls}`)
  if (body !== undefined) return rules.render(`${body} | ${literal(callStart)} ${calls}`)
  const behind = behindCall(written, most, rules)
  const from = ({ tool, depth }: CallForm): string => `${inputs.get(tool.name)} ${repeat(`${rules.space} "}"`, depth, depth)} ${behind}`
  return rules.render(textThenCalls(rules, { openings: objectOpenings(tools), from, marked: calls }))
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
  return format.type === 'json_object'
    ? anyObject(rules)
    : schemaToGbnf(format.schema, rules, { where: `The schema ${format.name}`, isExact: format.strict === true })
}

function mostCallsOf({ parallelToolCalls, toolChoice }: TextRequest): number {
  // When a single tool is required by name, exactly one call is made.
  const isForced = toolChoice.mode === 'required' && toolChoice.only?.length === 1
  return parallelToolCalls && !isForced ? mostCalls : 1
}

function namedCall(tool: TextTool, inputs: ReadonlyMap<string, string>, rules: GbnfRules): string {
  const member = tool.kind === 'function' ? '"\\"arguments\\""' : '"\\"input\\""'
  return `${literal(JSON.stringify(tool.name))} ${rules.comma} ${member} ${rules.colon} ${inputs.get(tool.name)}`
}

/** Returns the rule for the text after the mark that begins the first call. */
function markedCalls(written: string, most: number, rules: GbnfRules): string {
  const call = rules.add('call', `"\\n" ${written} ${literal(`\n${callEnd}`)}`)
  return `${call} ${repeat(`"\\n" ${literal(callStart)} ${call}`, 0, most - 1)}`
}

/** Returns the rule for the text after a call that began without the call mark. The list or code
 *  fence of the call ends there, or another call follows, in the same fence or a new one. */
function behindCall(written: string, most: number, rules: GbnfRules): string {
  const ticks = literal(fence)
  let behind = ''
  for (let calls = most; calls > 0; calls -= 1) {
    const more = behind === '' ? '' : `${written} ${behind}`
    const inFence = more === '' ? '' : ` ("\\n" "\\n"? ${ticks} "json\\n" ${more})?`
    const same = more === '' ? '' : `("," ${rules.space})? ${more} | `
    behind = rules.add('behind', `${rules.space} (${same}("]"${rules.space})? (${ticks}${inFence})?)`)
  }
  return behind
}

/** Returns the rule for the input of a call: the arguments of a function as a JSON object, or the
 *  text of a custom tool as a JSON string. */
function inputOf(tool: TextTool, rules: GbnfRules): string {
  if (tool.kind === 'function') {
    const where = `The parameters of tool ${tool.name}`
    const schema = tool.parameters ?? { type: 'object', properties: {}, additionalProperties: false }
    const { type = 'object' } = schema
    if (type !== 'object' && !(Array.isArray(type) && type.includes('object')))
      throw new GatewayError('invalid_request', `${where} are of type ${JSON.stringify(type)}; they must be an object.`, { field: 'tools' })
    return rules.add('arguments', schemaToGbnf({ ...schema, type: 'object' }, rules, { where, isExact: tool.strict === true }))
  }
  if (!tool.grammar) return anyString(rules)
  const { syntax, definition } = tool.grammar
  const where = `The grammar of tool ${tool.name}`
  const text =
    syntax === 'lark'
      ? larkToGbnf(definition, rules, where)
      : patternInJson(parseRegex(definition, 'whole', where), { where, budget: rules.budget })
  return `"\\"" ${rules.add('input', text)} "\\""`
}
