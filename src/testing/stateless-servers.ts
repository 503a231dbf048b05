/** Replies of servers that answer POST /responses but store nothing. They are modelled on the
 *  source code of llama.cpp (tools/server) and vLLM (entrypoints/openai), and on the answer of
 *  LM Studio for unknown paths. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type FakeFrame, type FakeReply, jsonReply, type ReceivedRequest, sseReply } from './fakes/fake-upstream.ts'
import { responseObject, responsesFrames } from './fakes/fake-upstream-text.ts'

/** Returns the text of an answer. It says how much of the conversation the server has received,
 *  so that tests can check this. */
export function saidOf({ json }: Pick<ReceivedRequest, 'json'>): string {
  const { input } = Object(json)
  return `I was sent ${Array.isArray(input) ? input.length : 1} of ${JSON.stringify(input).length} characters.`
}

const usage = { input_tokens: 20, output_tokens: 6, total_tokens: 26, input_tokens_details: { cached_tokens: 0 } }
const refusal = (code: number, message: string, type: string): FakeReply => jsonReply({ error: { code, message, type } }, code)

/** Answers like llama.cpp: no response can be read, `previous_response_id` is refused, events
 *  have no `output_index`, and in messages of earlier answers only parts of the type
 *  `output_text` are accepted. */
export const llamaCppReply: FakeReply = (response, request) => {
  const reply = (): FakeReply => {
    if (request.method === 'GET' && request.path === '/v1/models')
      return jsonReply({ object: 'list', data: [{ id: 'up-1', object: 'model', owned_by: 'llamacpp' }] })
    if (request.method !== 'POST' || request.path !== '/v1/responses') return refusal(404, 'File Not Found', 'not_found_error')
    const { previous_response_id: previous, input, stream, tools } = Object(request.json)
    if (previous) return refusal(400, "llama.cpp does not support 'previous_response_id'.", 'invalid_request_error')
    const wrong = Array.isArray(input) ? input.map(wrongIn).find(found => found !== undefined) : undefined
    if (wrong !== undefined) return refusal(400, wrong, 'invalid_request_error')
    const output = llamaCppOutput(request, tools)
    const whole = {
      completed_at: 1,
      created_at: 1,
      id: 'resp_llama',
      model: 'up-1',
      object: 'response',
      output,
      status: 'completed',
      usage,
    }
    return stream === true ? sseReply(llamaCppFrames(output, whole)) : jsonReply(whole)
  }
  return reply()(response, request)
}

/** Returns the error message of llama.cpp's function `convert_responses_to_chatcmpl` for an item
 *  that the function cannot convert; undefined for an item that it can. */
function wrongIn(item: JsonObject): string | undefined {
  const { role, type, content } = item
  const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content
  if (Array.isArray(parts) && (role === 'user' || role === 'system' || role === 'developer'))
    return parts.every(part => ['input_text', 'input_image'].includes(String(Object(part).type)))
      ? undefined
      : "'type' must be one of 'input_text', 'input_image', or 'input_file'"
  if (Array.isArray(parts) && role === 'assistant' && type === 'message')
    return parts.every(part => Object(part).type === 'output_text') ? undefined : "'type' must be 'output_text'"
  if (type === 'function_call' || type === 'function_call_output') return undefined
  if (type === 'reasoning' && Array.isArray(item.summary))
    return Array.isArray(content) && content.length > 0 ? undefined : "item['content'] is not an array"
  return "Cannot determine type of 'item'"
}

function llamaCppOutput(request: ReceivedRequest, tools: unknown): JsonObject[] {
  const text = saidOf(request)
  const content = [{ type: 'reasoning_text', text: 'Hm.' }]
  const part = { type: 'output_text', annotations: [], logprobs: [], text }
  const said: JsonObject[] = [
    { id: 'rs_llama', summary: [], type: 'reasoning', content, encrypted_content: '' },
    { type: 'message', status: 'completed', id: 'msg_llama', content: [part], role: 'assistant' },
  ]
  const call = { type: 'function_call', status: 'completed', arguments: '{"town":"Oslo"}', call_id: 'fc_1', name: 'weather' }
  return Array.isArray(tools) ? [...said, call] : said
}

function llamaCppFrames(output: JsonObject[], whole: JsonObject): FakeFrame[] {
  const frames: FakeFrame[] = []
  const add = (type: string, fields: JsonObject): unknown => frames.push({ event: type, data: { type, ...fields } })
  const begun = { id: 'resp_llama', object: 'response', status: 'in_progress' }
  add('response.created', { response: begun })
  add('response.in_progress', { response: begun })
  for (const item of output) {
    const { type, id, content, call_id: callId, name } = item
    const text = Object(Object(content)[0]).text
    if (type === 'function_call') {
      add('response.output_item.added', { item: { arguments: '', call_id: callId ?? '', name: name ?? '', type, status: 'in_progress' } })
      add('response.function_call_arguments.delta', { delta: item.arguments ?? '', item_id: callId ?? '' })
    } else if (type === 'reasoning') {
      add('response.output_item.added', { item: { id: id ?? '', summary: [], type, content: [], encrypted_content: '' } })
      add('response.reasoning_text.delta', { delta: text, item_id: id ?? '' })
    } else {
      add('response.output_item.added', { item: { content: [], id: id ?? '', role: 'assistant', status: 'in_progress', type: 'message' } })
      add('response.output_text.delta', { item_id: id ?? '', delta: text })
    }
  }
  for (const item of output) add('response.output_item.done', { item })
  add('response.completed', { response: whole })
  return frames
}

/** Answers like vLLM with its default settings, under which it stores nothing: the paths of
 *  stored responses exist, but there are no responses. */
export const vllmReply: FakeReply = (response, request) => {
  const { method, path, json } = request
  const notFound = (id: string): FakeReply =>
    jsonReply({ error: { message: `Response with id '${id}' not found.`, type: 'invalid_request_error', param: null, code: 404 } }, 404)
  const reply = (): FakeReply => {
    if (path === '/v1/models') return jsonReply({ object: 'list', data: [{ id: 'up-1', object: 'model', owned_by: 'vllm' }] })
    const stored = /^\/v1\/responses\/([^/]+)(\/cancel)?$/.exec(path)?.[1]
    if (stored !== undefined && method !== 'DELETE') return notFound(stored)
    if (stored !== undefined) return jsonReply({ detail: 'Method Not Allowed' }, 405)
    if (path !== '/v1/responses') return jsonReply({ detail: 'Not Found' }, 404)
    const { background, store = true, previous_response_id: previous, stream } = Object(json)
    if (background && store) return refusal(400, 'This vLLM engine does not support `store=True`', 'invalid_request_error')
    if (previous) return notFound(previous)
    const speech = { text: saidOf(request), usage: { input: 20, output: 6 } }
    return stream === true ? sseReply(responsesFrames(speech)) : jsonReply(responseObject(speech))
  }
  return reply()(response, request)
}

/** Answers like LM Studio: status 200 with an error for every path that it does not have. */
export const lmStudioReply: FakeReply = (response, request) => {
  const { method, path } = request
  const isCreate = method === 'POST' && path === '/v1/responses'
  const unknown = jsonReply({ error: `Unexpected endpoint or method. (${method} ${path})` })
  return (isCreate ? vllmReply : unknown)(response, request)
}
