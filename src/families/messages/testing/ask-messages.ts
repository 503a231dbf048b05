/** Sends messages to the scripted model and reads its answers. */
import assert from 'node:assert/strict'
import type { TextScript } from '../../../testing/fakes/fake-text-driver.ts'
import { follow, gateway } from '../../../testing/fakes/scripted-model.ts'
import type { Answer } from '../../../testing/gateway.ts'

export const path = '/v1/messages'
export const hello = { max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }

export async function ask(reply: TextScript, body: object = {}): Promise<Answer> {
  follow(reply)
  return gateway.call(path, { body: { model: 'fake', ...hello, ...body } })
}

// biome-ignore lint/suspicious/noExplicitAny: events of every shape.
export async function stream(reply: TextScript, body: object = {}): Promise<any[]> {
  const answer = await ask(reply, { stream: true, ...body })
  assert.equal(answer.status, 200, answer.bytes.toString())
  const frames = answer.bytes.toString().split('\n\n')
  assert.equal(frames.pop(), '')
  return frames.map(frame => {
    const found = /^event: (\S+)\ndata: (.*)$/.exec(frame)
    assert.ok(found, frame)
    const data = JSON.parse(found[2] ?? '')
    assert.equal(data.type, found[1])
    return data
  })
}

// biome-ignore lint/suspicious/noExplicitAny: a message of any content.
export function collected(events: any[]): any {
  const { message } = events[0]
  for (const { type, index, content_block: block, delta, usage } of events) {
    if (type === 'content_block_start') message.content.push({ ...block, json: '' })
    if (type === 'message_delta') Object.assign(message, delta, { usage })
    if (type !== 'content_block_delta') continue
    const open = message.content[index]
    for (const [name, piece] of [
      ['text', delta.text],
      ['thinking', delta.thinking],
      ['signature', delta.signature],
      ['json', delta.partial_json],
    ] as const)
      if (piece !== undefined) open[name] += piece
  }
  for (const block of message.content) {
    if (block.type === 'tool_use') block.input = JSON.parse(block.json || '{}')
    delete block.json
  }
  return message
}

export const tools = [
  { name: 'weather', description: 'Weather of a city.', input_schema: { type: 'object', properties: { city: { type: 'string' } } } },
]
