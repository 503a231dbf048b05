/** Converts a conversation to system, user and model turns for the model's chat template. Tool
 *  calls and results become text in the form on which Hermes- and Qwen-style models were trained:
 *  JSON between the marks `<tool_call>` or `<tool_response>`. */

import type { Json } from '@generation-gateway/kit/json.ts'
import type { TextItem, TextPart, TextRequest, TextTool, Verbosity } from '@generation-gateway/kit/requests/text.ts'
import type { ChatHistoryItem } from 'node-llama-cpp'
import { callableTools } from './grammar/answer-grammar.ts'
import { callEnd, callStart } from './grammar/call-openings.ts'

const verbosityLines: Readonly<Record<Verbosity, string>> = {
  low: 'Answer in as few words as the question allows.',
  medium: 'Answer in a few sentences unless more is asked for.',
  high: 'Answer at length, with details and examples.',
}

/** Returns the turns in order; the last one is the empty turn that the model will fill. */
export function chatHistory(request: TextRequest): ChatHistoryItem[] {
  const turns: Turn[] = []
  for (const item of request.items) addItem(turns, item)
  addNotes(turns, notesOf(request))
  return [...turns.map(toHistory), { type: 'model', response: [] }]
}

type Turn = { role: 'system' | 'user' | 'model'; texts: string[] }

function addItem(turns: Turn[], item: TextItem): void {
  if (item.type === 'message') {
    addTurn(turns, item.role === 'assistant' ? 'model' : item.role === 'user' ? 'user' : 'system', textOf(item.parts))
  } else if (item.type === 'call') {
    const member = item.kind === 'custom' ? `"input": ${JSON.stringify(item.input)}` : `"arguments": ${item.input || '{}'}`
    addTurn(turns, 'model', `${callStart}\n{"name": ${JSON.stringify(item.name)}, ${member}}\n${callEnd}`)
  } else if (item.type === 'result') {
    const output = typeof item.output === 'string' ? item.output : textOf(item.output)
    addTurn(turns, 'user', `<tool_response>\n${output}\n</tool_response>`)
  }
}

/** Adds a text to the turns. Texts of the same role that follow one another become one turn,
 *  because many chat templates require alternating roles. */
function addTurn(turns: Turn[], role: Turn['role'], text: string): void {
  const last = turns.at(-1)
  if (last?.role === role) last.texts.push(text)
  else turns.push({ role, texts: [text] })
}

function textOf(parts: TextPart[]): string {
  return parts.map(part => ('text' in part ? part.text : '')).join('')
}

/** Returns instructions for the model, as lines of text, that follow from the settings of the
 *  request. */
function notesOf(request: TextRequest): string[] {
  const notes: string[] = []
  const tools = callableTools(request)
  if (tools.length > 0) notes.push(toolNote(tools, request.toolChoice.mode === 'required'))
  const { format, verbosity } = request
  if (format.type === 'json_object') notes.push('Answer with one JSON object and nothing else.')
  if (format.type === 'json_schema') notes.push(`Answer with JSON that fits this schema and nothing else: ${JSON.stringify(format.schema)}`)
  if (verbosity) notes.push(verbosityLines[verbosity])
  return notes
}

/** Returns the instructions about tools in the wording of Qwen2.5's chat template. Hermes-style
 *  models were trained on this wording, too (decision 0006). */
function toolNote(tools: TextTool[], isRequired: boolean): string {
  const lines = tools.map(tool =>
    spacedJson({
      type: 'function',
      function: {
        name: tool.name,
        ...(tool.description === undefined ? {} : { description: tool.description }),
        parameters: tool.kind === 'function' ? (tool.parameters ?? {}) : { type: 'object', properties: { input: { type: 'string' } } },
      },
    }),
  )
  return [
    `# Tools\n\nYou ${isRequired ? 'must' : 'may'} call one or more functions to assist with the user query.\n`,
    'You are provided with function signatures within <tools></tools> XML tags:',
    '<tools>',
    ...lines,
    '</tools>\n',
    `For each function call, return a json object with function name and arguments within ${callStart}${callEnd} XML tags:`,
    `${callStart}\n{"name": <function-name>, "arguments": <args-json-object>}\n${callEnd}`,
  ].join('\n')
}

/** Returns JSON as the models' templates write it: with a space after `:` and `,`. */
function spacedJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`
  return `{${Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}: ${spacedJson(member ?? null)}`)
    .join(', ')}}`
}

/** Adds the notes to the system turn. A conversation without a system turn gets a default text
 *  here. Otherwise SmolLM2's template would add its own text, with which the model rambles
 *  (decision 0006). */
function addNotes(turns: Turn[], notes: string[]): void {
  if (turns[0]?.role !== 'system') turns.unshift({ role: 'system', texts: ['You are a helpful assistant.'] })
  turns[0]?.texts.push(...notes)
}

function toHistory({ role, texts }: Turn): ChatHistoryItem {
  if (role === 'model') return { type: 'model', response: [texts.join('\n')] }
  return { type: role, text: texts.join(role === 'system' ? '\n\n' : '\n') }
}
