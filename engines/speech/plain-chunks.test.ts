import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOf } from './language-of.ts'
import { plainChunks } from './plain-chunks.ts'

test('the first chunk of a mebibyte of text is found at once, and no chunk is longer than 300 characters', () => {
  for (const text of ['a'.repeat(2 ** 20), 'word '.repeat(2 ** 18).slice(0, 2 ** 20), '好'.repeat(2 ** 18)]) {
    const start = process.cpuUsage()
    assert.notEqual(languageOf(text), '')
    const chunks = plainChunks(text)
    assert.ok((chunks.next().value?.text.length ?? 0) <= 300)
    let said = 300
    for (const { text: part } of chunks) {
      assert.ok(part.length <= 300)
      said += part.length
    }
    assert.ok(said > text.length * 0.7, `${said} of ${text.length}`)
    const { user } = process.cpuUsage(start)
    assert.ok(user < 3e6, `${user / 1e6} s`)
  }
})

test('thousands of empty lines and marks give no speech', () => {
  for (const text of ['\n'.repeat(8192), ' \t\r\n'.repeat(4096), '...!!!?'.repeat(2000)])
    assert.equal(Array.from(plainChunks(text)).length, 0)
})
