/** Reads tools, the choice among them and the form of the answer: to neutral, and to what the response echoes. */
import type { TextFormat, TextTool, ToolChoice, ToolGrammar, Verbosity } from '../../core/requests/text.ts'
import type { Json, JsonObject } from '../../core/task.ts'
import { isObject, objectAt, optionalTextAt, refuse, shown, textAt, wordAt } from './refuse.ts'

/** Something read from the body: what the model is asked, and how the response repeats it. */
export interface Read<Neutral> {
  neutral: Neutral
  echo: Json
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/
const modes = ['auto', 'required'] as const
const syntaxes = ['lark', 'regex'] as const
const verbosities: readonly Verbosity[] = ['low', 'medium', 'high']

/** Throws `invalid_request` for hosted tools, bad names and names that come twice. */
export function readTools(tools: readonly Json[]): Read<TextTool[]> {
  const read = tools.map((tool, index) => readTool(objectAt(tool, `tools[${index}]`), `tools[${index}]`))
  const names = new Set<string>()
  for (const [index, { neutral }] of read.entries()) {
    if (names.has(neutral.name))
      throw refuse(`tools[${index}].name`, `tools[${index}].name is ${neutral.name}, like that of a tool before it.`)
    names.add(neutral.name)
  }
  return { neutral: read.map(tool => tool.neutral), echo: read.map(tool => tool.echo) }
}

function readTool(tool: JsonObject, field: string): Read<TextTool> {
  const type = textAt(tool, 'type', field)
  if (type !== 'function' && type !== 'custom') {
    throw refuse(`${field}.type`, `${field}.type is ${shown(type)}; tools of type function and custom are offered.`, 'unsupported')
  }
  const name = textAt(tool, 'name', field)
  if (!toolName.test(name)) {
    throw refuse(`${field}.name`, `${field}.name is ${shown(name)}; it must have 1 to 64 letters, digits, underscores and hyphens.`)
  }
  const description = optionalTextAt(tool, 'description', field)
  return type === 'function' ? readFunction(tool, field, { name, description }) : readCustom(tool, field, { name, description })
}

interface Named {
  name: string
  description: string | undefined
}

function readFunction(tool: JsonObject, field: string, { name, description }: Named): Read<TextTool> {
  const parameters = tool.parameters === undefined || tool.parameters === null ? null : objectAt(tool.parameters, `${field}.parameters`)
  const strict = readFlag(tool.strict, `${field}.strict`)
  return {
    neutral: { kind: 'function', name, ...(description === undefined ? {} : { description }), parameters, strict },
    echo: { type: 'function', name, description: description ?? null, parameters, strict },
  }
}

/** A grammar stands flat here and nested in chat; both are taken in both (vendors-text-audio 3.9.2). */
function readCustom(tool: JsonObject, field: string, { name, description }: Named): Read<TextTool> {
  const grammar = readGrammar(tool.format, `${field}.format`)
  return {
    neutral: { kind: 'custom', name, ...(description === undefined ? {} : { description }), ...(grammar ? { grammar } : {}) },
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

/** Checks that every tool the choice names is declared. */
export function readToolChoice(value: Json | undefined, tools: readonly TextTool[]): Read<ToolChoice> {
  if (value === undefined || value === null) return { neutral: { mode: 'auto' }, echo: 'auto' }
  if (value === 'auto' || value === 'none') return { neutral: { mode: value }, echo: value }
  if (value === 'required') {
    if (tools.length === 0) throw refuse('tool_choice', 'tool_choice is required, but no tools are declared.')
    return { neutral: { mode: 'required' }, echo: value }
  }
  if (!isObject(value)) {
    throw refuse('tool_choice', `tool_choice is ${shown(value)}; it must be none, auto, required or an object.`, 'unsupported')
  }
  return value.type === 'allowed_tools' ? readAllowedTools(value, tools) : readForcedTool(value, tools)
}

function readForcedTool(choice: JsonObject, tools: readonly TextTool[]): Read<ToolChoice> {
  const { type, name } = namedTool(choice, 'tool_choice', tools)
  return { neutral: { mode: 'required', only: [name] }, echo: { type, name } }
}

function readAllowedTools(choice: JsonObject, tools: readonly TextTool[]): Read<ToolChoice> {
  const nested = isObject(choice.allowed_tools)
  const field = nested ? 'tool_choice.allowed_tools' : 'tool_choice'
  const allowed = nested ? objectAt(choice.allowed_tools, field) : choice
  const mode = wordAt(allowed, 'mode', field, modes)
  if (!Array.isArray(allowed.tools) || allowed.tools.length === 0) {
    throw refuse('tool_choice', `${field}.tools must be a list with at least one tool.`)
  }
  const named = allowed.tools.map((tool, index) => namedTool(objectAt(tool, `${field}.tools[${index}]`), `${field}.tools[${index}]`, tools))
  return { neutral: { mode, only: named.map(tool => tool.name) }, echo: { type: 'allowed_tools', mode, tools: named } }
}

/** A tool named flat, or in the way of chat (`function.name`, `custom.name`). */
function namedTool(choice: JsonObject, field: string, tools: readonly TextTool[]): { type: 'function' | 'custom'; name: string } {
  const type = wordAt(choice, 'type', field, ['function', 'custom'])
  const inner = choice[type]
  const name = isObject(inner) ? textAt(inner, 'name', `${field}.${type}`) : textAt(choice, 'name', field)
  if (tools.some(tool => tool.kind === type && tool.name === name)) return { type, name }
  throw refuse('tool_choice', `${field} names the ${type} ${shown(name)}, which tools does not declare.`)
}

/** `text`: the form of the answer and how wordy it is. */
export function readTextOptions(text: JsonObject): Read<{ format: TextFormat; verbosity?: Verbosity }> {
  const { neutral: format, echo } = readFormat(text.format)
  if (text.verbosity === undefined || text.verbosity === null) return { neutral: { format }, echo: { format: echo, verbosity: 'medium' } }
  const verbosity = wordAt(text, 'verbosity', 'text', verbosities)
  return { neutral: { format, verbosity }, echo: { format: echo, verbosity } }
}

function readFormat(value: Json | undefined): Read<TextFormat> {
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
    neutral: { type, name, schema, strict, ...(description === undefined ? {} : { description }) },
    echo: { type, name, description: description ?? null, schema, strict },
  }
}

function readFlag(value: Json | undefined, field: string): boolean | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value
  throw refuse(field, `${field} is ${shown(value)}; it must be true or false.`, 'type')
}
