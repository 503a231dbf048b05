/** Two gateways in processes of their own, the second as the upstream of the first. Both are
 *  killed again and again. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../testing/free-port.ts'
import { testAdminKey, testKey } from '../testing/gateway.ts'
import { type Program, startProgram } from '../testing/program.ts'

const pictures = 20
/** Numbers of finished pictures at which a program is killed. The two programs are killed in
 *  turn, beginning with the upstream. */
const killsAt = [3, 6, 10, 14]
const patienceMs = 240_000
const submitPath = '/v1/ai/default/imgf/image/generate'

/** One of the two programs. Its address stays the same when it is started again. */
class Instance {
  readonly #options: Parameters<typeof startProgram>[0]
  #program: Program | undefined

  constructor(options: Parameters<typeof startProgram>[0]) {
    this.#options = options
  }

  get url(): string {
    return `http://127.0.0.1:${this.#options.port}`
  }

  async start(): Promise<void> {
    this.#program = await startProgram(this.#options)
  }

  async killAndRestart(): Promise<void> {
    await this.kill()
    await this.start()
  }

  async kill(): Promise<void> {
    await this.#program?.kill()
  }

  output(): string {
    return this.#program?.output() ?? ''
  }

  /** Repeats a request until it is answered, because the program may be down. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the interface.
  async ask(path: string, { key = testKey, ...init }: RequestInit & { key?: string } = {}): Promise<any> {
    const endsAt = Date.now() + patienceMs
    for (;;) {
      try {
        const answer = await fetch(this.url + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } })
        const body = await answer.json()
        assert.equal(answer.status, 200, `${path}: ${JSON.stringify(body)}`)
        return body
      } catch (error) {
        // The error that `fetch` throws when it gets no answer or only a part of one.
        if (!(error instanceof TypeError) || Date.now() > endsAt) throw error
        await sleep(50)
      }
    }
  }

  async images(): Promise<number> {
    const { usage } = await this.ask('/admin/usage', { key: testAdminKey })
    return usage
      .filter((row: { unit: string }) => row.unit === 'images')
      .reduce((sum: number, row: { units: number }) => sum + row.units, 0)
  }
}

test(`${pictures} pictures through two gateways that are killed in turn: each is drawn, and counted, once`, {
  timeout: 400_000,
}, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-chain-'))
  const inner = new Instance({ dataDir: join(folder, 'inner'), port: await freePort(), env: { GATEWAY_ENGINE_WORKERS: '1' } })
  const config = join(folder, 'outer.yaml')
  const target = { driver: 'gateway', base_url: inner.url, api_key_env: 'INNER_KEY' }
  await writeFile(config, JSON.stringify({ models: [{ id: 'MaaS_ImgF_P', family: 'F1', group: 'P', targets: [target] }] }))
  const env = { GATEWAY_CONFIG: config, INNER_KEY: testKey, GATEWAY_ENGINE_WORKERS: '0' }
  const outer = new Instance({ dataDir: join(folder, 'outer'), port: await freePort(), env })
  t.after(async () => {
    await Promise.all([inner.kill(), outer.kill()])
    await rm(folder, { recursive: true, force: true })
  })
  await Promise.all([inner.start(), outer.start()])

  const ids = await Promise.all(
    Array.from({ length: pictures }, async (_, index) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': `chain-${index}` }
      const body = JSON.stringify({ prompt: 'a red ball', width: 64, height: 64, seed: index, output_format: 'png' })
      return (await outer.ask(submitPath, { method: 'POST', headers, body })).id as string
    }),
  )
  const left = [...killsAt]
  const victims = [inner, outer]
  let status = new Map<string, string>()
  for (const endsAt = Date.now() + patienceMs; ; ) {
    const seen = await Promise.all(ids.map(id => outer.ask(`/v1/ai/default/imgf/get_result?id=${id}`)))
    status = new Map(seen.map(task => [task.id, task.status]))
    const done = [...status.values()].filter(each => each !== 'Pending').length
    if (done >= (left[0] ?? Number.POSITIVE_INFINITY)) {
      const victim = victims[left.length % 2 === killsAt.length % 2 ? 0 : 1]
      left.shift()
      await victim?.killAndRestart()
    }
    if (done === pictures && left.length === 0) break
    assert.ok(Date.now() < endsAt, `after ${patienceMs / 1000} s ${done} are done\n${outer.output()}\n${inner.output()}`)
    await sleep(100)
  }
  assert.deepEqual([...new Set(status.values())], ['Ready'])
  const { tasks } = await inner.ask('/admin/tasks?limit=200', { key: testAdminKey })
  assert.equal(tasks.length, pictures, 'the inner gateway has as many tasks as the outer one')
  assert.deepEqual([await inner.images(), await outer.images()], [pictures, pictures])
  assert.deepEqual((await outer.ask('/admin/usage/open', { key: testAdminKey })).lines, [])
})
