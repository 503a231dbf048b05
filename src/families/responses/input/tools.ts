/** Reads the tools and the format of the answer. Returns each in neutral form, and in the form
 *  in which the response object shows it. */

import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextFormat, TextTool, ToolGrammar, Verbosity } from '@generation-gateway/kit/requests/text.ts'
import { isHosted } from './hosted-tools.ts'
import { ToolNames } from './namespaces.ts'
import { objectAt, optionalTextAt, refuse, shown, textAt, wordAt } from './refuse.ts'

/** A value from the body: `neutral` is its form in the neutral request, `echo` the form in which
 *  the response object shows it. */
export interface ParsedField<Neutral> {
  neutral: Neutral
  echo: Json
}

export interface ParsedTools extends ParsedField<TextTool[]> {
  names: ToolNames
  /** Types of the declared hosted tools, each once. Hosted tools are not sent to the model,
   *  because they do not exist in the neutral request. */
  leftOut: string[]
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/
const syntaxes = ['lark', 'regex'] as const
const verbosities: readonly Verbosity[] = ['low', 'medium', 'high']

/** Tools in the form that models get: one tool, or the tools of a namespace; empty for a hosted
 *  tool. */
interface DeclaredTools {
  tools: { tool: TextTool; namespace?: string }[]
  echo: Json[]
}

/** Returns the declared tools. Throws `invalid_request` for unknown types, bad names and names that
 *  occur twice. */
export function readTools(tools: readonly Json[]): ParsedTools {
  const names = new Set<string>()
  const leftOut = new Set<string>()
  const declared = tools.map((value, index): DeclaredTools => {
    const field = `tools[${index}]`
    const tool = objectAt(value, field)
    const type = textAt(tool, 'type', field)
    if (isHosted(type)) {
      leftOut.add(type)
      return { tools: [], echo: [] }
    }
    return type === 'namespace' ? readNamespace(tool, field, names) : readPlain(tool, field, names)
  })
  const echo = declared.flatMap(each => each.echo)
  const flat = new ToolNames(echo)
  const neutral = declared
    .flatMap(each => each.tools)
    .map(({ tool, namespace }) => (namespace === undefined ? tool : { ...tool, name: flat.flat({ name: tool.name, namespace }) }))
  return { neutral, echo, names: flat, leftOut: [...leftOut] }
}

function readPlain(tool: JsonObject, field: string, names: Set<string>): DeclaredTools {
  const { neutral, echo } = readTool(tool, field)
  addName(names, neutral.name, field)
  return { tools: [{ tool: neutral }], echo: [echo] }
}

/** Reads a namespace of tools. The model gets the namespace's description only once, with the
 *  description of its first tool. */
function readNamespace(tool: JsonObject, field: string, names: Set<string>): DeclaredTools {
  const namespace = readName(tool, field)
  const description = optionalTextAt(tool, 'description', field) ?? ''
  if (!Array.isArray(tool.tools) || tool.tools.length === 0) {
    throw refuse(`${field}.tools`, `${field}.tools must be a list with at least one tool.`)
  }
  const read = tool.tools.map((member, index) => {
    const place = `${field}.tools[${index}]`
    const { neutral, echo } = readTool(objectAt(member, place), place)
    addName(names, `${namespace} ${neutral.name}`, place)
    const described = [index === 0 ? description : '', neutral.description ?? ''].filter(text => text !== '').join('\n\n')
    return { tool: described === '' ? neutral : { ...neutral, description: described }, echo }
  })
  return {
    tools: read.map(({ tool: inner }) => ({ tool: inner, namespace })),
    echo: [{ type: 'namespace', name: namespace, description, tools: read.map(({ echo }) => echo) }],
  }
}

function addName(names: Set<string>, name: string, field: string): void {
  if (names.has(name)) throw refuse(`${field}.name`, `${field}.name is ${name}, like that of a tool before it.`)
  names.add(name)
}

function readName(tool: JsonObject, field: string): string {
  const name = textAt(tool, 'name', field)
  if (toolName.test(name)) return name
  throw refuse(`${field}.name`, `${field}.name is ${shown(name)}; it must have 1 to 64 letters, digits, underscores and hyphens.`)
}

function readTool(tool: JsonObject, field: string): ParsedField<TextTool> {
  const type = textAt(tool, 'type', field)
  if (type !== 'function' && type !== 'custom') {
    throw refuse(
      `${field}.type`,
      `${field}.type is ${shown(type)}; tools of type function, custom and namespace are offered.`,
      'unsupported',
    )
  }
  const named = { name: readName(tool, field), description: optionalTextAt(tool, 'description', field) }
  return type === 'function' ? readFunction(tool, field, named) : readCustom(tool, field, named)
}

interface ToolHead {
  name: string
  description: string | undefined
}

function readFunction(tool: JsonObject, field: string, { name, description }: ToolHead): ParsedField<TextTool> {
  const parameters = tool.parameters === undefined || tool.parameters === null ? null : objectAt(tool.parameters, `${field}.parameters`)
  const strict = readFlag(tool.strict, `${field}.strict`)
  return {
    neutral: { kind: 'function', name, ...defined({ description }), parameters, strict },
    echo: { type: 'function', name, description: description ?? null, parameters, strict },
  }
}

/** Reads a custom tool. A grammar is flat in responses and nested in chat; both operations read
 *  both forms (docs/vendors/openai-chat.md#custom-tools). */
function readCustom(tool: JsonObject, field: string, { name, description }: ToolHead): ParsedField<TextTool> {
  const grammar = readGrammar(tool.format, `${field}.format`)
  return {
    neutral: { kind: 'custom', name, ...defined({ description }), ...(grammar ? { grammar } : {}) },
    echo: { type: 'custom', name, description: description ?? null, format: grammar ? { type: 'grammar', ...grammar } : { type: 'text' } },
  }
}

function readGrammar(value: Json | undefined, field: string): ToolGrammar | undefined {
  if (value === undefined || value === null) return undefined
  const format = objectAt(value, field)
  if (wordAt(format, 'type', field, ['text', 'grammar']) === 'text') return undefined
  const nested = isObject(format.grammar)
  const grammar = nested ? objectAt(format.grammar, `${field}.grammar`) : format
  const place = nested ? `${field}.grammar` : field
  return { syntax: wordAt(grammar, 'syntax', place, syntaxes), definition: textAt(grammar, 'definition', place) }
}

/** Reads `text`: the format and the verbosity of the answer. */
export function readTextOptions(text: JsonObject): ParsedField<{ format: TextFormat; verbosity?: Verbosity }> {
  const { neutral: format, echo } = readFormat(text.format)
  if (text.verbosity === undefined || text.verbosity === null) return { neutral: { format }, echo: { format: echo, verbosity: 'medium' } }
  const verbosity = wordAt(text, 'verbosity', 'text', verbosities)
  return { neutral: { format, verbosity }, echo: { format: echo, verbosity } }
}

function readFormat(value: Json | undefined): ParsedField<TextFormat> {
  if (value === undefined || value === null) return { neutral: { type: 'text' }, echo: { type: 'text' } }
  const field = 'text.format'
  const format = objectAt(value, field)
  const type = wordAt(format, 'type', field, ['text', 'json_object', 'json_schema'])
  if (type !== 'json_schema') return { neutral: { type }, echo: { type } }
  const name = textAt(format, 'name', field)
  if (!toolName.test(name)) throw refuse(`${field}.name`, `${field}.name is ${shown(name)}; it must have 1 to 64 letters, digits, _ and -.`)
  const schema = objectAt(format.schema, `${field}.schema`)
  const description = optionalTextAt(format, 'description', field)
  const strict = readFlag(format.strict, `${field}.strict`)
  return {
    neutral: { type, name, schema, strict, ...defined({ description }) },
    echo: { type, name, description: description ?? null, schema, strict },
  }
}

function readFlag(value: Json | undefined, field: string): boolean | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value
  throw refuse(field, `${field} is ${shown(value)}; it must be true or false.`, 'type')
}
