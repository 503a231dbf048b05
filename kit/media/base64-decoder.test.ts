import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeBase64 } from './base64-decoder.ts'

test('short values are decoded by the same rules as long ones in files', () => {
  const text = 'hello, world?>'
  for (const style of ['base64', 'base64url'] as const) {
    const encoded = Buffer.from(text).toString(style)
    for (const given of [encoded, encoded.replace(/=+$/, ''), ` ${encoded.slice(0, 5)}\r\n${encoded.slice(5)} `]) {
      assert.equal(decodeBase64(given).bytes.toString(), text, given)
    }
  }
  assert.deepEqual(decodeBase64('data:image/webp;q=1;base64,QUI='), { bytes: Buffer.from('AB'), mediaType: 'image/webp' })
  assert.deepEqual(decodeBase64(''), { bytes: Buffer.alloc(0), mediaType: undefined })
  for (const url of [
    ' data:image/png;base64,QUI=',
    'data:image/png; base64,QUI=',
    'data:image/png ;BASE64 ,QUI%3D',
    'data:image/png;base64,%51U%0aI',
  ])
    assert.deepEqual(decodeBase64(url), { bytes: Buffer.from('AB'), mediaType: 'image/png' }, url)
  const faults: [string, string][] = [
    ['QUI%3D', 'alphabet'],
    ['data:image/png;base64,QUI%3', 'alphabet'],
    ['data:image/png;base64,QUI%00', 'alphabet'],
    ['QUI*', 'alphabet'],
    ['é', 'alphabet'],
    ['QUI==', 'padding'],
    ['Q', 'padding'],
    ['QUI=QUI=', 'padding'],
    ['data:image/png,QUI=', 'prefix'],
    [`data:${'x'.repeat(300)};base64,QUI=`, 'prefix'],
    ['QU\u0000I', 'control'],
  ]
  for (const [given, fault] of faults) assert.throws(() => decodeBase64(given), { fault }, given.slice(0, 30))
})

test('random bytes of any length are decoded correctly, however they are split', () => {
  for (const length of [1, 2, 3, 49_150, 49_151, 49_152, 49_153, 49_160, 150_001]) {
    const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 7919 + length) % 256))
    for (const prefix of ['', 'data:a/b;base64,']) {
      assert.equal(Buffer.compare(decodeBase64(prefix + bytes.toString('base64')).bytes, bytes), 0, `${prefix}${length}`)
      assert.equal(Buffer.compare(decodeBase64(`${prefix}${bytes.toString('base64').replace(/.{77}/g, '$& ')}`).bytes, bytes), 0)
      if (prefix === '') continue
      const escaped = bytes.toString('base64').replace(/[AZ+/=]/g, sign => `%${Buffer.from(sign).toString('hex')}`)
      assert.equal(Buffer.compare(decodeBase64(prefix + escaped).bytes, bytes), 0, `percent-encoded, ${length}`)
    }
  }
})
