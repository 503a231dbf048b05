import assert from 'node:assert/strict'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { onePixelPng } from '../../../testing/fakes/fake-driver.ts'
import { hangingReply, jsonReply, rawReply } from '../../../testing/fakes/fake-upstream.ts'
import { realClip } from '../../../testing/real-clip.ts'
import { driverSuite } from '../../suite/suite.ts'
import type { DriverSuite } from '../../suite/suite-options.ts'
import kling from './driver.ts'

const video: VideoGenerateRequest = {
  ...{ prompt: 'a ferry', width: 1280, height: 720, seconds: 5, count: 1, seed: '7', grade: 'standard', promptStrength: 0.5 },
  ...{ sound: false, expandPrompt: false, safetyTolerance: 2, watermark: true },
}
const image: ImageGenerateRequest = {
  ...{ prompt: 'a cat', width: 1024, height: 1024, count: 1, seed: '7', expandPrompt: false, safetyTolerance: 2, format: 'png' },
}
const clip = await realClip({ width: 64, height: 36, framesPerSecond: 24, frames: 12 })
const ok = { code: 0, message: 'SUCCEED', request_id: 'rq-1' }
const task = (task_status: string, rest = {}) => jsonReply({ ...ok, data: { task_id: '790021', task_status, ...rest } })
/** The vendor's error code for each HTTP status. */
const codes: Readonly<Record<number, number>> = { 400: 1201, 401: 1000, 403: 1103, 429: 1302, 500: 5000, 502: 5000, 503: 5001, 504: 5002 }
const common: Omit<DriverSuite<never>, 'settings' | 'capability' | 'request' | 'good' | 'check'> = {
  driver: kling,
  hanging: hangingReply(['never ending']),
  refusal: (status: number, message: string, headers: Record<string, string>) =>
    jsonReply({ code: codes[status], message, request_id: 'rq-2' }, status, headers),
  failed: {
    replies: [task('submitted'), task('failed', { task_status_msg: 'Failure to pass the risk control system' })],
    code: 'content_moderated',
  },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { isStart: ({ method }: { method: string }) => method === 'POST' },
  outputs: 'files',
  relays: { leftOut: 'the vendor speaks neither chat nor responses' },
}

driverSuite('Kling, videos', {
  ...common,
  settings: (base_url, api_key) => ({ base_url, api_key, model_group: 'v1' }),
  capability: 'video.generate',
  request: video,
  good: (_baseUrl, other) => [
    task('submitted'),
    task('processing'),
    task('succeed', { task_result: { videos: [{ id: 'v-33', url: `${other}/v.mp4`, watermark_url: `${other}/w.mp4`, duration: '0.5' }] } }),
  ],
  check: ({ files, report, usage }) => {
    assert.deepEqual(
      files.map(({ role, width, height, durationSeconds }) => [role, width, height, durationSeconds]),
      [
        ['video', 64, 36, 0.5],
        ['watermarked', 64, 36, 0.5],
      ],
    )
    assert.deepEqual(report, { seed: '7', prompt: 'a ferry', filtered: [], notFollowed: ['seed'] })
    assert.deepEqual(usage, [{ unit: 'seconds', units: 0.5 }])
  },
  file: rawReply(clip),
})

driverSuite('Kling, pictures', {
  ...common,
  settings: (base_url, api_key) => ({ base_url, api_key, model_group: 'image' }),
  capability: 'image.generate',
  request: image,
  good: (_baseUrl, other) => [task('submitted'), task('succeed', { task_result: { images: [{ index: 0, url: `${other}/p.png` }] } })],
  check: ({ files, report }) => {
    assert.deepEqual([files.length, files[0]?.mediaType, files[0]?.width], [1, 'image/png', 1])
    assert.deepEqual(report, { seed: '7', prompt: 'a cat', notDrawn: [], notFollowed: ['seed'] })
  },
  file: rawReply(onePixelPng),
})
