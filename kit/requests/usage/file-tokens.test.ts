import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedTokens } from '../expected-tokens.ts'

const base64 = (bytes: number) => 'A'.repeat(Math.ceil((bytes * 4) / 3))
const megabyte = base64(2 ** 20)
const pdf = `data:application/pdf;base64,${megabyte}`

/** The input tokens of one part, without those of the members around the file. */
const chat = (part: object) => expectedTokens('chat', { messages: [{ role: 'user', content: [part] }] } as never).inputTokens
const messages = (part: object) => expectedTokens('messages', { messages: [{ role: 'user', content: [part] }] } as never).inputTokens
const gemini = (part: object) => expectedTokens('generate-content', { contents: [{ role: 'user', parts: [part] }] } as never).inputTokens
const near = (found: number, expected: number) => assert.ok(found >= expected && found <= expected + 60, `${found}, not ${expected}`)

test('a PDF is held by its size, the same in every protocol, and no more than 100 pages', () => {
  near(chat({ type: 'file', file: { file_data: pdf, filename: 'a.pdf' } }), 78_000)
  near(expectedTokens('responses', { input: [{ role: 'user', content: [{ type: 'input_file', file_data: pdf }] }] }).inputTokens, 78_000)
  near(messages({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: megabyte } }), 78_000)
  near(gemini({ inlineData: { mimeType: 'application/pdf', data: megabyte } }), 78_000)
  near(gemini({ inlineData: { mimeType: 'application/pdf', data: base64(9_000) } }), 3_000)
  near(gemini({ inlineData: { mimeType: 'application/pdf', data: base64(20 * 2 ** 20) } }), 300_000)
})

test('videos and sounds are held by the seconds that their size may have', () => {
  near(gemini({ inlineData: { mimeType: 'video/mp4', data: megabyte } }), 7_800)
  near(chat({ type: 'video_url', video_url: { url: `data:video/mp4;base64,${megabyte}` }, fps: 2 }), 15_600)
  near(chat({ type: 'input_audio', input_audio: { data: megabyte, format: 'mp3' } }), 8_192)
  near(gemini({ fileData: { mimeType: 'video/mp4', fileUri: 'https://youtu.be/x' } }), 90_000)
  near(messages({ type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }), 60_000)
})

test('a picture is held at 1,000 tokens, whatever its size', () => {
  near(chat({ type: 'image_url', image_url: { url: `data:image/png;base64,${megabyte}` } }), 1_000)
  near(messages({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: megabyte } }), 1_000)
})
