/** Starts a gateway whose text model follows a script, for the tests of generateContent. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { fakeTextDriver, fakeTextYaml, type TextScript } from '../../../testing/fakes/fake-text-driver.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../../testing/gateway.ts'

export const at = (verb: string) => `/v1beta/models/fake:${verb}`
export const hello = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }
let script: TextScript
/** Requests that the model got since the last script, oldest first. */
export let requested: TextRequest[]
export let gateway: TestGateway

/** Starts the gateway before the tests of the calling file, and ends it after them. Several files
 *  may run in one process, one after the other. */
export function startBeforeTests(): void {
  before(async () => {
    const driver = fakeTextDriver('fake-text', job => {
      requested.push(job.request)
      return script(job)
    })
    gateway = await startTestGateway({ drivers: [driver], yaml: fakeTextYaml('fake-text') })
  })
  after(() => gateway[Symbol.asyncDispose]())
}

/** Sets the answers of the model from now on. */
export function follow(reply: TextScript): void {
  script = reply
  requested = []
}

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
