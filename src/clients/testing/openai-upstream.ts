/** Replies as OpenAI's own service sends them, including the padding in its events. Used in
 *  tests of the relay (docs/vendors/openai-responses.md#response-object, #stream,
 *  docs/vendors/openai-chat.md#completion). */
import { type FakeReply, jsonReply, sseReply } from '../../testing/fakes/fake-upstream.ts'

const text = 'Hello from afar.'
const chatHead = {
  id: 'chatcmpl-afar',
  created: 1_795_000_000,
  model: 'gpt-afar-2026-08-01',
  service_tier: 'default',
  system_fingerprint: 'fp_1',
}
const chatUsage = {
  prompt_tokens: 9,
  completion_tokens: 4,
  total_tokens: 13,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
}
const message = {
  id: 'msg_afar',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
}
const responseHead = {
  id: 'resp_afar',
  object: 'response',
  created_at: 1_795_000_000,
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  model: 'gpt-afar-2026-08-01',
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'default',
  store: true,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
  metadata: {},
}
const working = { ...responseHead, status: 'in_progress', output: [], usage: null }
const completed = {
  ...responseHead,
  status: 'completed',
  completed_at: 1_795_000_001,
  output: [message],
  usage: {
    input_tokens: 9,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 4,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 13,
  },
}

/** Answers requests for chat completions and Responses, whole or as a stream, with the text
 *  `Hello from afar.` Also returns the stored response by its id. */
export const openaiReply: FakeReply = (response, request) => {
  const isStream = typeof request.json === 'object' && request.json !== null && Reflect.get(request.json, 'stream') === true
  return replyTo(request.path, request.method, isStream)(response, request)
}

function replyTo(path: string, method: string, isStream: boolean): FakeReply {
  if (path.endsWith('/chat/completions')) return isStream ? sseReply(chatFrames()) : jsonReply(completion())
  if (path.endsWith('/responses')) return isStream ? sseReply(responseFrames()) : jsonReply(completed)
  if (!path.endsWith('/responses/resp_afar'))
    return jsonReply({ error: { message: 'No such path.', type: 'invalid_request_error', param: null, code: null } }, 404)
  return jsonReply(method === 'DELETE' ? { id: 'resp_afar', object: 'response', deleted: true } : completed)
}

function completion(): object {
  const choice = {
    index: 0,
    message: { role: 'assistant', content: text, refusal: null, annotations: [] },
    logprobs: null,
    finish_reason: 'stop',
  }
  return { ...chatHead, object: 'chat.completion', choices: [choice], usage: chatUsage }
}

function chatFrames(): (object | string)[] {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...chatHead,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: null,
    obfuscation: 'xY3',
  })
  const words = text.match(/\S+\s*/g) ?? []
  const head = chunk({ role: 'assistant', content: '', refusal: null })
  return [head, ...words.map(content => chunk({ content })), chunk({}, 'stop'), { ...chunk({}), choices: [], usage: chatUsage }, '[DONE]']
}

/** Returns the frames of a streamed response. There is no `[DONE]`: OpenAI ends such a stream with
 *  its last event. */
function responseFrames(): { event: string; data: object }[] {
  const frames: { event: string; data: object }[] = []
  const add = (type: string, fields: object) => frames.push({ event: type, data: { type, sequence_number: frames.length, ...fields } })
  const at = { item_id: message.id, output_index: 0, content_index: 0 }
  const [part] = message.content
  add('response.created', { response: working })
  add('response.in_progress', { response: working })
  add('response.output_item.added', { output_index: 0, item: { ...message, status: 'in_progress', content: [] } })
  add('response.content_part.added', { ...at, part: { ...part, text: '' } })
  for (const delta of text.match(/\S+\s*/g) ?? []) add('response.output_text.delta', { ...at, delta, logprobs: [], obfuscation: 'q7' })
  add('response.output_text.done', { ...at, text, logprobs: [] })
  add('response.content_part.done', { ...at, part })
  add('response.output_item.done', { output_index: 0, item: message })
  add('response.completed', { response: completed })
  return frames
}
