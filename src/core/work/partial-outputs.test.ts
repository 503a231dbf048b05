/** Files that a driver delivers during its run are outputs of the task even before the task
 *  ends. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { fakeModelYaml } from '../../testing/fakes/fake-driver.ts'
import { freePort } from '../../testing/free-port.ts'
import { startTestGateway, testKey } from '../../testing/gateway.ts'
import { startProgram } from '../../testing/program.ts'
import { pagesDriver } from './testing/pages-driver.ts'

const submitPath = '/v1/ai/default/imgf/image/generate'
const requested = { prompt: 'x', model: 'fake', seed: 5 }
const program = fileURLToPath(new URL('./testing/pages-program.ts', import.meta.url))

interface Shown {
  state: string
  outputs: { role: string; index: number; url: string }[]
}

const rolesOf = ({ outputs }: Shown) => outputs.map(({ role, index }) => [role, index])
const textOf = async (url: string) => (await fetch(url)).text()

test('each file is shown and can be fetched as soon as it is stored, by polls and by events', async () => {
  const pages = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let turned = 0
  const driver = pagesDriver(() => pages[turned++]?.promise ?? Promise.resolve())
  await using gateway = await startTestGateway({ drivers: [driver], yaml: fakeModelYaml('pages') })
  const { body } = await gateway.call(submitPath, { body: requested })
  const show = async (): Promise<Shown> => (await gateway.call(`/v1/tasks/${body.id}`)).body
  const shownOf = (count: number) =>
    until(async () => {
      const shown = await show()
      return shown.outputs.length === count ? shown : undefined
    }, `${count} outputs`)

  const first = await shownOf(1)
  assert.deepEqual([first.state, rolesOf(first)], ['running', [['cover', 0]]])
  assert.equal(await textOf(first.outputs[0]?.url ?? ''), 'page 1 of try 1')
  const events = gateway.call(`/v1/tasks/${body.id}/events`)
  pages[0]?.resolve()
  assert.deepEqual(rolesOf(await shownOf(2)), [
    ['cover', 0],
    ['page', 1],
  ])
  pages[1]?.resolve()
  const last = await shownOf(3)
  assert.deepEqual(rolesOf(last)[2], ['page', 2])
  assert.equal(await textOf(last.outputs[2]?.url ?? ''), 'page 3 of try 1')
  const reported = [...(await events).bytes.toString().matchAll(/^event: (.+)\ndata: (.+)$/gm)].map(([, name, data = '']) => {
    const { task_id, at, ...rest } = JSON.parse(data)
    return [name, rest]
  })
  assert.deepEqual(reported, [
    ['task.queued', {}],
    ['task.running', { attempt: 1 }],
    ['task.output', { role: 'cover', index: 0 }],
    ['task.output', { role: 'page', index: 1 }],
    ['task.succeeded', { outputs: 3 }],
  ])
})

test('a program that is killed between two files starts again, and the task has the files of one run only', async context => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-pages-'))
  const config = join(dataDir, 'gateway.yaml')
  await writeFile(config, fakeModelYaml('pages'))
  const options = {
    dataDir,
    port: await freePort(),
    command: [process.execPath, program] as [string, string],
    env: { GATEWAY_CONFIG: config, GATEWAY_ENGINE_WORKERS: '0' },
  }
  let running = await startProgram(options)
  context.after(async () => {
    await running.kill()
    await rm(dataDir, { recursive: true, force: true })
  })
  const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
  const submitted = await fetch(running.url + submitPath, { method: 'POST', headers, body: JSON.stringify(requested) })
  // The cast is safe: family F1 answers a submit with an id.
  const { id } = (await submitted.json()) as { id: string }
  const show = async (isReady: (shown: Shown) => boolean) =>
    until(async () => {
      const shown = (await (await fetch(`${running.url}/v1/tasks/${id}`, { headers })).json()) as Shown
      return isReady(shown) ? shown : undefined
    }, 'the outputs')
  const before = await show(({ outputs }) => outputs.length > 0)
  assert.deepEqual([before.state, rolesOf(before)], ['running', [['cover', 0]]])
  await running.kill()
  running = await startProgram(options)
  const after = await show(({ state }) => state === 'succeeded')
  assert.deepEqual(rolesOf(after), [
    ['cover', 0],
    ['page', 1],
    ['page', 2],
  ])
  assert.deepEqual(await Promise.all(after.outputs.map(({ url }) => textOf(url))), [
    'page 1 of try 2',
    'page 2 of try 2',
    'page 3 of try 2',
  ])
  assert.equal((await fetch(before.outputs[0]?.url ?? '')).status, 410)
})
