/** Tests jobs on the built-in engine: four pictures, a redraw of a region of one of them, and its
 *  upscale. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { differencesBetween } from '@generation-gateway/kit/testing/likeness.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { type Answer, startTestGateway, type TestGateway } from '../../testing/gateway.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
})
after(() => gateway[Symbol.asyncDispose]())

async function ended(operation: string, body: object): Promise<Answer['body']> {
  const submitted = await gateway.call(`/v1/ai/default/tob/${operation}`, { body })
  assert.equal(submitted.status, 200, JSON.stringify(submitted.body))
  return until(async () => {
    const { body: job } = await gateway.call(`/v1/ai/default/tob/job/${submitted.body.id}`)
    return job.status < 2 ? undefined : job
  }, 'the end of the job')
}

async function pixelsAt(url: string) {
  const { data, info } = await sharp(Buffer.from(await (await fetch(url)).arrayBuffer()))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

test('a region of a picture is redrawn, and the result is upscaled', { timeout: 300_000 }, async () => {
  const job = await ended('diffusion', { text: 'a white rabbit in a meadow --draft --seed 3' })
  assert.deepEqual([job.status, job.comment, job.urls.length, job.audits], [2, 'Success', 4, ['', '', '', '']])
  const before = await pixelsAt(job.urls[1])
  assert.deepEqual([before.width, before.height], [512, 512])
  // The right half of a picture, in coordinates of a display of 1000 x 1000.
  const areas = [{ width: 1000, height: 1000, points: [500, 0, 1000, 0, 1000, 1000, 500, 1000] }]
  const redrawn = await ended('inpaint', { jobId: job.id, imageNo: 1, mask: { areas }, remixPrompt: 'a red balloon' })
  assert.deepEqual([redrawn.status, redrawn.urls.length], [2, 4], JSON.stringify(redrawn))
  const after = await pixelsAt(redrawn.urls[0])
  const changed = { left: 0, right: 0, red: 0 }
  for (let i = 0; i < after.data.length; i += 4) {
    const [r = 0, g = 0, b = 0] = after.data.subarray(i, i + 3)
    const side = (i / 4) % 512 < 256 ? 'left' : 'right'
    if (before.data[i] !== r || before.data[i + 1] !== g || before.data[i + 2] !== b) changed[side] += 1
    if (side === 'right' && r > 150 && g < 90 && b < 90) changed.red += 1
  }
  assert.equal(changed.left, 0)
  assert.ok(changed.right > 1000 && changed.red > 400, JSON.stringify(changed))
  const large = await ended('upscale', { jobId: redrawn.id, imageNo: 0, type: 0 })
  assert.deepEqual([large.status, large.urls.length], [2, 1], JSON.stringify(large))
  const upscaled = await pixelsAt(large.urls[0])
  assert.deepEqual([upscaled.width, upscaled.height], [1024, 1024])
  assert.deepEqual(differencesBetween(upscaled, after, { rows: 12 }), [])
})
