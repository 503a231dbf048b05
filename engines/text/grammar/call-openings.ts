/** How a call may begin in an answer, as an automaton over its characters. The grammar is made
 *  of it and the reader walks it, so that both take the same texts for calls:
 *  `{"name": "f", "arguments": {` with any white space, bare, in a fence, in a list or behind
 *  the mark. */
import type { TextTool } from '@generation-gateway/kit/requests/text.ts'

/** How a call begins and ends where the prompt says how to write one. */
export const callStart = '<tool_call>'
export const callEnd = '</tool_call>'

export const fence = '```'
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const spaces = ' \t\r\n'

/** A call from where its input begins. */
export interface CallForm {
  tool: TextTool
  /** What the input is written as: a JSON object, or a JSON string of raw text. */
  input: 'object' | 'string'
  /** Objects that are to be closed behind it. */
  depth: number
}

export interface OpeningNode {
  /** White space may stand here in any amount. */
  hasSpace: boolean
  next: Map<string, OpeningNode>
  /** The place behind any other character of a name. */
  other?: OpeningNode
  /** What begins at this character, which is part of it. `unnamed`: arguments whose tool is
   *  named behind them; `undeclared`: those of a tool there is not. */
  opens?: { char: string; form: CallForm | 'unnamed' | 'undeclared' }
  /** What was opened right here: it ends with this text behind the call. */
  closer?: string
  /** A declared tool was named on the way, or one that was not. */
  isNamed: boolean
  isUndeclared: boolean
}

/** What may stand behind the `{` of a call whose name comes first. */
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
    // As the prompt declares it.
    follow(named, [',', '"arguments"', ':', '{', '"input"', ':']).opens = { char: '"', form: { tool, input: 'string', depth: 2 } }
  }
  return start
}

export interface OpeningOptions {
  /** Only the mark begins a call: other JSON is the answer itself. */
  isMarked?: boolean
  /** Also calls of tools that were not declared. */
  withUndeclared?: boolean
}

/** Where text becomes a call. */
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

/** What may stand behind arguments that came before their tool. */
export function namesBehind(tools: readonly TextTool[]): OpeningNode {
  const start = opening(true)
  for (const tool of tools) {
    if (mayComeUnnamed(tool))
      follow(start, [',', '"name"', ':', JSON.stringify(tool.name)]).opens = { char: '}', form: { tool, input: 'object', depth: 1 } }
  }
  return start
}

/** The place behind this character; undefined when no call can begin so. */
export function stepFrom(from: OpeningNode, char: string): OpeningNode | undefined {
  return from.next.get(char) ?? (from.hasSpace && spaces.includes(char) ? from : from.other)
}

/** A strict tool is named before its arguments: only then the grammar holds these. */
function mayComeUnnamed(tool: TextTool): boolean {
  return tool.kind === 'function' && tool.strict !== true
}

/** Lets every name that is not declared lead to a call of its own kind. */
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
