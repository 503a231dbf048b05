import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedTokens } from '../expected-tokens.ts'

const base64 = (bytes: number) => 'A'.repeat(Math.ceil((bytes * 4) / 3))
const megabyte = base64(2 ** 20)
const pdf = `data:application/pdf;base64,${megabyte}`

/** Returns the estimated number of input tokens of one part. */
const chat = (part: object) => expectedTokens('chat', { messages: [{ role: 'user', content: [part] }] } as never).inputTokens
const messages = (part: object) => expectedTokens('messages', { messages: [{ role: 'user', content: [part] }] } as never).inputTokens
const gemini = (part: object) => expectedTokens('generate-content', { contents: [{ role: 'user', parts: [part] }] } as never).inputTokens
const near = (found: number, expected: number) => assert.ok(found >= expected && found <= expected + 60, `${found}, not ${expected}`)

test('the amount held for a PDF follows its size, is the same in every protocol, and covers at most 100 pages', () => {
  near(chat({ type: 'file', file: { file_data: pdf, filename: 'a.pdf' } }), 78_000)
  near(expectedTokens('responses', { input: [{ role: 'user', content: [{ type: 'input_file', file_data: pdf }] }] }).inputTokens, 78_000)
  near(messages({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: megabyte } }), 78_000)
  near(gemini({ inlineData: { mimeType: 'application/pdf', data: megabyte } }), 78_000)
  near(gemini({ inlineData: { mimeType: 'application/pdf', data: base64(9_000) } }), 3_000)
  near(gemini({ inlineData: { mimeType: 'application/pdf', data: base64(20 * 2 ** 20) } }), 300_000)
})

test('the amount held for videos and sounds follows the seconds that their size may contain', () => {
  near(gemini({ inlineData: { mimeType: 'video/mp4', data: megabyte } }), 7_800)
  near(chat({ type: 'video_url', video_url: { url: `data:video/mp4;base64,${megabyte}` }, fps: 2 }), 15_600)
  near(chat({ type: 'input_audio', input_audio: { data: megabyte, format: 'mp3' } }), 8_192)
  near(gemini({ fileData: { mimeType: 'video/mp4', fileUri: 'https://youtu.be/x' } }), 90_000)
  near(messages({ type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }), 60_000)
})

test('the amount held for a clip covers the seconds that the model sees, and at most the whole video', () => {
  const video = { inlineData: { mimeType: 'video/mp4', data: megabyte } }
  const clip = (videoMetadata: object, part: object = video) => gemini({ ...part, videoMetadata })
  near(clip({ startOffset: '10s', endOffset: '20.5s' }), 3_465)
  near(clip({ end_offset: '5s' }, { inline_data: { mime_type: 'video/mp4', data: megabyte } }), 1_650)
  near(clip({ endOffset: '1s' }), 1_000)
  near(clip({ endOffset: '3600s' }), 7_800)
  near(clip({ endOffset: '60s' }, { fileData: { mimeType: 'video/mp4', fileUri: 'https://youtu.be/x' } }), 19_800)
  near(clip({ fps: 5 }), 39_000)
  near(clip({ fps: 5, endOffset: '4s' }), 6_600)
  near(clip({ fps: 1e308 }, { fileData: { mimeType: 'video/mp4', fileUri: 'https://youtu.be/x' } }), 1_000_000)
  // One frame in ten seconds, but the sound of every second.
  near(clip({ fps: 0.1 }, { fileData: { mimeType: 'video/mp4', fileUri: 'https://youtu.be/x' } }), 18_720)
})

test('metadata without a certain clip never lowers the held amount', () => {
  const video = { inlineData: { mimeType: 'video/mp4', data: megabyte } }
  for (const metadata of [
    { startOffset: '60s' },
    { startOffset: '20s', endOffset: '10s' },
    { startOffset: '10s', endOffset: '10s' },
    ...['-5s', '5', 5, '1e1s', 'Infinitys', null, { seconds: 5 }, '5s\n'].map(endOffset => ({ endOffset })),
    { endOffset: '5s', end_offset: '3600s' },
    ...[0, -1, '0.1', null].map(fps => ({ fps })),
  ])
    near(gemini({ ...video, videoMetadata: metadata }), 7_800)
  near(gemini({ ...video, videoMetadata: { endOffset: '5s' }, video_metadata: { endOffset: '3600s' } }), 7_800)
  near(gemini({ ...video, videoMetadata: 'endOffset' }), 7_800)
  near(gemini({ inlineData: { mimeType: 'application/pdf', data: megabyte }, videoMetadata: { endOffset: '1s' } }), 78_000)
  near(
    chat({ type: 'video_url', video_url: { url: `data:video/mp4;base64,${megabyte}` }, fps: 0.2, videoMetadata: { endOffset: '1s' } }),
    7_800,
  )
})

test('the amount held for a text is the same in every protocol, in any spelling of its media type', () => {
  for (const type of [
    'text/plain',
    ' TEXT/csv',
    'application/json',
    'application/rtf',
    'application/x-python',
    'application/ld+json',
    'image/svg+xml',
  ])
    near(gemini({ inlineData: { mimeType: type, data: base64(30_000) } }), type.startsWith('image') ? 1_000 : 15_000)
  const data = base64(30_000)
  near(messages({ type: 'document', source: { type: 'base64', media_type: 'application/rtf', data } }), 15_000)
  near(chat({ type: 'file', file: { file_data: `data:application/x-yaml;base64,${data}` } }), 15_000)
  for (const type of ['application/pdf', 'application/x-pdf', 'application/zip'])
    near(gemini({ inlineData: { mimeType: type, data } }), 3_000)
})

test('the amount held for a picture is 1,000 tokens, whatever its size', () => {
  near(chat({ type: 'image_url', image_url: { url: `data:image/png;base64,${megabyte}` } }), 1_000)
  near(messages({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: megabyte } }), 1_000)
})
