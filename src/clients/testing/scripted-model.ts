/** A fake model whose answer depends only on the conversation. The same script therefore works
 *  for every client and every route to the model. */
import { once } from 'node:events'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextItem, TextRequest, TextTool } from '@generation-gateway/kit/requests/text.ts'
import { type Finish, says } from '../../testing/fakes/fake-text-driver.ts'

const shellCommand = 'echo made by the shell | tee made.txt'

/** Values of the fake model: the arguments of its tool calls, and the members of its JSON
 *  answers. */
export const scriptedFacts = {
  city: 'Paris',
  degrees: 21,
  input: 'select 1',
  cmd: shellCommand,
  command: shellCommand,
  description: 'Makes made.txt',
}

/** Answers according to the last item of the conversation. After the output of a tool, answers `The
 *  tool says <output>.` After the user's text `wait`, yields one word, and then nothing until the
 *  run is aborted. After `fail`, yields one word and throws an error. After a text that begins with
 *  `think`, yields reasoning before the answer. Calls a tool when the request requires one or the
 *  user's text names one. When the request has a JSON schema, answers with a JSON object of values
 *  from `scriptedFacts`. Otherwise answers `<number of user messages>: <text>`. */
export async function* scriptedModel({ request, signal }: Job<TextRequest>): AsyncIterable<TextEvent | Finish> {
  const said = lastText(request.items)
  const last = request.items.at(-1)
  if (last?.type === 'result') return yield* says(`The tool says ${outputOf(last)}.`)
  if (said === 'wait' || said === 'fail') {
    yield { type: 'text', delta: 'One ' }
    if (said === 'fail') throw new GatewayError('context_length_exceeded', 'The scripted model has failed.')
    await once(signal, 'abort')
    throw signal.reason
  }
  if (said.startsWith('think')) {
    yield { type: 'reasoning', part: 'summary', delta: 'Hm.' }
    yield { type: 'reasoning-end', encrypted: 'sealed' }
  }
  const tool = chosenTool(request, said)
  if (tool) return yield* calls(tool)
  if (request.format.type === 'json_schema') return yield* says(factsOf(request.format.schema))
  const turns = request.items.filter(item => item.type === 'message' && item.role === 'user').length
  yield* says(`${turns}: ${said}`)
}

async function* calls(tool: TextTool): AsyncIterable<TextEvent | Finish> {
  const input = tool.kind === 'custom' ? scriptedFacts.input : factsOf(tool.parameters ?? {})
  yield { type: 'call', index: 0, kind: tool.kind, callId: 'call_scripted', name: tool.name }
  for (const delta of input.match(/[\s\S]{1,4}/g) ?? []) yield { type: 'call-input', index: 0, delta }
  yield { type: 'finish', finish: 'tool_calls' }
}

function chosenTool({ tools, toolChoice }: TextRequest, said: string): TextTool | undefined {
  if (toolChoice.mode === 'none') return undefined
  const allowed = tools.filter(({ name }) => toolChoice.only?.includes(name) ?? true)
  return toolChoice.mode === 'required' ? allowed[0] : allowed.find(({ name }) => said.includes(name))
}

/** Returns, as JSON text, those values of `scriptedFacts` whose names are properties of the
 *  schema. */
function factsOf(schema: object): string {
  const members = Object.keys(Object(Reflect.get(schema, 'properties')))
  return JSON.stringify(Object.fromEntries(Object.entries(scriptedFacts).filter(([name]) => members.includes(name))))
}

function lastText(items: readonly TextItem[]): string {
  const message = items.findLast(item => item.type === 'message' && item.role === 'user')
  if (message?.type !== 'message') return ''
  return message.parts.map(part => (part.type === 'text' ? part.text : `[${part.type}]`)).join('')
}

function outputOf({ output }: Extract<TextItem, { type: 'result' }>): string {
  return typeof output === 'string' ? output : output.map(part => (part.type === 'text' ? part.text : `[${part.type}]`)).join('')
}
