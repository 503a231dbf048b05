/** Asks the scripted model by generateContent, and reads its answers. */
import assert from 'node:assert/strict'
import type { TextScript } from '../../../testing/fakes/fake-text-driver.ts'
import { follow, gateway } from '../../../testing/fakes/scripted-model.ts'
import type { Answer } from '../../../testing/gateway.ts'

export const at = (verb: string) => `/v1beta/models/fake:${verb}`
export const hello = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }

export async function ask(reply: TextScript, body: object = {}, to = at('generateContent')): Promise<Answer> {
  follow(reply)
  return gateway.call(to, { body: { ...hello, ...body } })
}

// biome-ignore lint/suspicious/noExplicitAny: pieces of every shape.
export async function stream(reply: TextScript, body: object = {}): Promise<any[]> {
  const answer = await ask(reply, body, at('streamGenerateContent?alt=sse'))
  assert.equal(answer.status, 200, answer.bytes.toString())
  const frames = answer.bytes.toString().split('\n\n')
  assert.equal(frames.pop(), '')
  return frames.map(frame => {
    assert.ok(frame.startsWith('data: '), frame)
    return JSON.parse(frame.slice('data: '.length))
  })
}

// biome-ignore lint/suspicious/noExplicitAny: pieces of every shape.
export function partsIn(pieces: any[], index = 0): any[] {
  // biome-ignore lint/suspicious/noExplicitAny: parts of every kind.
  const parts: any[] = []
  for (const { candidates } of pieces)
    for (const candidate of candidates.filter((each: { index: number }) => each.index === index))
      for (const part of candidate.content.parts) {
        const last = parts.at(-1)
        if (part.text === '' && part.thoughtSignature === undefined) continue
        if (part.text !== undefined && part.thoughtSignature === undefined && last?.text !== undefined && last.thought === part.thought)
          last.text += part.text
        else parts.push({ ...part })
      }
  return parts
}

export const weather = {
  name: 'weather',
  description: 'Weather of a city.',
  parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } } },
}
export const tools = [{ functionDeclarations: [weather] }]

export const turn = (parts: object) => ({ role: 'model', parts })
export const response = (cities: string[]) => ({
  role: 'user',
  parts: cities.map(city => ({ functionResponse: { name: 'weather', response: { output: `cold in ${city}` } } })),
})

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape.
export function assertFails(answer: any, status: number, message: RegExp): void {
  assert.equal(answer.status, status, answer.bytes.toString())
  const { error } = answer.body
  assert.equal(error.code, status)
  assert.match(error.message, message)
}
