import assert from 'node:assert/strict'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { hangingReply, jsonReply, rawReply } from '../../../testing/fakes/fake-upstream.ts'
import { realClip } from '../../../testing/real-clip.ts'
import { driverSuite } from '../../suite/suite.ts'
import minimax from './driver.ts'

const request: VideoGenerateRequest = {
  ...{ prompt: 'a kite over dunes', camera: [{ depth: 5 }], width: 1366, height: 768, seconds: 6, count: 1, seed: '7' },
  ...{ sound: false, expandPrompt: true, safetyTolerance: 2, watermark: false },
}
const base_resp = { status_code: 0, status_msg: 'success' }
const clip = await realClip({ width: 64, height: 36, framesPerSecond: 24, frames: 12 })

driverSuite('MiniMax', {
  driver: minimax,
  // The driver cannot derive the group from the model name of the suite, so the settings state it.
  settings: (base_url, api_key) => ({ base_url, api_key, model_group: 'hailuo' }),
  capability: 'video.generate',
  request,
  good: (_baseUrl, otherBaseUrl) => [
    jsonReply({ task_id: '4410275520011', base_resp }),
    jsonReply({ task_id: '4410275520011', status: 'Queueing', file_id: '', base_resp }),
    jsonReply({ task_id: '4410275520011', status: 'Success', file_id: '2205517810044', video_width: 64, video_height: 36, base_resp }),
    jsonReply({ file: { file_id: 2205517810044, purpose: 'video_generation', download_url: `${otherBaseUrl}/v.mp4` }, base_resp }),
  ],
  check: ({ files, report, usage }) => {
    const [{ role, mediaType, width, height, durationSeconds } = { role: '', mediaType: '' }] = files
    assert.deepEqual([files.length, role, mediaType, width, height, durationSeconds], [1, 'video', 'video/mp4', 64, 36, 0.5])
    assert.deepEqual(report, { seed: '7', prompt: 'a kite over dunes', filtered: [], notFollowed: ['seed'] })
    assert.deepEqual(usage, [{ unit: 'seconds', units: 0.5 }])
  },
  hanging: hangingReply(['never ending']),
  refusal: (status, status_msg, headers) => jsonReply({ base_resp: { status_code: 2013, status_msg } }, status, headers),
  failed: {
    replies: [
      jsonReply({ task_id: 't', base_resp }),
      jsonReply({ task_id: 't', status: 'Fail', base_resp: { status_code: 1027, status_msg: 'output sensitive' } }),
    ],
    code: 'content_moderated',
  },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { isStart: ({ method }) => method === 'POST' },
  outputs: 'files',
  file: rawReply(clip),
  relays: { leftOut: 'no conversations are relayed' },
})
