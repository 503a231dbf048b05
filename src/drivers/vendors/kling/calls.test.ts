/** Tests how requests are translated into requests to the vendor, and how its answers are read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageEditRequest } from '@generation-gateway/kit/requests/image.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { UpstreamAnswerError } from '../../shared/upstream/upstream-failures.ts'
import { faultOf, refusedStart, taskStateIn } from './answers.ts'
import { editedImages } from './images.ts'
import { videoIdIn } from './task-runs.ts'
import { videos } from './videos.ts'

const plain: VideoGenerateRequest = {
  ...{ prompt: 'a ferry', width: 1920, height: 1080, seconds: 5, count: 1, seed: '7' },
  ...{ sound: false, expandPrompt: false, safetyTolerance: 2, watermark: false },
}
const file = (role: string, width = 1600, height = 900): InputFacts => ({ role, mediaType: 'image/png', bytes: 9, width, height })
const written = {
  base64: ({ role, width }: InputFacts) => `${role}-${width}`,
  videoId: () => 'v-33',
}
const call = (model: string, request: Partial<VideoGenerateRequest> = {}, inputs: InputFacts[] = []) =>
  videos.call({ request: { ...plain, ...request }, model, settings: {} }, inputs, written)
const refused = (says: RegExp, ...[model, request, inputs]: Parameters<typeof call>) =>
  assert.throws(() => call(model, request, inputs), { code: 'not_implemented', message: says })

test('text: the grade decides the mode, else the size; each model has its own fields', () => {
  assert.deepEqual(call('kling-v1', { promptStrength: 0.7, negativePrompt: 'rain', camera: [{ zoom: -3 }], grade: 'standard' }), {
    path: '/videos/text2video',
    body: {
      ...{ duration: '5', mode: 'std', cfg_scale: 0.7, prompt: 'a ferry', negative_prompt: 'rain' },
      ...{ camera_control: { type: 'simple', config: { zoom: -3 } }, aspect_ratio: '16:9' },
    },
  })
  const body = { duration: '10', prompt: 'a ferry', aspect_ratio: '9:16' }
  assert.deepEqual(call('kling-v2-1-master', { promptStrength: 0.7, width: 1080, height: 1920, seconds: 10 }).body, body)
  assert.deepEqual(call('kling-v2-6', { sound: true, watermark: true }).body, {
    ...{ duration: '5', mode: 'pro', sound: 'on', watermark_info: { enabled: true }, prompt: 'a ferry', aspect_ratio: '16:9' },
  })
  assert.equal(call('kling-v2-5-turbo', { width: 720, height: 720 }).body.mode, 'std')
  for (const [camera, type] of [
    [{ vertical: -5, depth: -5 }, 'down_back'],
    [{ depth: 5, tilt: 5 }, 'forward_up'],
    [{ pan: 5, depth: 5 }, 'right_turn_forward'],
    [{ pan: -5, depth: 5 }, 'left_turn_forward'],
  ] as const)
    assert.deepEqual(call('kling-v1', { camera: [camera] }).body.camera_control, { type })
  refused(/^camera: .* takes one movement, not 2/, 'kling-v1', { camera: [{ zoom: 1 }, {}] })
  refused(/^camera: .* takes one direction/, 'kling-v1', { camera: [{ follow: true }] })
  refused(/^seconds: .* makes 5 or 10 seconds, not 8/, 'kling-v2-6', { seconds: 8 })
  refused(/^width: .* 16:9, 9:16, 1:1, not 1600x1200/, 'kling-v2-6', { width: 1600, height: 1200 })
  refused(/^sound: /, 'kling-v1-6', { sound: true })
  refused(/^count: /, 'kling-v1', { count: 2 })
  const elements = ['829836802793406551']
  refused(/^elements: .* takes no stored subjects/, 'kling-v2-6', { elements })
  refused(/^elements: /, 'kling-v1', { elements }, [file('first-frame')])
  refused(/makes pictures, no videos/, 'kling-image-o1')
  refused(/does not know the model kling-v9/, 'kling-v9')
})

test('a video of the vendor is extended by its id', () => {
  const earlier: InputFacts = { role: 'earlier', mediaType: 'video/mp4', bytes: 9, durationSeconds: 5 }
  assert.deepEqual(call('kling-v1-6', { prompt: 'it turns', negativePrompt: 'rain', promptStrength: 0.7, grade: 'high' }, [earlier]), {
    path: '/videos/video-extend',
    body: { video_id: 'v-33', prompt: 'it turns', negative_prompt: 'rain', cfg_scale: 0.7 },
  })
  refused(/^earlier: .* does not go on with videos/, 'kling-v2-6', {}, [earlier])
  refused(/^seconds: .* goes on for 4 to 5 s, not 10/, 'kling-v1', { seconds: 10 }, [earlier])
  refused(/^first-frame: /, 'kling-v1', {}, [earlier, file('first-frame')])
  refused(/^elements: /, 'kling-v1', { elements: ['7'] }, [earlier])
  const kept = { ...earlier, path: '/v.mp4' }
  assert.equal(videoIdIn({ ...kept, origin: { detail: { kling: { videoId: 'v-33' } }, index: 0 } }), 'v-33')
  for (const input of [kept, { ...kept, origin: { detail: { studio: {} }, index: 0 } }])
    assert.throws(() => videoIdIn(input), {
      code: 'not_implemented',
      message: /^earlier: Kling goes on only with a video that it has made itself/,
    })
})

test('pictures: frames and masks are sent with their paths', () => {
  const paths = [[{ x: 1, y: 2 }], [{ x: 3, y: 4 }]]
  const inputs = [file('motion-mask', 1), file('first-frame'), file('still-mask', 2), file('motion-mask', 3)]
  assert.deepEqual(call('kling-v1', { paths, grade: 'high' }, inputs), {
    path: '/videos/image2video',
    body: {
      ...{ duration: '5', mode: 'pro', prompt: 'a ferry', image: 'first-frame-1600', static_mask: 'still-mask-2' },
      dynamic_masks: [
        { mask: 'motion-mask-1', trajectories: paths[0] },
        { mask: 'motion-mask-3', trajectories: paths[1] },
      ],
    },
  })
  assert.equal(call('kling-v1-6', {}, [file('last-frame')]).body.image_tail, 'last-frame-1600')
  refused(/^reference: /, 'kling-v1', {}, [file('reference')])
})

test('omni: shots, frames, references, and subjects by number are sent', () => {
  const shots = [
    { prompt: 'wide', seconds: 3 },
    { prompt: 'close on <<<element_1>>>', seconds: 4 },
  ]
  const inputs = [file('first-frame', 1), file('last-frame', 2), file('subject', 3)]
  assert.deepEqual(call('kling-v3-omni', { prompt: '', shots, seconds: 7 }, inputs), {
    path: '/videos/omni-video',
    body: {
      ...{ duration: '7', mode: 'pro', sound: 'off', multi_shot: true, shot_type: 'customize' },
      multi_prompt: [
        { index: 1, prompt: 'wide', duration: '3' },
        { index: 2, prompt: 'close on <<<image_3>>>', duration: '4' },
      ],
      image_list: [
        { image_url: 'first-frame-1', type: 'first_frame' },
        { image_url: 'last-frame-2', type: 'end_frame' },
        { image_url: 'subject-3' },
      ],
    },
  })
  const prompt = '<<<element_2>>> and <<<element_3>>> with <<<image_1>>>'
  const subjects = [
    { name: 'a', pictures: 2 },
    { name: 'b', pictures: 1 },
  ]
  const { body } = call('kling-v3-omni', { prompt, subjects, elements: ['829836802793406551'], ownShots: true }, [
    ...['reference', 'subject', 'subject', 'subject'].map(role => file(role)),
  ])
  assert.deepEqual(
    [body.prompt, body.shot_type, body.aspect_ratio],
    ['<<<image_4>>> and <<<element_1>>> with <<<image_1>>>', 'intelligence', '16:9'],
  )
  assert.equal(JSON.stringify(body.element_list), '[{"element_id":829836802793406551}]')
  refused(/^base: .* only from an address/, 'kling-v3-omni', {}, [file('base')])
  refused(/^shots: /, 'kling-v1', { shots })
  refused(/^negativePrompt: /, 'kling-v3-omni', { negativePrompt: 'x' })
  refused(/^reference: .* 7 pictures and subjects, not 8/, 'kling-v3-omni', {}, Array(8).fill(file('reference')))
})

test('omni images: the size decides ratio and tier; pictures are sent by number', () => {
  const request: ImageEditRequest = {
    prompt: 'put The second picture into the first picture',
    seed: '7',
    expandPrompt: false,
    safetyTolerance: 2,
    format: 'png',
  }
  const edit = (changes: Partial<ImageEditRequest>, model = 'kling-image-o1') =>
    editedImages.call(
      { request: { ...request, ...changes }, model, settings: {} },
      [file('image', 800, 400), file('image', 300, 300)],
      written,
    ).body
  assert.deepEqual(edit({ variants: 2, markedCopy: true }), {
    prompt: 'put <<<image_2>>> into <<<image_1>>>',
    ...{ image_list: [{ image: 'image-800' }, { image: 'image-300' }], resolution: '1k', aspect_ratio: 'auto' },
    ...{ result_type: 'single', n: 2, watermark_info: { enabled: true } },
  })
  const sized = ({ resolution, aspect_ratio, result_type, series_amount }: Record<string, unknown>) => [
    resolution,
    aspect_ratio,
    result_type,
    series_amount,
  ]
  assert.deepEqual(sized(edit({ width: 2896, height: 1448, series: true, variants: 3 })), ['2k', 'auto', 'series', 3])
  assert.deepEqual(sized(edit({ width: 5456, height: 3072, aspectRatio: '16:9' }, 'kling-v3-omni')), ['4k', '16:9', 'single', undefined])
  assert.throws(() => edit({ width: 600, height: 600 }), { message: /^width: .* 1024, 2048, 4096 squared/ })
  assert.throws(() => edit({ width: 1448, height: 724, aspectRatio: undefined as never, variants: 10 }), { message: /^variants: / })
  assert.throws(() => edit({}, 'kling-v1'), { message: /makes videos, no pictures/ })
})

test('the vendor’s code decides the kind of an error, not the status', () => {
  const thrown = (code: number, status: number, ours: 'rate_limited' | 'upstream_auth_error' | 'invalid_request' | 'overloaded') =>
    new GatewayError(ours, 'x', { cause: new UpstreamAnswerError(status, undefined, String(code), { code, message: 'so it is' }) })
  for (const [code, ours] of [
    [1102, 'upstream_quota_exhausted'],
    [1101, 'upstream_quota_exhausted'],
    [1100, 'upstream_auth_error'],
    [1304, 'upstream_auth_error'],
    [1302, 'rate_limited'],
    [1303, 'rate_limited'],
  ] as const)
    assert.throws(() => refusedStart(thrown(code, 429, 'rate_limited'), []), { code: ours })
  assert.deepEqual(refusedStart(thrown(1301, 400, 'invalid_request'), ['so it']), {
    state: 'failed',
    code: 'request_moderated',
    message: 'Kling answered with 1301: *** is',
  })
  assert.throws(() => faultOf({}, 1203, []), { code: 'capability_unavailable' })
  assert.throws(() => faultOf({}, 5002, []), { code: 'upstream_timeout' })
  assert.equal(faultOf({}, 4711, []).code, 'upstream_error')
  const seen = (task_status: string, task_status_msg = '') => taskStateIn({ code: 0, data: { task_status, task_status_msg } }, [])
  assert.deepEqual(seen('submitted'), { state: 'running' })
  assert.deepEqual(seen('failed', 'no memory'), {
    state: 'failed',
    code: 'upstream_error',
    message: 'Kling failed on the task: no memory.',
  })
  assert.throws(() => seen('succeeded'), { code: 'upstream_error' })
})
