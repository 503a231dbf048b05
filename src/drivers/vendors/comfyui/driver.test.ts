import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { Value } from 'typebox/value'
import { assertPixel, onePixelPng } from '../../../testing/fakes/fake-driver.ts'
import { errorReply, hangingReply, jsonReply, rawReply } from '../../../testing/fakes/fake-upstream.ts'
import { driverSuite } from '../../suite/suite.ts'
import comfyui, { comfyuiDriver } from './driver.ts'

const request: ImageGenerateRequest = {
  prompt: 'a cat',
  width: 64,
  height: 96,
  count: 1,
  seed: '7',
  expandPrompt: false,
  safetyTolerance: 2,
  format: 'png',
}
const workflow = join(import.meta.dirname, 'fixtures/text-to-image.json')
const nothing = jsonReply({})
const emptyQueue = jsonReply({ queue_running: [], queue_pending: [] })
const runningQueue = jsonReply({ queue_running: [[1, 'p1', {}, {}, ['9']]], queue_pending: [] })
const taken = jsonReply({ prompt_id: 'p1', number: 1, node_errors: {} })
const images = [{ filename: 'gateway_00001_.png', subfolder: '', type: 'output' }]
const finished = jsonReply({
  p1: { prompt: [1, 'p1', {}, {}, ['9']], outputs: { 9: { images } }, status: { status_str: 'success', completed: true, messages: [] } },
})
const refused = {
  error: { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation', details: '', extra_info: {} },
  node_errors: {
    4: {
      errors: [{ type: 'value_not_in_list', message: 'Value not in list', details: 'ckpt_name', extra_info: { input_name: 'ckpt_name' } }],
      dependent_outputs: ['9'],
      class_type: 'CheckpointLoaderSimple',
    },
  },
}

driverSuite('a ComfyUI server', {
  driver: comfyuiDriver({ repeatAfterMs: [], maxPictureBytes: 100 }),
  settings: (base_url, api_key) => ({ base_url, api_key, workflow }),
  capability: 'image.generate',
  request,
  good: () => [nothing, emptyQueue, taken, nothing, runningQueue, finished, rawReply(onePixelPng)],
  check: done => assertPixel(done, { seed: '7', prompt: 'a cat', notDrawn: [] }),
  hanging: hangingReply(['never ending']),
  refusal: (status, message, headers) => errorReply(status, { message }, headers),
  failed: { replies: [nothing, emptyQueue, jsonReply(refused, 400)], code: 'upstream_error' },
  polled: { isStart: ({ method, path }) => method === 'POST' && path.endsWith('/prompt') },
  outputs: { leftOut: 'the pictures come from the server itself, never from another host' },
  relays: { leftOut: 'a ComfyUI server holds no conversations' },
})

test('settings accept the names of a request and no others', () => {
  const base = { base_url: 'http://127.0.0.1:8188', workflow: 'w.json' }
  const accepts = (changes: object) => Value.Check(comfyui.settings, { ...base, ...changes })
  assert.ok(
    accepts({ inputs: { prompt: '6.text', image: 'Load.image' }, values: { '3.steps': 30, '3.cfg': 6.5, '4.on': true }, output: '9' }),
  )
  assert.ok(accepts({ headers: { authorization: 'Basic eA==' }, timeout_seconds: 5 }))
  assert.ok(!accepts({ inputs: { promt: '6.text' } }))
  assert.ok(!accepts({ inputs: { prompt: 6 } }))
  assert.ok(!accepts({ values: { '3.steps': ['4', 0] } }))
  assert.ok(!accepts({ workflow: '' }))
  assert.ok(!accepts({ flow: 'x' }))
})
