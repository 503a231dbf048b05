import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { base64Of } from './base64-stream.ts'

async function textOf(chunks: Buffer[]): Promise<string> {
  const parts: Buffer[] = []
  const source = async function* () {
    yield* chunks
  }
  for await (const part of base64Of(source())) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('the text is the same however the bytes are split', async () => {
  const bytes = randomBytes(1001)
  for (const size of [1, 2, 3, 4, 5, 7, 64, 1000, 1001]) {
    const chunks: Buffer[] = []
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
    assert.equal(await textOf(chunks), bytes.toString('base64'), `chunks of ${size}`)
  }
})

test('no bytes give no text', async () => {
  assert.equal(await textOf([]), '')
  assert.equal(await textOf([Buffer.alloc(0)]), '')
})
