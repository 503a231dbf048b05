/** Replies of a fake upstream for chat, responses and models
 *  (docs/vendors/openai-responses.md#response-object, #stream,
 *  docs/vendors/openai-chat.md#completion). */

import { type FakeFrame, type FakeReply, jsonReply, rawReply, sseReply } from './fake-upstream.ts'
import { geminiAnswer, geminiFrames } from './fake-upstream-gemini.ts'
import { messageFrames, messageObject } from './fake-upstream-messages.ts'

export interface FakeSpeech {
  text?: string
  /** Reasoning before the answer, as readable text. */
  reasoning?: string
  calls?: { id?: string; name: string; input: string; kind?: 'function' | 'custom' }[]
  finish?: string
  usage?: { input: number; cached?: number; output: number; reasoning?: number }
}

const defaults: FakeSpeech = { text: 'Hello from upstream', usage: { input: 11, cached: 4, output: 5, reasoning: 2 } }

/** Answers by the request's path. A list of models has the model `up-1`; a conversation gets a
 *  short text, whole or streamed as requested; any other path gets 404. */
export const textReply: FakeReply = (response, request) => {
  const path = request.path.split('?', 1)[0] ?? ''
  if (path.endsWith('/models')) return jsonReply(modelList)(response, request)
  if (/\/(chat\/completions|responses|messages)$/.test(path)) return speaks(defaults)(response, request)
  return rawReply('<h1>Not Found</h1>', 404, { 'content-type': 'text/html' })(response, request)
}

/** Returns a reply, whole or streamed, in the protocol to which the request's path belongs, or
 *  in chat when the path belongs to no other protocol. For Gemini's request to count tokens, the
 *  reply is 42. */
export function speaks(speech: FakeSpeech): FakeReply {
  return (response, request) => {
    const isStream = typeof request.json === 'object' && request.json !== null && Reflect.get(request.json, 'stream') === true
    const path = request.path.split('?', 1)[0] ?? ''
    if (path.endsWith(':countTokens')) return jsonReply({ totalTokens: 42 })(response, request)
    if (path.endsWith(':streamGenerateContent')) return sseReply(geminiFrames(speech))(response, request)
    if (path.endsWith(':generateContent')) return jsonReply(geminiAnswer(speech))(response, request)
    if (path.endsWith('/messages'))
      return (isStream ? sseReply(messageFrames(speech)) : jsonReply(messageObject(speech)))(response, request)
    if (path.endsWith('/responses'))
      return (isStream ? sseReply(responsesFrames(speech)) : jsonReply(responseObject(speech)))(response, request)
    return (isStream ? sseReply(chatFrames(speech)) : jsonReply(chatCompletion(speech)))(response, request)
  }
}

const modelList = { object: 'list', data: [{ id: 'up-1', object: 'model', created: 1_700_000_000, owned_by: 'fake' }] }

/** Returns a whole chat completion. */
export function chatCompletion(speech: FakeSpeech): object {
  const { text, reasoning, calls = [] } = speech
  const message = {
    role: 'assistant',
    content: text ?? null,
    refusal: null,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((_, index) => chatCall(speech, index)) }),
  }
  return {
    id: 'chatcmpl-up',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'up-1',
    choices: [{ index: 0, message, logprobs: null, finish_reason: chatFinish(speech) }],
    usage: chatUsage(speech),
  }
}

/** Returns the events of a streamed chat completion: the role, the reasoning, the text word by
 *  word, tool calls with their input in pieces of 5 characters, the reason for the end, the
 *  usage, and `[DONE]`. */
export function chatFrames(speech: FakeSpeech): FakeFrame[] {
  const frames = [chunk({ role: 'assistant', content: '' })]
  if (speech.reasoning !== undefined) frames.push(chunk({ reasoning_content: speech.reasoning }))
  for (const word of speech.text?.match(/\S+\s*|\s+/g) ?? []) frames.push(chunk({ content: word }))
  for (const [index, call] of (speech.calls ?? []).entries()) {
    const whole = chatCall(speech, index)
    const key = call.kind === 'custom' ? 'custom' : 'function'
    const field = call.kind === 'custom' ? 'input' : 'arguments'
    frames.push(chunk({ tool_calls: [{ index, ...whole, [key]: { name: call.name, [field]: '' } }] }))
    for (const piece of call.input.match(/[\s\S]{1,5}/g) ?? []) frames.push(chunk({ tool_calls: [{ index, [key]: { [field]: piece } }] }))
  }
  frames.push(chunk({}, chatFinish(speech)))
  const usage = chatUsage(speech)
  return [...frames, ...(usage === undefined ? [] : [{ ...chunk({}), choices: [], usage }]), '[DONE]']
}

