import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { needPostgres, type PostgresServer, startPostgres } from '../../stores/postgres/testing/server.ts'
import type { Answer, TestGateway } from '../../testing/gateway.ts'
import { startTestNodes } from '../../testing/stores/nodes.ts'

const { skip } = needPostgres(18)
const yaml = `accounts:
  - id: default
    keys:
      - { name: shared, secret: sk-shared-000001, rate_per_minute: 600 }
      - { name: alone, secret: sk-alone-0000001, rate_per_minute: 600 }
      - { name: rare, secret: sk-rare-00000001, rate_per_minute: 2 }
      - { name: away, secret: sk-away-00000001, rate_per_minute: 150 }
`

describe('rates of three nodes', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  test('a limit applies over all nodes, and one node alone may use all of it', async context => {
    const nodes = await startNodes(context, server)
    const answers = (await Promise.all(nodes.map(node => sendOften(node, 'sk-shared-000001', 260)))).flat()
    const accepted = answers.filter(({ status }) => status === counted).length
    // When no more requests are sent, a node may still hold a few tokens that no request has used.
    assert.ok(accepted <= 600 && accepted >= 570, `${accepted} accepted`)
    for (const { status, body, headers } of answers.filter(each => each.status !== counted)) {
      assert.deepEqual([status, body.error.code, headers.get('x-ratelimit-remaining')], [429, 'rate_limited', '0'])
      const retryAfter = Number(headers.get('retry-after'))
      assert.ok(retryAfter >= 1 && retryAfter <= 60, `${retryAfter}`)
    }
    const alone = await sendOften(nodes[1], 'sk-alone-0000001', 600)
    assert.deepEqual([...new Set(alone.map(({ status }) => status))], [counted])
    assert.equal((await send(nodes[2], 'sk-alone-0000001')).status, 429)
  })

  test('a limit of two a minute is exact', async context => {
    const nodes = await startNodes(context, server)
    const statuses = []
    for (const node of [...nodes, ...nodes]) statuses.push((await send(node, 'sk-rare-00000001')).status)
    assert.deepEqual(statuses, [counted, counted, 429, 429, 429, 429])
  })

  test('while the database is unavailable each node accepts its share, and all requests count after its return', async context => {
    const nodes = await startNodes(context, server)
    for (const node of nodes)
      for (let count = 0; count < 20; count++)
        assert.equal((await send(node, 'sk-away-00000001', conversations)).status, countedConversation)
    await server.kill()
    for (const node of nodes) {
      const answers = []
      for (let count = 0; count < 40; count++) answers.push(await send(node, 'sk-away-00000001', conversations))
      // The limit is 150 for three nodes, so the share of each node is 50. Each has already
      // accepted 20.
      assert.equal(answers.filter(({ status }) => status === countedConversation).length, 30)
      assert.equal(answers.at(-1)?.headers.get('retry-after'), '2')
    }
    await server.restart()
    await until(async () => (await nodes[0]?.call('/v1/ai/default/imgf/get_result?id=none'))?.status === 404, 'the database')
    await until(
      async () => Number((await send(nodes[0], 'sk-away-00000001', conversations)).headers.get('retry-after')) > 2,
      'a count over all nodes',
    )
    for (const node of nodes) assert.equal((await send(node, 'sk-away-00000001', conversations)).status, 429)
  })
})

const pictures = '/v1/ai/default/imgf/image/generate'
/** Status for a request that lacks its prompt. It was counted against the rate limit, which is
 *  checked before the body. */
const counted = 422
/** Unlike pictures, conversations are still accepted while the database cannot be reached. */
const conversations = '/v1/ai/default/chat/completions'
/** Status of a request without messages. The rate limit counts such a request before its body is
 *  checked; a request above the limit gets 429 instead. */
const countedConversation = 400

function send(node: TestGateway | undefined, key: string, path = pictures): Promise<Answer> {
  assert.ok(node)
  return node.call(path, { key, body: {} })
}

/** Sends `count` requests to the node, ten at a time, and returns the answers. */
async function sendOften(node: TestGateway | undefined, key: string, count: number): Promise<Answer[]> {
  const answers: Answer[] = []
  const lane = async () => {
    for (let sent = 0; sent < count / 10; sent++) answers.push(await send(node, key))
  }
  await Promise.all(Array.from({ length: 10 }, lane))
  return answers
}

async function startNodes(context: TestContext, server: PostgresServer): Promise<TestGateway[]> {
  const started = await startTestNodes(3, { server, yaml })
  context.after(() => started[Symbol.asyncDispose]())
  return started.nodes
}
