/** Tests that limits of length count characters, and that long texts are checked without delay. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { addLengthKeywords, charactersIn } from './length-keywords.ts'

const own = new Ajv()
addLengthKeywords(own)

test('the keywords decide like those of Ajv, and report the limit', () => {
  const texts = ['', 'a', 'ab', 'abc', 'abcd', 'abcde', '🦊', '🦊🦊', '🦊🦊🦊', 'a🦊b', '\ud800', '\udc00\ud800', 'e\u0301', 'x'.repeat(9)]
  for (const limit of [0, 1, 2, 3, 4])
    for (const keyword of ['minLength', 'maxLength']) {
      const schema = { type: 'string', [keyword]: limit }
      const [ours, theirs] = [own.compile(schema), new Ajv().compile(schema)]
      for (const text of texts) {
        assert.equal(ours(text), theirs(text), `${keyword} ${limit} ${JSON.stringify(text)}`)
        assert.deepEqual(ours.errors?.[0]?.params, theirs.errors?.[0]?.params)
        assert.equal(charactersIn(text), [...text].length)
      }
    }
})

test('a text of 30 MB is checked in less than 20 ms of CPU time', () => {
  const validate = own.compile({ type: 'string', minLength: 1, maxLength: 200_000 })
  const text = 'x'.repeat(30_000_000)
  validate('x')
  const before = process.threadCpuUsage()
  assert.equal(validate(text), false)
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 20_000, `${(user + system) / 1000} ms`)
})
