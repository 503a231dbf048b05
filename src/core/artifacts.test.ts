import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLinkSigner } from './artifacts.ts'
import type { SecretStore } from './ports/store.ts'

type SigningKeys = Awaited<ReturnType<SecretStore['signingKeys']>>

/** Returns a store in memory and a clock that moves only when the test sets it. */
function setUp() {
  const keys: SigningKeys = []
  const counts = { reads: 0 }
  /** Returns the store as one node sees it: the node learns of the signing keys of other nodes only
   *  when `notice` is called. */
  const view = (): SecretStore & { notice(): void } => {
    let revision = 1
    return {
      notice: () => {
        revision += 1
      },
      putSigningKey: async key => {
        keys.unshift(key)
        revision += 1
      },
      signingKeys: async () => {
        counts.reads += 1
        return [...keys]
      },
      revision: () => revision,
    }
  }
  const clock = { at: 1_700_000_000_000, now: () => clock.at }
  return { keys, counts, view, secrets: view(), clock }
}

function queryOf(link: string): Record<string, string> {
  return Object.fromEntries(new URL(link, 'http://gateway').searchParams)
}

test('a link is valid until its second and then expired', async () => {
  const { secrets, clock } = setUp()
  const signer = await createLinkSigner(secrets, clock)
  const link = signer.sign('blob_1', clock.at + 9_500)
  assert.match(link, /^\/files\/blob_1\?exp=1700000010&kid=[0-9a-f]{8}&sig=[\w-]{43}$/)
  assert.equal(await signer.verify('blob_1', queryOf(link)), 1_700_000_010_000)
  clock.at += 9_999
  await signer.verify('blob_1', queryOf(link))
  clock.at += 1
  await assert.rejects(signer.verify('blob_1', queryOf(link)), { code: 'gone', status: 410 })
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
    await assert.rejects(signer.verify('blob_1', query as object), { code: 'invalid_signature', status: 403 }, JSON.stringify(query))
  }
  await assert.rejects(signer.verify('blob_2', good), { code: 'invalid_signature' })
})

test('links remain valid through one rotation, and become invalid with the second', async () => {
  const { keys, secrets, clock } = setUp()
  const signer = await createLinkSigner(secrets, clock)
  assert.equal(keys.length, 1)
  const link = queryOf(signer.sign('blob_1', clock.at + 60_000))
  await signer.rotate()
  await signer.verify('blob_1', link)
  assert.notEqual(queryOf(signer.sign('blob_1', clock.at)).kid, link.kid)
  await signer.rotate()
  await assert.rejects(signer.verify('blob_1', link), { code: 'invalid_signature' })
})

test("nodes that share a store accept each other's links, also links signed with a new key at once", async () => {
  const { keys, view, clock } = setUp()
  const first = await createLinkSigner(view(), clock)
  const second = await createLinkSigner(view(), clock)
  assert.equal(keys.length, 1, 'the second start makes no key')
  await second.verify('blob_1', queryOf(first.sign('blob_1', clock.at + 60_000)))
  await first.rotate()
  clock.at += 1_000
  await second.verify('blob_1', queryOf(first.sign('blob_1', clock.at + 60_000)))
  await first.rotate()
  clock.at += 1_000
  const path = '/v1/tasks/x/0'
  await second.verifyPath(path, queryOf(first.signPath(path, clock.at + 60_000)))
  await first.rotate()
  clock.at += 1_000
  const [, , , , mac = ''] = first.wakePath('task-1').split('/')
  assert.equal(await second.isWake('task-1', mac), true)
})

test('a node that has noticed a rotation signs with the new key, and refuses links of removed keys', async () => {
  const { view, clock } = setUp()
  const seen = view()
  const first = await createLinkSigner(view(), clock)
  const second = await createLinkSigner(seen, clock)
  await first.rotate()
  await first.rotate()
  // `rotate` has removed the key that signed this link.
  const late = queryOf(second.sign('blob_1', clock.at + 60_000))
  await assert.rejects(first.verify('blob_1', late), { code: 'invalid_signature' })
  const old = queryOf(second.sign('blob_1', clock.at + 60_000))
  await second.verify('blob_1', old)
  seen.notice()
  await assert.rejects(second.verify('blob_1', old), { code: 'invalid_signature' }, 'a key that was rotated away')
  await first.verify('blob_1', queryOf(second.sign('blob_1', clock.at + 60_000)))
  await first.rotate()
  await first.rotate()
  seen.notice()
  second.sign('blob_1', clock.at + 60_000)
  await new Promise(setImmediate)
  await first.verify('blob_1', queryOf(second.sign('blob_1', clock.at + 60_000)))
})

test('a key that is created while the keys are being read signs the next link', async () => {
  const { keys, view, clock } = setUp()
  const seen = view()
  const mayEnd = Promise.withResolvers<void>()
  let isSlow = false
  const signingKeys = async () => {
    const read = await seen.signingKeys()
    if (isSlow) await mayEnd.promise
    return read
  }
  const signer = await createLinkSigner({ ...seen, signingKeys }, clock)
  isSlow = true
  seen.notice()
  signer.sign('blob_1', clock.at + 60_000)
  await new Promise(setImmediate)
  isSlow = false
  const rotating = signer.rotate()
  await new Promise(setImmediate)
  mayEnd.resolve()
  await rotating
  assert.equal(queryOf(signer.sign('blob_1', clock.at + 60_000)).kid, keys[0]?.id)
})

test('links with unknown keys cause one reading of the keys per second, malformed links none', async () => {
  const { counts, secrets, clock } = setUp()
  const signer = await createLinkSigner(secrets, clock)
  clock.at += 1_000
  counts.reads = 0
  const good = queryOf(signer.sign('blob_1', clock.at + 60_000))
  const refused = (query: object) => assert.rejects(signer.verify('blob_1', query), { code: 'invalid_signature' })
  for (const kid of ['0123456', '0123456G', '012345678', '', ['01234567']]) await refused({ ...good, kid })
  await refused({ ...good, kid: '01234567', sig: 'short' })
  assert.equal(counts.reads, 0)
  for (let round = 1; round <= 3; round += 1) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => refused({ ...good, kid: `0123456${index % 10}` })))
    for (let index = 0; index < 50; index += 1) assert.equal(await signer.isWake(`task-${index}`, good.sig ?? ''), false)
    assert.equal(counts.reads, round)
    clock.at += round === 2 ? -60_000 : 1_000
  }
})

test('when the keys cannot be read again, the link is refused and the known keys stay valid', async () => {
  const { secrets, clock } = setUp()
  let isDown = false
  const signer = await createLinkSigner(
    { ...secrets, signingKeys: () => (isDown ? Promise.reject(new Error('down')) : secrets.signingKeys()) },
    clock,
  )
  const good = queryOf(signer.sign('blob_1', clock.at + 60_000))
  isDown = true
  clock.at += 1_000
  await assert.rejects(signer.verify('blob_1', { ...good, kid: '01234567' }), { message: 'down' })
  await signer.verify('blob_1', good)
})
