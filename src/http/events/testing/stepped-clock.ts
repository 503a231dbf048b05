/** Moves a mocked clock through the time in which a stream sends nothing, and delays the replies of
 *  upstreams for that time. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { FakeReply } from '../../../testing/fakes/fake-upstream.ts'

/** Runs the work with a mocked clock; `step` moves it forward by some seconds. */
export async function stepped(work: (step: (seconds: number) => Promise<void>) => Promise<void>): Promise<void> {
  const clearReal = globalThis.clearInterval
  mock.timers.enable({ apis: ['setInterval'] })
  keepOwnTimers(clearReal)
  try {
    await work(async seconds => {
      for (let quarter = 0; quarter < seconds * 4; quarter++) {
        mock.timers.tick(250)
        await turn()
      }
    })
  } finally {
    mock.timers.reset()
  }
}

/** Until the mock is reset, `clearInterval` uses the mock only for timers that this mock has
 *  created. Node's mock finds a timer by its position in the queue. For a timer of an earlier mock,
 *  it would therefore remove a wrong one. */
function keepOwnTimers(clearReal: typeof clearInterval): void {
  const { setInterval: start, clearInterval: clear } = globalThis
  const own = new Set<unknown>()
  const noted = (...args: Parameters<typeof setInterval>) => {
    const timer = start(...args)
    own.add(timer)
    return timer
  }
  globalThis.setInterval = Object.assign(noted, start)
  globalThis.clearInterval = timer => (own.has(timer) ? clear : clearReal)(timer)
}

/** Returns an upstream's reply that the test finishes when it wants to. */
export function heldReply(): { reply: FakeReply; response: Promise<ServerResponse> } {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>()
  return { reply: response => resolve(response), response: promise }
}

/** Returns the text of the answer as far as it has arrived. */
export function collected(response: IncomingMessage): { text: string; isComplete(): boolean } {
  const seen = { text: '', isComplete: () => response.complete }
  response.setEncoding('utf8').on('data', chunk => {
    seen.text += chunk
  })
  return seen
}
