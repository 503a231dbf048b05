/** An automaton over characters that recognises how a tool call begins:
 *  `{"name": "f", "arguments": {` with any white space, which may stand alone, in a code fence,
 *  in a list, or after the call mark. The grammar is derived from this automaton, and the reader
 *  of answers follows it. Only the reader also recognises calls of undeclared tools, and
 *  arguments before the name. */
import type { TextTool } from '@generation-gateway/kit/requests/text.ts'

/** Marks around a call, as the prompt tells the model to write them. */
export const callStart = '<tool_call>'
export const callEnd = '</tool_call>'

export const fence = '```'
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const spaces = ' \t\r\n'

/** The form of the rest of a tool call after its beginning: the input and the end. */
export interface CallForm {
  tool: TextTool
  /** Form of the input: `object` is a JSON object, `string` a JSON string that contains raw
   *  text. */
  input: 'object' | 'string'
  /** Number of JSON objects that are still open after the input and must be closed. */
  depth: number
}

export interface OpeningNode {
  /** True when white space is allowed at this point. */
  hasSpace: boolean
  next: Map<string, OpeningNode>
  /** The next node for any character that `next` does not have. Only names of undeclared tools need
   *  it. */
  other?: OpeningNode
  /** Set where the input of a call may begin; `char` is its first character. `unnamed` stands for
   *  arguments that come before the tool's name, `undeclared` for the input of an undeclared
   *  tool. */
  opens?: { char: string; form: CallForm | 'unnamed' | 'undeclared' }
  /** Text that must follow the call. Set when a wrapper (list or code fence) begins at this
   *  node. */
  closer?: string
  /** True when the name of a tool has been read on the way to this node. */
  isNamed: boolean
  isUndeclared: boolean
}

/** Returns the automaton for the text after the `{` of a call whose name comes first. */
export function objectOpenings(tools: readonly TextTool[]): OpeningNode {
  const start = opening(true)
  for (const tool of tools) {
    const named = follow(start, ['"name"', ':', JSON.stringify(tool.name)])
    named.isNamed = true
    if (tool.kind === 'function') {
      follow(named, [',', '"arguments"', ':']).opens = { char: '{', form: { tool, input: 'object', depth: 1 } }
      continue
    }
    follow(named, [',', '"input"', ':']).opens = { char: '"', form: { tool, input: 'string', depth: 1 } }
    // The prompt declares a custom tool as a function with one argument, `input`, so a model may
    // also write a call in the form `"arguments": {"input": "..."}`.
    follow(named, [',', '"arguments"', ':', '{', '"input"', ':']).opens = { char: '"', form: { tool, input: 'string', depth: 2 } }
  }
  return start
}

export interface OpeningOptions {
  /** True when a call can begin only with the call mark, because other JSON in the answer is the
   *  answer itself. */
  isMarked?: boolean
  /** True when calls of undeclared tools are recognised as well. */
  withUndeclared?: boolean
}

/** Returns the automaton that recognises where a call begins in an answer. */
export function callOpenings(tools: readonly TextTool[], { isMarked, withUndeclared }: OpeningOptions): OpeningNode {
  const object = objectOpenings(tools)
  if (withUndeclared) addUndeclared(object)
  if (tools.some(mayComeUnnamed)) follow(object, ['"arguments"', ':']).opens = { char: '{', form: 'unnamed' }
  const marked = { ...opening(true), closer: callEnd, next: new Map([['{', object]]) }
  const start = opening(false)
  addText(start, callStart, marked)
  if (isMarked) return start
  const list = { ...opening(true), closer: ']', next: new Map([['{', object]]) }
  const fenced = opening(true)
  addText(fenced, callStart, marked)
  const language = opening(false)
  for (const char of letters) language.next.set(char, language)
  const ticks = { ...opening(false), closer: fence, next: new Map([...letters].map(char => [char, language])) }
  for (const char of spaces) for (const from of [ticks, language]) from.next.set(char, fenced)
  addText(start, fence, ticks)
  for (const from of [start, ticks, fenced]) from.next.set('{', object).set('[', list)
  return start
}

/** Returns the automaton for the text after arguments that came before their tool's name. */
export function namesBehind(tools: readonly TextTool[]): OpeningNode {
  const start = opening(true)
  for (const tool of tools) {
    if (mayComeUnnamed(tool))
      follow(start, [',', '"name"', ':', JSON.stringify(tool.name)]).opens = { char: '}', form: { tool, input: 'object', depth: 1 } }
  }
  return start
}

/** Returns the node that follows `from` for a character; undefined when no call begins in this
 *  way. */
export function stepFrom(from: OpeningNode, char: string): OpeningNode | undefined {
  return from.next.get(char) ?? (from.hasSpace && spaces.includes(char) ? from : from.other)
}

/** True when the arguments of a call may come before the tool's name. False for a strict tool,
 *  because the grammar can enforce the arguments only if it knows the tool. */
function mayComeUnnamed(tool: TextTool): boolean {
  return tool.kind === 'function' && tool.strict !== true
}

/** Adds transitions for all names that no declared tool has. The transitions lead to the form
 *  `undeclared`. */
function addUndeclared(object: OpeningNode): void {
  const inName = { ...opening(false), isUndeclared: true }
  inName.other = inName
  follow(inName, ['"', ',', '"arguments"', ':']).opens = { char: '{', form: 'undeclared' }
  const behind = inName.next.get('"')
  const names = follow(object, ['"name"', ':']).next.get('"')
  const open = names ? [names] : []
  for (const place of open) {
    place.other = inName
    for (const [char, next] of place.next) if (char !== '"') open.push(next)
    if (behind && !place.next.has('"')) place.next.set('"', behind)
  }
}

function follow(from: OpeningNode, tokens: readonly string[]): OpeningNode {
  let at = from
  for (const token of tokens) {
    for (const char of token) {
      const next = at.next.get(char) ?? { ...opening(false), isNamed: at.isNamed, isUndeclared: at.isUndeclared }
      at.next.set(char, next)
      at = next
    }
    at.hasSpace = true
  }
  return at
}

function addText(from: OpeningNode, text: string, end: OpeningNode): void {
  const last = [...text.slice(0, -1)].reduce((at, char) => {
    const next = at.next.get(char) ?? opening(false)
    at.next.set(char, next)
    return next
  }, from)
  last.next.set(text.slice(-1), end)
}

function opening(hasSpace: boolean): OpeningNode {
  return { hasSpace, next: new Map(), isNamed: false, isUndeclared: false }
}
