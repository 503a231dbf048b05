/** Tests omni images of family K on the built-in engine for pictures (`studio`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { assertDocumented } from '../../testing/documented.ts'
import { startTestGateway } from '../../testing/gateway.ts'

test('the built-in engine draws omni images, each with a copy that differs only by the mark in its corner', async () => {
  await using gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
  const path = '/v1/ai/default/vidk/images/omni-image'
  const body = { prompt: 'a red lighthouse on a cliff', n: 2, aspect_ratio: '3:2', watermark_info: { enabled: true } }
  const { data } = (await gateway.call(path, { body })).body
  const { task_status, task_status_msg, task_result } = await until(async () => {
    const answer = await gateway.call(`${path}/${data.task_id}`)
    assertDocumented('getOmniImage', answer)
    return ['succeed', 'failed'].includes(answer.body.data.task_status) ? answer.body.data : undefined
  }, 'the end of the task')
  assert.deepEqual([task_status, task_status_msg, task_result.images.length, task_result.not_followed], ['succeed', '', 2, undefined])
  const pixels = async (url: string) =>
    sharp(await (await fetch(url)).arrayBuffer())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
  const [first, second] = await Promise.all(task_result.images.map(({ url }: { url: string }) => pixels(url)))
  assert.deepEqual([first.info.width, first.info.height], [1248, 832])
  assert.ok(!first.data.equals(second.data))
  for (const [index, plain] of [first, second].entries()) {
    const marked = await pixels(task_result.images[index].watermark_url)
    const rows: number[] = []
    for (let at = 0; at < plain.data.length; at++) if (plain.data[at] !== marked.data[at]) rows.push(Math.floor(at / 3 / 1248))
    assert.ok(rows.length > 100, 'nothing is marked')
    assert.ok(rows.every(row => row > 780))
  }
})
