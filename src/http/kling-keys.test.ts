/** Clients of Kling send a token that they have signed, in place of an access key. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'
import { storeContains } from '../testing/stores/database.ts'

const path = '/kling/v1/videos/text2video/none'
let laterMs = 0
let said = ''
let gateway: TestGateway
let id: string
let other: string
let secret: string
let otherSecret: string
before(async () => {
  const logTo = new PassThrough()
  logTo.on('data', chunk => {
    said += chunk
  })
  gateway = await startTestGateway({ clock: { now: () => Date.now() + laterMs }, logTo, env: { GATEWAY_LOG_LEVEL: 'debug' } })
  id = (await gateway.admin('/admin/keys')).body.keys[0].id
  other = (await gateway.admin('/admin/keys', { body: { name: 'other' } })).body.key.id
  secret = await made(id)
  otherSecret = await made(other)
})
after(() => gateway[Symbol.asyncDispose]())

async function made(keyId: string): Promise<string> {
  const { status, body } = await gateway.admin(`/admin/keys/${keyId}/kling`, { method: 'POST', body: {} })
  assert.deepEqual([status, body.access_key], [200, keyId], JSON.stringify(body))
  return body.secret_key
}

const seconds = () => Math.floor((Date.now() + laterMs) / 1000)
const usual = () => ({ iss: id, exp: seconds() + 1800, nbf: seconds() - 5 })
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function token(
  claims: unknown,
  { key = secret, header = { alg: 'HS256', typ: 'JWT' }, hash = 'sha256' }: { key?: string; header?: object; hash?: string } = {},
): string {
  const signed = `${encoded(header)}.${encoded(claims)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

/** Sends a poll with this key and returns the HTTP status, and for a refused key the error
 *  message. The status 404 means that the key was accepted: the task does not exist. */
async function answered(key: string, at = path): Promise<string> {
  const { status, body } = await gateway.call(at, { key })
  // Refusals of wrong keys are delayed more and more; moving the clock makes the gateway forget the
  // wrong keys before this one.
  laterMs += status === 401 ? 7_000 : 0
  if (status === 401) assert.equal(body.code, 1002)
  return status === 401 ? body.message.replace('Incorrect API key provided: ', '').split(' [')[0] : String(status)
}
const unknown = 'the access key is not known.'

test('a token as Kling’s clients make it stands for its access key', async () => {
  assert.equal(await answered(token(usual())), '404')
  assert.equal(await answered(token({ iss: id, exp: seconds() + 60 })), '404')
  assert.equal(await answered(token({ ...usual(), iss: other }, { key: otherSecret })), '404')
  assert.equal(await answered(testKey), '404')
  // The client's clock is slightly ahead.
  assert.equal(await answered(token({ iss: id, exp: seconds() + 1803, nbf: seconds() + 3 })), '404')
})

test('exp is required and within 30 minutes, nbf is checked', async () => {
  assert.equal(await answered(token({ iss: id, nbf: seconds() - 5 })), 'the token has no exp.')
  assert.equal(await answered(token({ ...usual(), exp: seconds() - 1 })), 'the token has expired.')
  assert.equal(await answered(token({ ...usual(), exp: seconds() + 1860 })), 'exp of the token is more than 30 minutes ahead.')
  assert.equal(await answered(token({ ...usual(), nbf: seconds() + 60 })), 'the token is not valid yet (nbf).')
  for (const exp of ['9999999999', null, [seconds() + 60], true, -1, 1e308])
    assert.notEqual(await answered(token({ ...usual(), exp })), '404', JSON.stringify(exp))
  const kept = token(usual())
  laterMs += 31 * 60_000
  assert.equal(await answered(kept), 'the token has expired.')
})

