import assert from 'node:assert/strict'
import type { MusicRequest } from '@generation-gateway/kit/requests/music.ts'
import { hangingReply, jsonReply, rawReply } from '../../../testing/fakes/fake-upstream.ts'
import { driverSuite } from '../../suite/suite.ts'
import mureka from './driver.ts'
import { tone } from './testing/sounds.ts'

const request: MusicRequest = { lyrics: '[Verse]\nla la', prompt: 'folk', count: 1, seed: '7' }
const task = (status: string, more: object = {}) =>
  jsonReply({ id: '91500231', created_at: 1771700000, model: 'up-1', status, trace_id: 't-5c1', ...more })
const sections = [{ section_type: 'verse', start: 100, end: 400, lines: [{ start: 100, end: 400, text: 'la la' }] }]

driverSuite('Mureka', {
  driver: mureka,
  settings: (base_url, api_key) => ({ base_url, api_key }),
  capability: 'music.song',
  request,
  good: (_baseUrl, otherBaseUrl) => [
    task('preparing'),
    task('running'),
    task('succeeded', {
      choices: [{ index: 0, id: 's-1', url: `${otherBaseUrl}/a.mp3`, duration: 500, lyrics_sections: sections }],
    }),
  ],
  check: done => {
    const pieces = [{ seed: '7', seconds: 0.5, style: 'folk', lines: [{ text: 'la la', startSeconds: 0.1, endSeconds: 0.4 }] }]
    assert.deepEqual(done.report, { pieces, notFollowed: ['seed'] })
    assert.deepEqual(
      done.files.map(({ role, mediaType }) => [role, mediaType]),
      [['song', 'audio/mpeg']],
    )
    assert.deepEqual(done.usage, [{ unit: 'seconds', units: 0.5 }])
  },
  hanging: hangingReply(['never ending']),
  refusal: (status, message, headers) => jsonReply({ error: { message }, trace_id: 't-1' }, status, headers),
  failed: {
    replies: [task('preparing'), task('failed', { failed_reason: 'lyrics contain sensitive words' })],
    code: 'content_moderated',
  },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { isStart: ({ method }) => method === 'POST' },
  outputs: 'files',
  file: rawReply(await tone('mp3'), 200, { 'content-type': 'audio/mpeg' }),
  relays: { leftOut: 'the vendor speaks neither chat nor responses' },
})
