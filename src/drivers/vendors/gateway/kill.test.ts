/** Kills the inner gateway, the upstream of the outer one, while it has tasks of F2, F3 and F4.
 *  Checks that each task is drawn once and counted once. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { freePort } from '../../../testing/free-port.ts'
import { testAdminKey } from '../../../testing/gateway.ts'
import { startProgram } from '../../../testing/program.ts'
import { artwork, batch, group, images, innerKey, sizeAt, startOuter } from './testing/chain.ts'

test('tasks of three families survive a kill of the inner gateway', { timeout: 600_000 }, async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-killed-'))
  const port = await freePort()
  const start = (workers: string) => startProgram({ dataDir, port, env: { GATEWAY_ACCESS_KEY: innerKey, GATEWAY_ENGINE_WORKERS: workers } })
  // With 0 engine processes no task can finish, so all tasks are unfinished when the gateway is
  // killed.
  let inner = await start('0')
  const outer = await startOuter(inner.url)
  t.after(async () => {
    await outer[Symbol.asyncDispose]()
    await inner.kill()
    await rm(dataDir, { recursive: true, force: true })
  })
  const admin = async (path: string) =>
    (await fetch(inner.url + path, { headers: { authorization: `Bearer ${testAdminKey}` } })).json() as Promise<Record<string, unknown[]>>
  const far = { gateway: outer }
  const requested = Promise.all([
    batch(far, { prompts: 'a red ball', batchsize: 2, aspect_ratio: '3:2', step: 4 }),
    group(far, { model: 'MaaS_ImgS_O1', prompt: 'a red ball', size: '512x512' }),
    artwork(far, 'diffusion', { text: 'a red ball --draft' }),
  ])
  await until(async () => (await admin('/admin/tasks')).tasks?.length === 3, 'the three inner tasks')
  await inner.kill()
  inner = await start('1')
  const [drawn, whole, job] = await requested
  assert.deepEqual([drawn.status, drawn.imageUrls.length], ['completed', 2], JSON.stringify(drawn))
  assert.equal(whole.status, 200, JSON.stringify(whole.body))
  assert.deepEqual([job.status, job.audits], [2, ['', '', '', '']], JSON.stringify(job))
  const urls = [...drawn.imageUrls, whole.body.data[0].url, ...job.urls]
  assert.deepEqual(await Promise.all(urls.map(sizeAt)), [...Array(2).fill('jpeg 768x512'), 'jpeg 512x512', ...Array(4).fill('png 512x512')])
  const counted = { MaaS_Art_v7: 4, MaaS_ImgB_fast: 2, MaaS_ImgS_O1: 1 }
  assert.deepEqual(await images(outer), counted)
  const { usage = [] } = await admin('/admin/usage?by=model')
  const innerImages = usage.map(Object).filter(({ unit }) => unit === 'images')
  assert.deepEqual(Object.fromEntries(innerImages.map(({ model, units }) => [model, units]).sort()), counted)
  assert.equal((await admin('/admin/tasks')).tasks?.length, 3)
  assert.deepEqual((await outer.admin('/admin/usage/open')).body.lines, [])
})
