import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import { goodRound } from '@generation-gateway/kit/testing/good-round.ts'
import { orphanLifeMs } from '@generation-gateway/kit/testing/orphan.ts'
import { refusedProcesses } from '@generation-gateway/kit/testing/refused-processes.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { createTextHost, type TextHost, type TextHostOptions } from './host.ts'
import { needsModel as needs, putTogether, request, testModel } from './testing/ask.ts'

const story = (maxOutputTokens: number): TextRequest => request('Write a long story about a fox and a bear.', { maxOutputTokens })

async function withHost(options: Partial<TextHostOptions>, use: (host: TextHost) => Promise<void>): Promise<void> {
  const host = createTextHost({ children: 2, requestLimit: 20, idleMs: 60_000, onLog: () => undefined, ...options })
  try {
    await use(host)
  } finally {
    await host.close()
  }
}

/** Several tests use the same child process, because starting one takes seconds on a busy
 *  machine. */
const shared = createTextHost({ children: 2, requestLimit: 5, idleMs: 60_000, onLog: () => undefined })
after(() => shared.close())

interface Started {
  /** Resolves when the first word of the answer arrives. */
  first: Promise<void>
  end: Promise<{ text: string; result: TextResult | undefined }>
  leave: AbortController
}

function start(host: TextHost, what: TextRequest, model = testModel(), account?: string): Started {
  const leave = new AbortController()
  const first = Promise.withResolvers<void>()
  const read = async (): Promise<{ text: string; result: TextResult | undefined }> => {
    const events: TextEvent[] = []
    let result: TextResult | undefined
    for await (const event of host.respond(model, what, { account, signal: leave.signal })) {
      if (event.type === 'done') result = event.result
      else events.push(event)
      if (event.type !== 'sampling') first.resolve()
    }
    return { text: putTogether(events).text, result }
  }
  const end = read()
  end.catch(first.reject)
  first.promise.catch(() => undefined)
  return { first: first.promise, end, leave }
}

test('simultaneous conversations share the steps of one child process, and all are answered', needs, async () => {
  const all = [
    start(shared, story(16)),
    start(shared, story(16)),
    start(shared, request('Write a long story about a ship.', { maxOutputTokens: 16 })),
  ]
  const answers = await Promise.all(all.map(({ end }) => end))
  assert.ok(answers.every(({ result, text }) => result !== undefined && text.length > 10))
  const [child, ...others] = shared.children()
  assert.equal(others.length, 0)
  assert.ok(child?.counts)
  assert.equal(child.counts.widest, 3)
  const tokens = answers.reduce((sum, { result }) => sum + (result?.usage.outputTokens ?? 0), 0)
  assert.equal(child.counts.tokens, tokens)
  assert.ok(child.counts.steps < 0.75 * tokens, `${child.counts.steps} steps for ${tokens} tokens`)
})

/** Stops reading an answer at its first word. Returns the number of tokens of this answer that the
 *  model still wrote after that (`more`), and the number of conversations that still run
 *  (`running`). */
async function tokensAfterLeaving() {
  const leaving = start(shared, story(1500))
  await leaving.first
  leaving.leave.abort(new GatewayError('cancelled', 'gone'))
  await assert.rejects(leaving.end, { code: 'cancelled' })
  const before = shared.children()[0]?.counts?.tokens ?? 0
  // The number of tokens that were written in the meantime shows when the model stopped: the next
  // request writes 12 tokens, and at most two more may come from the cancelled request.
  const next = await start(shared, story(12)).end
  const counts = shared.children()[0]?.counts
  assert.equal(next.result?.usage.outputTokens, 12)
  return { running: counts?.running, more: (counts?.tokens ?? 0) - before - 12 }
}

test('when a caller disconnects, the model stops within one token', needs, async () => {
  // This process may be delayed between the first word and the abort while the model keeps writing.
  // A round in which this happens is measured again.
  const { running, more } = await goodRound(tokensAfterLeaving, seen => seen.more <= 2)
  assert.equal(running, 0)
  assert.ok(more <= 2, `${more} more`)
})

test(
  'a killed child process fails only its running requests; waiting ones continue in a new one; one request above the queue limit is refused',
  needs,
  async () => {
    const running = [0, 1, 2, 3].map(() => start(shared, story(500)))
    const waiting = start(shared, story(6))
    await assert.rejects(start(shared, story(5)).end, { code: 'engine_busy', retryAfterSeconds: 10 })
    await Promise.all(running.map(({ first }) => first))
    const [child] = shared.children()
    assert.equal(child?.counts?.waiting, 1)
    assert.ok(child.pid !== undefined)
    process.kill(child.pid, 'SIGKILL')
    for (const { end } of running) await assert.rejects(end, { code: 'internal_error', message: /SIGKILL/ })
    assert.equal((await waiting.end).result?.usage.outputTokens, 6)
    assert.notEqual(shared.children()[0]?.pid, child.pid)
  },
)

