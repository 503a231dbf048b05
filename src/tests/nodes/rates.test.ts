import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { needPostgres, type PostgresServer, startPostgres } from '../../stores/postgres/testing/server.ts'
import { donePixel, fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import type { Answer, TestGateway } from '../../testing/gateway.ts'
import { startTestNodes } from '../../testing/nodes.ts'

const { skip } = needPostgres(18)
const yaml = `accounts:
  - id: default
    keys:
      - { name: shared, secret: sk-shared-000001, rate_per_minute: 600 }
      - { name: alone, secret: sk-alone-0000001, rate_per_minute: 600 }
      - { name: rare, secret: sk-rare-00000001, rate_per_minute: 2 }
      - { name: away, secret: sk-away-00000001, rate_per_minute: 150 }
models:
  - { id: fake, family: F1, group: P, targets: [{ driver: a, order: 1 }, { driver: b, order: 2 }] }
`

describe('rates and targets of three nodes', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  test('a limit holds over all nodes, and one node alone may use all of it', async context => {
    const { nodes } = await startNodes(context, server)
    const answers = (await Promise.all(nodes.map(node => sendOften(node, 'sk-shared-000001', 260)))).flat()
    assert.equal(answers.filter(({ status }) => status === counted).length, 600)
    for (const { status, body, headers } of answers.filter(each => each.status !== counted)) {
      assert.deepEqual([status, body.error.code, headers.get('x-ratelimit-remaining')], [429, 'rate_limited', '0'])
      const retryAfter = Number(headers.get('retry-after'))
      assert.ok(retryAfter >= 1 && retryAfter <= 60, `${retryAfter}`)
    }
    const alone = await sendOften(nodes[1], 'sk-alone-0000001', 600)
    assert.deepEqual([...new Set(alone.map(({ status }) => status))], [counted])
    assert.equal((await send(nodes[2], 'sk-alone-0000001')).status, 429)
  })

  test('two a minute are two a minute', async context => {
    const { nodes } = await startNodes(context, server)
    const statuses = []
    for (const node of [...nodes, ...nodes]) statuses.push((await send(node, 'sk-rare-00000001')).status)
    assert.deepEqual(statuses, [counted, counted, 429, 429, 429, 429])
  })

  test('while the database is away each node accepts its share, and all count together after its return', async context => {
    const { nodes } = await startNodes(context, server)
    for (const node of nodes) for (let count = 0; count < 20; count++) assert.equal((await send(node, 'sk-away-00000001')).status, counted)
    await server.kill()
    for (const node of nodes) {
      const answers = []
      for (let count = 0; count < 40; count++) answers.push(await send(node, 'sk-away-00000001'))
      // 50 are a node's share; 20 are used.
      assert.equal(answers.filter(({ status }) => status === counted).length, 30)
      assert.equal(answers.at(-1)?.headers.get('retry-after'), '2')
    }
    await server.restart()
    await until(async () => (await nodes[0]?.call('/v1/ai/default/imgf/get_result?id=none'))?.status === 404, 'the database')
    await until(async () => Number((await send(nodes[0], 'sk-away-00000001')).headers.get('retry-after')) > 2, 'a count over all nodes')
    for (const node of nodes) assert.equal((await send(node, 'sk-away-00000001')).status, 429)
  })

  test('a target that limits one node is left alone by the others', async context => {
    const { nodes, runs } = await startNodes(context, server)
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
})

const path = '/v1/ai/default/imgf/image/generate'
/** The answer to a request without a prompt: the rate has counted it, and no store was needed. */
const counted = 422

function send(node: TestGateway | undefined, key: string): Promise<Answer> {
  assert.ok(node)
  return node.call(path, { key, body: {} })
}

/** Sends `count` requests, ten at a time. */
async function sendOften(node: TestGateway | undefined, key: string, count: number): Promise<Answer[]> {
  const answers: Answer[] = []
  const lane = async () => {
    for (let sent = 0; sent < count / 10; sent++) answers.push(await send(node, key))
  }
  await Promise.all(Array.from({ length: 10 }, lane))
  return answers
}

/** Three nodes on an empty database. Their model has the targets `a`, which is limited for 30 s, and
 *  `b`, which works; `runs` names the targets that were used, whichever node used them. */
async function startNodes(context: TestContext, server: PostgresServer) {
  const runs: string[] = []
  const a = once<ImageGenerateRequest>(async () => {
    runs.push('a')
    throw new GatewayError('rate_limited', 'too many', { retryAfterSeconds: 30 })
  })
  const b = once<ImageGenerateRequest>(job => {
    runs.push('b')
    return donePixel(job)
  })
  const drivers = [fakeImageDriver('a', a), fakeImageDriver('b', b)]
  const started = await startTestNodes(3, { server, drivers, yaml })
  context.after(() => started[Symbol.asyncDispose]())
  return { nodes: started.nodes, runs }
}
