import assert from 'node:assert/strict'
import type { MusicRequest } from '@generation-gateway/kit/requests/music.ts'
import { errorReply, hangingReply, jsonReply, rawReply } from '../../../testing/fakes/fake-upstream.ts'
import { assertSpoken, heard, recording, spoken, toneAs } from '../../shared/sound/testing/sounds.ts'
import { driverSuite } from '../../suite/suite.ts'
import { gatewayDriver } from './driver.ts'

const request: MusicRequest = { lyrics: '[Verse]\nla la', prompt: 'folk', count: 1, seed: '7' }
const task = (status: string, more: object = {}) => jsonReply({ id: 't1', taskId: 't1', status, trace_id: 'x', ...more })
const sections = [{ section_type: 'verse', start: 100, end: 400, lines: [{ start: 100, end: 400, text: 'la la' }] }]
const mp3 = await toneAs({ container: 'mp3' })
const common = {
  driver: gatewayDriver({ repeatAfterMs: [] }),
  settings: (base_url: string, api_key: string) => ({ base_url, api_key }),
  refusal: (status: number, message: string, headers: Record<string, string>) => errorReply(status, { message }, headers),
  relays: ['chat', 'responses'] as const,
}

driverSuite('another gateway, music', {
  ...common,
  capability: 'music.song',
  request,
  good: (_baseUrl, otherBaseUrl) => [
    task('preparing'),
    task('running'),
    task('succeeded', {
      choices: [{ index: 0, id: 's-1', url: `${otherBaseUrl}/a.mp3`, duration: 1000, style: 'Folk', lyrics_sections: sections }],
      not_followed: ['melody_id'],
    }),
  ],
  check: done => {
    const pieces = [{ seed: '7', seconds: 1, style: 'Folk', lines: [{ text: 'la la', startSeconds: 0.1, endSeconds: 0.4 }] }]
    assert.deepEqual(done.report, { pieces, notFollowed: ['melody', 'seed'] })
    assert.deepEqual(
      done.files.map(({ role, mediaType }) => [role, mediaType]),
      [['song', 'audio/mpeg']],
    )
  },
  hanging: hangingReply(['never ending']),
  failed: {
    replies: [
      task('preparing'),
      task('failed', { failed_reason: 'No.' }),
      jsonReply({ id: 't1', state: 'failed', error: { code: 'content_moderated', message: 'No.', reasons: ['Violence'] } }),
    ],
    code: 'content_moderated',
  },
  polled: { isStart: ({ method }) => method === 'POST' },
  outputs: 'files',
  file: rawReply(mp3, 200, { 'content-type': 'audio/mpeg' }),
})

driverSuite('another gateway, speech', {
  ...common,
  settings: (base_url, api_key) => ({ base_url, api_key, speech: 'T3' }),
  capability: 'speech.synthesize',
  request: spoken,
  good: () => [rawReply(mp3, 200, { 'content-type': 'audio/mpeg' })],
  check: (done, events) => assertSpoken(done, events, mp3),
  hanging: hangingReply(['sound']),
  failed: { replies: [errorReply(400, { code: 'request_moderated', message: 'not this' })], code: 'request_moderated' },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { leftOut: 'the answer is the sound' },
  outputs: { leftOut: 'the answer is the sound' },
})

driverSuite('another gateway, recognition', {
  ...common,
  settings: (base_url, api_key) => ({ base_url, api_key, recognition: 'R3' }),
  capability: 'audio.transcribe',
  request: { ...heard, words: true, speakers: { most: 2, names: [] }, profanity: 'masked' },
  inputs: async folder => [await recording(folder)],
  good: () => [
    jsonReply({
      durationMilliseconds: 3000,
      combinedPhrases: [{ text: 'One two.' }],
      phrases: [
        {
          ...{ offsetMilliseconds: 500, durationMilliseconds: 1500, text: 'One two.', locale: 'en-US', confidence: 0.9, speaker: 1 },
          words: [{ text: 'One', offsetMilliseconds: 500, durationMilliseconds: 500 }],
        },
      ],
    }),
  ],
  check: done => {
    const segment = {
      ...{ text: 'One two.', startSeconds: 0.5, endSeconds: 2, language: 'en-US', confidence: 0.9, speaker: '1' },
      words: [{ text: 'One', startSeconds: 0.5, endSeconds: 1 }],
    }
    assert.deepEqual(done.report, { text: 'One two.', language: 'en-US', seconds: 3, segments: [segment] })
  },
  hanging: hangingReply(['{']),
  failed: { replies: [errorReply(400, { code: 'request_moderated', message: 'not this' })], code: 'request_moderated' },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { leftOut: 'the answer is the text' },
  outputs: { leftOut: 'the answer is the text' },
})