test('with room for one model, a second model ends the idle child process of the first', needs, async () => {
  await withHost({ children: 1 }, async host => {
    const first = start(host, story(3))
    await assert.rejects(start(host, story(3), testModel({ context: 1024 })).end, { code: 'engine_busy' })
    await first.end
    await start(host, story(3), testModel({ context: 1024 })).end
    assert.deepEqual(
      host.children().map(({ model }) => model.context),
      [1024],
    )
  })
})

test(
  'an idle child process is ended after its time and restarted when needed; a held one opens before its first request, and stays until it is released',
  needs,
  async () => {
    await withHost({ idleMs: 0 }, async host => {
      await start(host, story(2)).end
      await until(() => host.children().length === 0, 'the idle child is still there')
      host.hold([testModel()])
      await until(() => host.children()[0]?.counts !== undefined, 'the model was not opened')
      const { pid } = host.children()[0] ?? {}
      for (const _ of [1, 2]) {
        assert.equal((await start(host, story(2)).end).result?.usage.outputTokens, 2)
        await new Promise(resolve => setTimeout(resolve, 50))
        assert.equal(host.children()[0]?.pid, pid)
      }
      host.hold([])
      await until(() => host.children().length === 0, 'the model was not let go')
    })
  },
)

test('a refused request does not extend the life of an idle child process', needs, async () => {
  await withHost({ idleMs: 500 }, async host => {
    await start(host, story(1)).end
    await assert.rejects(start(host, request('a '.repeat(1_000_000))).end, { code: 'context_length_exceeded' })
    await until(() => host.children().length === 0, 'the end of the idle child')
  })
})

test('another model replaces a held one only if it cannot replace any other', needs, async () => {
  shared.hold([testModel()])
  await start(shared, story(1), testModel({ context: 1024 })).end
  await start(shared, story(1), testModel({ context: 512 })).end
  assert.deepEqual(
    shared.children().map(({ model }) => model.context),
    [undefined, 512],
  )
  shared.hold([])
})

test('with a file that is no model the capability is unavailable', async () => {
  await withHost({}, async host => {
    const model = { file: new URL(import.meta.url).pathname, name: 'host.test.ts', threads: 1 }
    await assert.rejects(start(host, story(2), model).end, {
      code: 'capability_unavailable',
      message: /host\.test\.ts cannot be loaded/,
    })
  })
})

test('a child process that cannot be started fails its waiting requests, not the gateway', needs, async () => {
  const logged: string[] = []
  await withHost({ children: 1, onLog: message => logged.push(message) }, async host => {
    {
      using _refused = refusedProcesses()
      await assert.rejects(start(host, story(2)).end, { code: 'internal_error', message: /could not be started: spawn E2BIG/ })
      host.hold([testModel()])
      host.hold([])
    }
    assert.equal(host.children()[0]?.load ?? 0, 0)
    assert.match(logged.join(), /E2BIG/)
    const running = start(host, story(500))
    await running.first
    const waiting = [0, 1, 2, 3].map(() => start(host, story(2)))
    const [child] = host.children()
    assert.ok(child?.pid !== undefined)
    {
      using _refused = refusedProcesses()
      process.kill(child.pid, 'SIGKILL')
      await assert.rejects(running.end, { code: 'internal_error' })
      await Promise.allSettled(waiting.map(({ end }) => end))
    }
    assert.equal((await start(host, story(2)).end).result?.usage.outputTokens, 2)
  })
})

test('a child process that stops responding fails its running requests; waiting ones continue in a new one', needs, async () => {
  // Normal priority, because on a busy machine a child process with low priority may need longer
  // than this test's silence limit to start.
  await withHost({ silenceLimitMs: 20_000, priority: 'normal' }, async host => {
    const running = [0, 1, 2, 3].map(() => start(host, story(500)))
    const waiting = start(host, story(6))
    await Promise.all(running.map(({ first }) => first))
    const pid = host.children()[0]?.pid
    assert.ok(pid !== undefined)
    process.kill(pid, 'SIGSTOP')
    for (const { end } of running) await assert.rejects(end, { code: 'engine_timeout', message: /nothing for 20 seconds/ })
    assert.equal((await waiting.end).result?.usage.outputTokens, 6)
  })
})

test('a child process ends within seconds after the gateway is killed', needs, async () => {
  const ms = await orphanLifeMs(new URL('./testing/host-parent.ts', import.meta.url))
  assert.ok(ms < 20_000, `${ms.toFixed(0)} ms`)
})
