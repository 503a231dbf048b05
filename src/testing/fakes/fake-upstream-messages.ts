/** Replies of a fake upstream for Anthropic's Messages (docs/vendors/anthropic-messages.md). */
import type { FakeFrame } from './fake-upstream.ts'
import type { FakeSpeech } from './fake-upstream-text.ts'

/** The signature of thinking in these replies. */
export const fakeSignature = 'EqQBCkgIsignedByTheUpstream=='

type Block = { type: string; [member: string]: unknown }

/** Returns a whole message. */
export function messageObject(speech: FakeSpeech): object {
  return { ...head(), content: blocksOf(speech), stop_reason: stopOf(speech), usage: usageOf(speech) }
}

/** Returns the events of a streamed message: each block in pieces of 5 characters. */
export function messageFrames(speech: FakeSpeech): FakeFrame[] {
  const frames: FakeFrame[] = []
  const add = (type: string, fields: object = {}) => frames.push({ event: type, data: { type, ...fields } })
  const { output_tokens: _, ...input } = usageOf(speech)
  add('message_start', { message: { ...head(), content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } } })
  add('ping')
  for (const [index, block] of blocksOf(speech).entries()) {
    add('content_block_start', { index, content_block: { ...block, ...emptied(block) } })
    for (const delta of deltasOf(block)) add('content_block_delta', { index, delta })
    add('content_block_stop', { index })
  }
  add('message_delta', { delta: { stop_reason: stopOf(speech), stop_sequence: null }, usage: { output_tokens: speech.usage?.output ?? 0 } })
  add('message_stop')
  return frames
}

function head() {
  return { id: 'msg_up', type: 'message', role: 'assistant', model: 'up-1', stop_sequence: null }
}

function blocksOf({ text, reasoning, calls = [] }: FakeSpeech): Block[] {
  return [
    ...(reasoning === undefined ? [] : [{ type: 'thinking', thinking: reasoning, signature: fakeSignature }]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, input }, index) => ({ type: 'tool_use', id: id ?? `toolu_${index}`, name, input: JSON.parse(input) })),
  ]
}

function emptied({ type }: Block): object {
  if (type === 'thinking') return { thinking: '', signature: '' }
  return type === 'text' ? { text: '' } : { input: {} }
}

function deltasOf({ type, text, thinking, signature, input }: Block): object[] {
  const pieces = (value: unknown) => String(value).match(/[\s\S]{1,5}/g) ?? []
  if (type === 'text') return pieces(text).map(piece => ({ type: 'text_delta', text: piece }))
  if (type === 'tool_use') return pieces(JSON.stringify(input)).map(piece => ({ type: 'input_json_delta', partial_json: piece }))
  return [...pieces(thinking).map(piece => ({ type: 'thinking_delta', thinking: piece })), { type: 'signature_delta', signature }]
}

function stopOf({ finish, calls = [] }: FakeSpeech): string {
  return finish ?? (calls.length > 0 ? 'tool_use' : 'end_turn')
}

/** Returns the token counts. `input` of the speech is the number of all input tokens, and
 *  `cached` is the number of those that came from the cache. */
function usageOf({ usage }: FakeSpeech) {
  const { input, cached = 0, output, reasoning = 0 } = usage ?? { input: 0, output: 0 }
  return {
    input_tokens: input - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
    output_tokens_details: { thinking_tokens: reasoning },
  }
}
