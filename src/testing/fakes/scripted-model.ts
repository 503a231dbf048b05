/** Starts a gateway whose text model `fake` follows a script, for the tests of the families for
 *  conversations. */
import { after, before } from 'node:test'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { fakeTextDriver, fakeTextYaml, type TextScript } from './fake-text-driver.ts'

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

/** The script of an answer with thinking, text and two calls whose pieces are mixed. */
export async function* thinksAndCalls(): ReturnType<TextScript> {
  yield { type: 'reasoning', part: 'content', delta: 'Let me ' }
  yield { type: 'reasoning', part: 'content', delta: 'look.' }
  yield { type: 'reasoning-end' }
  yield { type: 'text', delta: 'One ' }
  yield { type: 'text', delta: 'moment.' }
  yield { type: 'call', index: 0, kind: 'function', callId: 'call_a', name: 'weather' }
  yield { type: 'call-input', index: 0, delta: '{"city":' }
  yield { type: 'call', index: 1, kind: 'function', callId: 'call_b', name: 'weather' }
  yield { type: 'call-input', index: 1, delta: '{"city":"Bergen"}' }
  yield { type: 'call-input', index: 0, delta: '"Oslo"}' }
  yield { type: 'finish', finish: 'tool_calls', usage: { inputTokens: 20, cachedInputTokens: 4, outputTokens: 9, reasoningTokens: 3 } }
}
