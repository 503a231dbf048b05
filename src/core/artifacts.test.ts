import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLinkSigner } from './artifacts.ts'
import type { SecretStore } from './ports/store.ts'

type SigningKeys = Awaited<ReturnType<SecretStore['signingKeys']>>

/** A store in memory and a clock that moves only when the test sets it. */
function setUp() {
  const keys: SigningKeys = []
  const secrets: SecretStore = {
    putSigningKey: async key => {
      keys.unshift(key)
    },
    signingKeys: async () => [...keys],
  }
  const clock = { at: 1_700_000_000_000, now: () => clock.at }
  return { keys, secrets, clock }
}

function queryOf(link: string): Record<string, string> {
  return Object.fromEntries(new URL(link, 'http://gateway').searchParams)
}

test('a link is valid until its second and then gone', async () => {
  const { secrets, clock } = setUp()
  const signer = await createLinkSigner(secrets, clock)
  const link = signer.sign('blob_1', clock.at + 9_500)
  assert.match(link, /^\/files\/blob_1\?exp=1700000010&kid=[0-9a-f]{8}&sig=[\w-]{43}$/)
  assert.equal(signer.verify('blob_1', queryOf(link)), 1_700_000_010_000)
  clock.at += 9_999
  signer.verify('blob_1', queryOf(link))
  clock.at += 1
  assert.throws(() => signer.verify('blob_1', queryOf(link)), { code: 'gone', status: 410 })
})

test('a changed link is refused, also when it has expired', async () => {
  const { secrets, clock } = setUp()
  const signer = await createLinkSigner(secrets, clock)
  const good = queryOf(signer.sign('blob_1', clock.at + 60_000))
  const sig = good.sig ?? ''
  const changed: unknown[] = [
    { ...good, exp: String(Number(good.exp) + 1) },
    { ...good, exp: `0${good.exp}` },
    { ...good, exp: '1' },
    { ...good, exp: 'x' },
    { ...good, exp: [good.exp] },
    { ...good, kid: '00000000' },
    { ...good, sig: sig.replace(/^./, first => (first === 'A' ? 'B' : 'A')) },
    { ...good, sig: sig.slice(0, -2) },
    { ...good, sig: '' },
    { ...good, sig: [sig] },
    { exp: good.exp, kid: good.kid },
    {},
  ]
  for (const query of changed) {
    assert.throws(() => signer.verify('blob_1', query as object), { code: 'invalid_signature', status: 403 }, JSON.stringify(query))
  }
  assert.throws(() => signer.verify('blob_2', good), { code: 'invalid_signature' })
})

test('links live through one rotation and end with the second', async () => {
  const { keys, secrets, clock } = setUp()
  const signer = await createLinkSigner(secrets, clock)
  assert.equal(keys.length, 1)
  const link = queryOf(signer.sign('blob_1', clock.at + 60_000))
  await signer.rotate()
  signer.verify('blob_1', link)
  assert.notEqual(queryOf(signer.sign('blob_1', clock.at)).kid, link.kid)
  await signer.rotate()
  assert.throws(() => signer.verify('blob_1', link), { code: 'invalid_signature' })
})

test('nodes with one store take each other’s links, after a reload also those of a new key', async () => {
  const { keys, secrets, clock } = setUp()
  const first = await createLinkSigner(secrets, clock)
  const second = await createLinkSigner(secrets, clock)
  assert.equal(keys.length, 1, 'the second start makes no key')
  second.verify('blob_1', queryOf(first.sign('blob_1', clock.at + 1000)))
  await first.rotate()
  const link = queryOf(first.sign('blob_1', clock.at + 1000))
  assert.throws(() => second.verify('blob_1', link), { code: 'invalid_signature' })
  await second.reload()
  second.verify('blob_1', link)
})