test('other algorithms, keys and formats are refused as tokens', async () => {
  const unsigned = `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(usual())}`
  const good = token(usual())
  const [head, body, signature] = good.split('.')
  const forged: Record<string, string> = {
    'alg none, signed': token(usual(), { header: { alg: 'none', typ: 'JWT' } }),
    'alg in other letters': token(usual(), { header: { alg: 'hs256', typ: 'JWT' } }),
    'alg RS256': token(usual(), { header: { alg: 'RS256', typ: 'JWT' } }),
    'alg HS512': token(usual(), { header: { alg: 'HS512', typ: 'JWT' }, hash: 'sha512' }),
    'no alg': token(usual(), { header: { typ: 'JWT' } }),
    'a critical extension': token(usual(), { header: { alg: 'HS256', typ: 'JWT', crit: ['b64'], b64: false } }),
    'the secret of another key': token(usual(), { key: otherSecret }),
    'another key as issuer': token({ ...usual(), iss: other }),
    'an issuer that is not known': token({ ...usual(), iss: 'key_none' }),
    'no issuer': token({ exp: seconds() + 60 }),
    'a key that its header names': token(usual(), { key: 'mine', header: { alg: 'HS256', typ: 'JWT', kid: other, jwk: { k: 'bWluZQ' } } }),
    'an empty secret': token(usual(), { key: '' }),
    'the hash of nothing': token(usual(), { key: 'undefined' }),
    'another body': `${head}.${encoded({ ...usual(), exp: seconds() + 1700 })}.${signature}`,
    'a signature that is cut': good.slice(0, -1),
    'no signature': `${head}.${body}.`,
    'one dot': `${head}.${body}`,
    'no dot': `${head}${body}${signature}`,
    'no JSON': `eyJ.eyJ.${signature}`,
    'a list': token([]),
    null: token(null),
    'a huge one': token({ ...usual(), more: 'x'.repeat(9000) }),
  }
  for (const [what, key] of Object.entries(forged)) assert.equal(await answered(key), unknown, what)
  assert.match(await answered(`${unsigned}.`), /not known/)
})

test('the secret of the issuer verifies a token, whatever its header names', async () => {
  assert.equal(await answered(token(usual(), { header: { alg: 'HS256', typ: 'JWT', kid: '../../etc/passwd' } })), '404')
})

test('the scopes and the expiry of the access key apply', async () => {
  const { body } = await gateway.admin('/admin/keys', { body: { name: 'narrow', families: ['F1'] } })
  const narrow = { key: await made(body.key.id) }
  assert.equal(await answered(token({ ...usual(), iss: body.key.id }, narrow)), '403')
  await gateway.admin(`/admin/keys/${body.key.id}`, { method: 'DELETE' })
  assert.equal(await answered(token({ ...usual(), iss: body.key.id }, narrow)), 'the access key was revoked.')
  assert.equal((await gateway.admin(`/admin/keys/${body.key.id}/kling`, { method: 'POST', body: {} })).status, 409)
  assert.equal((await gateway.admin('/admin/keys/key_none/kling', { method: 'POST', body: {} })).status, 404)
})

test('replacing or revoking a secret takes effect at once; the access key stays', async () => {
  const before = token(usual())
  assert.equal(await answered(before), '404')
  secret = await made(id)
  assert.equal(await answered(before), unknown)
  const now = token(usual())
  assert.equal(await answered(now), '404')
  const { keys } = (await gateway.admin('/admin/keys')).body
  assert.deepEqual(
    keys
      .filter((key: { hasKlingSecret?: true }) => key.hasKlingSecret)
      .map((key: { id: string }) => key.id)
      .slice(0, 2),
    [id, other],
  )
  assert.equal((await gateway.admin(`/admin/keys/${id}/kling`, { method: 'DELETE' })).status, 200)
  assert.equal((await gateway.admin(`/admin/keys/${id}/kling`, { method: 'DELETE' })).status, 404)
  assert.equal(await answered(now), unknown)
  assert.equal(await answered(testKey), '404')
})

test('neither secrets nor tokens appear in the logs or readable in the store', async () => {
  const kept = await made(id)
  await answered(token(usual(), { key: kept }))
  assert.equal(await storeContains(gateway.dataDir, kept), false)
  assert.equal(await storeContains(gateway.dataDir, id), true, 'the key itself is there')
  assert.match(said, /admin change/)
  for (const text of [kept, secret, otherSecret, 'eyJ']) assert.equal(said.includes(text), false)
})