/** Returns a whole response of the Responses protocol. */
export function responseObject(speech: FakeSpeech, status = 'completed'): object {
  return {
    id: 'resp_up',
    object: 'response',
    created_at: 1_700_000_000,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: speech.finish ?? 'max_output_tokens' } : null,
    model: 'up-1',
    output: status === 'in_progress' ? [] : responseItems(speech).map(({ said: _, ...item }) => item),
    usage: status === 'in_progress' ? null : responseUsage(speech),
  }
}

/** Returns the events of a streamed response. */
export function responsesFrames(speech: FakeSpeech, status = 'completed'): FakeFrame[] {
  const frames: FakeFrame[] = []
  const add = (type: string, fields: object) => frames.push({ event: type, data: { type, sequence_number: frames.length, ...fields } })
  add('response.created', { response: responseObject(speech, 'in_progress') })
  add('response.in_progress', { response: responseObject(speech, 'in_progress') })
  for (const [index, { said, ...item }] of responseItems(speech).entries()) {
    const at = { item_id: item.id, output_index: index }
    add('response.output_item.added', { output_index: index, item: { ...item, ...emptied(item), status: 'in_progress' } })
    for (const piece of said.match(/[\s\S]{1,5}/g) ?? []) add(deltaEvents[item.type] ?? '', { ...at, content_index: 0, delta: piece })
    add('response.output_item.done', { output_index: index, item })
  }
  add(`response.${status}`, { response: responseObject(speech, status) })
  return frames
}

const deltaEvents: Record<string, string> = {
  message: 'response.output_text.delta',
  function_call: 'response.function_call_arguments.delta',
  custom_tool_call: 'response.custom_tool_call_input.delta',
  reasoning: 'response.reasoning_text.delta',
}

type ResponseItem = { id: string; type: string; said: string; [field: string]: unknown }

/** Returns the items of a response. `said` is the text that the deltas of an item contain; it is
 *  not part of the item that is sent. */
function responseItems({ text, reasoning, calls = [] }: FakeSpeech): ResponseItem[] {
  const items: ResponseItem[] = []
  if (reasoning !== undefined) {
    const content = [{ type: 'reasoning_text', text: reasoning }]
    items.push({ id: 'rs_up', type: 'reasoning', summary: [], content, encrypted_content: 'sealed', said: reasoning })
  }
  if (text !== undefined) {
    const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }]
    items.push({ id: 'msg_up', type: 'message', role: 'assistant', status: 'completed', content, said: text })
  }
  for (const [index, { id, name, input, kind }] of calls.entries()) {
    const call = { call_id: id ?? `call_${index}`, name, status: 'completed', said: input }
    if (kind === 'custom') items.push({ id: `ctc_${index}`, type: 'custom_tool_call', input, ...call })
    else items.push({ id: `fc_${index}`, type: 'function_call', arguments: input, ...call })
  }
  return items
}

function emptied({ type }: Pick<ResponseItem, 'type'>): object {
  if (type === 'message' || type === 'reasoning') return { content: [] }
  return type === 'custom_tool_call' ? { input: '' } : { arguments: '' }
}

function chatCall({ calls = [] }: FakeSpeech, index: number): object {
  const { id = `call_${index}`, name, input, kind } = calls[index] ?? { name: '', input: '' }
  return kind === 'custom'
    ? { id, type: 'custom', custom: { name, input } }
    : { id, type: 'function', function: { name, arguments: input } }
}

function chunk(delta: object, finish: string | null = null): object {
  return {
    id: 'chatcmpl-up',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'up-1',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  }
}

function chatFinish({ finish, calls = [] }: FakeSpeech): string {
  return finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
}

function chatUsage({ usage }: FakeSpeech): object | undefined {
  if (usage === undefined) return undefined
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0, audio_tokens: 0 },
  }
}

function responseUsage({ usage }: FakeSpeech): object | null {
  if (usage === undefined) return null
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached ?? 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: usage.input + usage.output,
  }
}
