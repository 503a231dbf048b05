import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createCredentials, settings } from './settings.ts'
import { signedToken } from './token.ts'

const pair = { accessKey: 'ak-1', secretKey: 'sk-secret-1' }
const part = (text = '') => JSON.parse(Buffer.from(text, 'base64url').toString())

test('a token names the access key, is valid for half an hour, and is signed with the secret', () => {
  const token = signedToken(pair, 1_771_600_000_900)
  const [head, claims, signature] = token.split('.')
  assert.deepEqual(part(head), { alg: 'HS256', typ: 'JWT' })
  assert.deepEqual(part(claims), { iss: 'ak-1', exp: 1_771_601_800, nbf: 1_771_599_995 })
  assert.equal(signature, createHmac('sha256', 'sk-secret-1').update(`${head}.${claims}`).digest('base64url'))
})

test('a target keeps its token for 25 minutes, or until it is renewed, and hides it', () => {
  let now = 1_771_600_000_000
  const credentials = createCredentials(() => now)
  const given = { base_url: 'https://kling.example', access_key: 'ak-1', secret_key: 'sk-secret-1' }
  const tokenOf = () => credentials.addressOf(given).upstream.headers.at(-1) ?? ''
  const first = tokenOf()
  assert.match(first, /^Bearer ey/)
  assert.ok(credentials.addressOf(given).upstream.secrets.includes(first.slice('Bearer '.length)))
  assert.ok(credentials.addressOf(given).upstream.secrets.includes('sk-secret-1'))
  now += 25 * 60_000 - 1000
  assert.equal(tokenOf(), first)
  now += 1000
  const second = tokenOf()
  assert.notEqual(second, first)
  now += 1000
  assert.ok(credentials.renew(given))
  assert.notEqual(tokenOf(), second)
})

test('a key needs no token, and without either the target cannot be used', () => {
  const given = { base_url: 'https://kling.example/v1', api_key: 'key-123456' }
  const { headers, path } = createCredentials(Date.now).addressOf(given).upstream
  assert.deepEqual([headers.at(-1), path], ['Bearer key-123456', '/v1'])
  assert.match(settings.targetOf({ access_key: 'ak-1' }).problem ?? '', /it needs api_key, or access_key and secret_key/)
  assert.equal(settings.targetOf(given).problem, undefined)
})
