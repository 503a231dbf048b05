/** Tests family H on the built-in engine: videos of a subject, whose picture has to show a face. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { assertDocumented } from '../../testing/documented.ts'
import { startTestGateway } from '../../testing/gateway.ts'

test('a subject without a face is accepted, ends as Fail with the reason, and costs nothing', async () => {
  await using gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
  const path = '/v1/ai/default/vidh/video'
  const meadow = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#4a8a3a' } })
    .jpeg()
    .toBuffer()
  const image = [`data:image/jpeg;base64,${meadow.toString('base64')}`]
  const created = await gateway.call(`${path}/generate`, {
    body: { prompt: 'She waves', subjectReference: [{ type: 'character', image }] },
  })
  assert.equal(created.status, 200, JSON.stringify(created.body))
  const ended = await until(async () => {
    const answer = await gateway.call(`${path}/task/${created.body.taskId}`)
    assertDocumented('getClip', answer)
    return ['Success', 'Fail'].includes(answer.body.status) ? answer.body : undefined
  }, 'the end of the task')
  const status_msg = 'subjectReference: no valid subject content: no human face is seen in the picture.'
  assert.deepEqual([ended.status, ended.fileId, ended.base_resp], ['Fail', '', { status_code: 2013, status_msg }])
  const usage = await gateway.call('/v1/usage')
  assert.deepEqual(usage.body.data, [], JSON.stringify(usage.body))
})
