import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { once, polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { needPostgres, startPostgres } from '../../stores/postgres/testing/server.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../../testing/fakes/fake-driver.ts'
import type { TestGateway } from '../../testing/gateway.ts'
import { startTestNodes } from '../../testing/stores/nodes.ts'

const path = '/v1/ai/default/imgf/image/generate'
const { skip } = needPostgres(18)

describe('signals between nodes', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  test('the other nodes do not use a target that limits one node', async () => {
    const runs: string[] = []
    const a = once<ImageGenerateRequest>(async () => {
      runs.push('a')
      throw new GatewayError('rate_limited', 'too many', { retryAfterSeconds: 30 })
    })
    const b = once<ImageGenerateRequest>(job => {
      runs.push('b')
      return donePixel(job)
    })
    const yaml = 'models:\n  - { id: fake, family: F1, group: P, targets: [{ driver: a, order: 1 }, { driver: b, order: 2 }] }\n'
    await using started = await startTestNodes(3, { server, drivers: [fakeImageDriver('a', a), fakeImageDriver('b', b)], yaml })
    const { nodes } = started
    const generate = async (node: TestGateway | undefined) => {
      const answer = await node?.call(path, { body: { prompt: 'x', model: 'fake' } })
      assert.equal(Object((await node?.result(answer?.body.polling_url)) ?? {}).status, 'Ready')
    }
    await generate(nodes[0])
    assert.deepEqual(runs.splice(0).sort(), ['a', 'b'])
    const limitOf = async (node: TestGateway): Promise<string | undefined> =>
      (await node.admin('/readyz')).body.targets.find(({ target }: { target: string }) => target === 'fake#1')?.reason
    await until(async () => (await Promise.all(nodes.map(limitOf))).every(Boolean), 'the hint')
    const reasons = (await Promise.all(nodes.map(limitOf))).toSorted()
    for (const reason of reasons) assert.match(reason ?? '', /; tried again in (30|[12]\d) s$/)
    assert.deepEqual(
      reasons.map(reason => reason?.split(';')[0]),
      ['rate_limited', 'reported by another node', 'reported by another node'],
    )
    for (const node of nodes) await generate(node)
    assert.deepEqual(runs, ['b', 'b', 'b'])
  })

  test("an upstream's callback at any node makes the node with the task poll", async () => {
    let wakePath = ''
    let looks = 0
    const slow = polled<ImageGenerateRequest>({
      pollEveryMs: 3_600_000,
      start: async job => {
        wakePath = new URL(job.wakeUrl ?? '').pathname
        return { state: 'started', handle: {} }
      },
      check: async job => {
        looks += 1
        return looks <= 3 ? { state: 'running' } : donePixel(job)
      },
    })
    const env = { GATEWAY_PUBLIC_URL: 'https://gateway.example' }
    await using started = await startTestNodes(3, { server, drivers: [fakeImageDriver('slow', slow)], yaml: fakeModelYaml('slow'), env })
    const { nodes } = started
    const { body } = await nodes[0]!.call(path, { body: { prompt: 'a fox', model: 'fake' } })
    await until(() => looks === 1, 'the first look')
    // The callback is sent to each of the three nodes. Two of them are not the node that polls for
    // the task, so they have to pass it on.
    for (const [at, node] of nodes.entries()) {
      assert.equal((await node.call(wakePath, { method: 'POST', body: {}, key: false })).status, 204)
      await until(() => looks === at + 2, `the look after the call at node ${at + 1}`)
    }
    assert.equal((await nodes[1]!.result(`/v1/ai/default/imgf/get_result?id=${body.id}`)).status, 'Ready')
  })
})
