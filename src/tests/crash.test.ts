import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../testing/free-port.ts'
import { testAdminKey, testKey } from '../testing/gateway.ts'
import { type Program, startProgram } from '../testing/program.ts'

const submits = 800
const clients = 32
/** Returns true for one picture in twenty. The engine refuses all others at once because of
 *  their prompts, which saves time. */
const isDrawn = (index: number): boolean => index % 20 === 0
/** Numbers of acknowledged submits at which the program is killed. It is killed once more while
 *  it works through the remaining tasks. */
const killsAt = [160, 360, 600]

/** Starts a webhook receiver that counts the posts for each task. It answers every twentieth
 *  first attempt with 500, so that the delivery has to be retried. */
async function startReceiver() {
  const posts = new Map<string, number>()
  const refused = new Set<string>()
  let seen = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      seen += 1
      const { id } = JSON.parse(body)
      const isFirst = !posts.has(id) && !refused.has(id)
      if (isFirst && seen % 20 === 0) {
        refused.add(id)
        response.writeHead(500).end()
        return
      }
      posts.set(id, (posts.get(id) ?? 0) + 1)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { posts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, close: () => server.close() }
}

test('800 submits survive four kills: none lost, none done twice, every webhook delivered', { timeout: 900_000 }, async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-crash-'))
  const port = await freePort()
  const receiver = await startReceiver()
  const restart = () => startProgram({ dataDir, port, env: { GATEWAY_ENGINE_WORKERS: '2', GATEWAY_ENGINE_PRIORITY: 'normal' } })
  let program: Program = await restart()
  const admin = async (path: string) => (await fetch(program.url + path, { headers: { authorization: `Bearer ${testAdminKey}` } })).json()
  t.after(async () => {
    receiver.close()
    await program.kill()
    await rm(dataDir, { recursive: true, force: true })
  })

  const ids = new Map<number, string>()
  let kills = 0
  let restarting: Promise<void> | undefined
  const killAndRestart = async () => {
    kills += 1
    await program.kill()
    program = await restart()
  }
  /** Submits a task, and retries with the same idempotency key until there is an answer, as a
   *  careful caller does. */
  const submit = async (index: number): Promise<void> => {
    const body = JSON.stringify({
      prompt: isDrawn(index) ? `a ball on a ${['red', 'blue', 'green'][index % 3]} background` : 'explicit porn',
      width: 64,
      height: 64,
      seed: index,
      webhook_url: receiver.url,
    })
    for (;;) {
      try {
        const response = await fetch(`${program.url}/v1/ai/default/imgf/image/generate`, {
          method: 'POST',
          headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json', 'idempotency-key': `crash-${index}` },
          body,
        })
        if (response.ok) {
          ids.set(index, ((await response.json()) as { id: string }).id)
          return
        }
      } catch {
        // The program is down; the caller tries again with the same idempotency key.
      }
      await sleep(20)
    }
  }
  let next = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < submits) {
        const index = next++
        await submit(index)
        if (ids.size >= (killsAt[kills] ?? Number.POSITIVE_INFINITY))
          restarting ??= killAndRestart().finally(() => (restarting = undefined))
      }
    }),
  )
  await restarting
  await killAndRestart()
  assert.equal(kills, 4)
  assert.equal(new Set(ids.values()).size, submits, 'every submit has a task of its own')

  const waitUntil = Date.now() + 800_000
  const done = async () => {
    const { usage } = (await admin('/admin/usage')) as { usage: { unit: string; units: number }[] }
    return usage.filter(line => line.unit === 'images').reduce((sum, line) => sum + line.units, 0)
  }
  const drawn = submits / 20
  while ((await done()) < drawn || receiver.posts.size < submits) {
    assert.ok(
      Date.now() < waitUntil,
      `after 13 minutes ${await done()} pictures are done and ${receiver.posts.size} webhooks delivered\n${program.output()}`,
    )
    await sleep(250)
  }
  assert.equal(await done(), drawn, 'usage counts every picture once')
  let before = ''
  let tasks = 0
  const wanted = new Map(Array.from(ids, ([index, id]) => [id, isDrawn(index) ? 'succeeded' : 'failed']))
  for (;;) {
    const page = (await admin(`/admin/tasks?limit=200${before === '' ? '' : `&before=${before}`}`)) as {
      tasks: { id: string; state: string }[]
    }
    if (page.tasks.length === 0) break
    for (const task of page.tasks) {
      assert.ok(wanted.has(task.id), `${task.id} was made without an acknowledged submit`)
      assert.equal(task.state, wanted.get(task.id), task.id)
    }
    tasks += page.tasks.length
    before = page.tasks.at(-1)?.id ?? ''
  }
  assert.equal(tasks, submits)
  for (const [id, state] of [...wanted].slice(0, 300)) {
    const { events } = (await admin(`/admin/tasks/${id}`)) as { events: { type: string }[] }
    assert.equal(events.filter(({ type }) => type === `task.${state}`).length, 1, `${id} has ended more than once`)
  }
  for (const id of wanted.keys()) assert.ok(receiver.posts.has(id), `${id} had no webhook`)
  const repeats = [...receiver.posts.values()].reduce((sum, count) => sum + count - 1, 0)
  t.diagnostic(`${submits} tasks, ${kills} kills, ${repeats} webhooks delivered more than once`)
})
