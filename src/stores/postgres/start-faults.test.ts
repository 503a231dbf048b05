import assert from 'node:assert/strict'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { tlsIdentity } from '../../testing/tls-identity.ts'
import { openPostgresStore } from './open.ts'
import { problemOf } from './session.ts'
import { queryOnce } from './testing/query-once.ts'
import { needPostgres, startPostgres } from './testing/server.ts'
import type { PostgresTimes } from './times.ts'

const secretKey = Buffer.alloc(32, 7)
const { skip } = needPostgres(18)

test('only primary servers of PostgreSQL 15 or later are used', () => {
  assert.match(problemOf({ version: 140_011, isStandby: false, encoding: 'UTF8' }) ?? '', /PostgreSQL 14; the gateway needs 15/)
  assert.match(problemOf({ version: 150_004, isStandby: true, encoding: 'UTF8' }) ?? '', /read-only standby/)
  assert.equal(problemOf({ version: 150_004, isStandby: false, encoding: 'UTF8' }), undefined)
})

test('an address without a server, or with another kind of server, is refused with the reason', async context => {
  const silent = await listen(context, () => {})
  const web = await listen(context, () => 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
  const closed = await listen(context, () => '')
  for (const [url, reason] of [
    ['postgres://me:secret@127.0.0.1:1/db', /127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/],
    ['postgres://me:secret@nowhere.invalid/db', /nowhere\.invalid cannot be reached \(E[A-Z_]+\)/],
    [`postgres://me:secret@${web}/db`, /does not answer \(|may not be a PostgreSQL server/],
    [`postgres://me:secret@${closed}/db`, /may not be a PostgreSQL server/],
    ['http://me:secret@127.0.0.1/db', /must begin with postgres:\/\//],
    ['postgres://me:secret@127.0.0.1:bad/db', /is no address/],
    [
      'postgres://me:secret@127.0.0.1/db?sslmode=prefer',
      /sslmode is prefer; it must be disable, require, verify-ca, verify-full or no-verify/,
    ],
    ['postgres://me:secret@127.0.0.1/db?sslrootcert=/nowhere/ca.pem', /the file \/nowhere\/ca\.pem cannot be read \(ENOENT\)/],
  ] as const)
    await assertRefused(url, reason)
  const reason = /does not answer \(a firewall, a pooler without a free connection, or no PostgreSQL server\)/
  await assertRefused(`postgres://me:secret@${silent}/db`, reason, { connectMs: 700 })
})

describe('a start', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())
  const as = (change: (url: URL) => void, base = server.url): string => {
    const url = new URL(base)
    change(url)
    return url.href
  }

  test('names the fault in password, user, database or TLS', async () => {
    await assertRefused(
      as(url => (url.password = 'secret')),
      /the password of the user postgres is wrong/,
    )
    await assertRefused(
      as(url => (url.password = '')),
      /asks for a password, and the address of .* has none/,
    )
    await assertRefused(
      as(url => (url.pathname = '/none')),
      /there is no database none/,
    )
    await assertRefused(
      as(url => url.searchParams.set('sslmode', 'require')),
      /does not offer TLS, which the address requires \(sslmode\)/,
    )
  })

  test('names a missing right', async () => {
    const url = await server.database('guarded')
    await queryOnce(url, `CREATE ROLE guest LOGIN PASSWORD 'secret'`)
    await assertRefused(
      as(each => {
        each.username = 'guest'
        each.password = 'secret'
      }, url),
      /the user guest lacks a right in the database guarded: it needs CREATE/,
    )
  })

  test('names a database that cannot store every text', async () => {
    await queryOnce(server.url, `CREATE DATABASE narrow ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
    await assertRefused(
      as(url => (url.pathname = '/narrow')),
      /the database has the encoding LATIN1; the gateway needs UTF8/,
    )
  })

  test('names a server without room for its connections', async () => {
    const url = await server.database('crowded')
    await queryOnce(url, `CREATE ROLE lonely LOGIN PASSWORD 'secret' CONNECTION LIMIT 1`)
    await queryOnce(url, 'GRANT ALL ON SCHEMA public TO lonely')
    await assertRefused(
      as(each => {
        each.username = 'lonely'
        each.password = 'secret'
      }, url),
      /no free connection .* needs 4/,
    )
  })

  test('trusts a certificate only by its authority, unless configured otherwise', async context => {
    const secure = await startPostgres({ version: 18 })
    context.after(() => secure.stop())
    const { uid, gid } = statSync(secure.folder)
    for (const [name, text] of [
      ['server.key', tlsIdentity.key],
      ['server.crt', tlsIdentity.cert],
    ] as const) {
      const file = join(secure.folder, 'data', name)
      writeFileSync(file, text, { mode: 0o600 })
      chownSync(file, uid, gid)
    }
    await queryOnce(secure.url, 'ALTER SYSTEM SET ssl = on')
    await secure.restart()
    const authority = join(secure.folder, 'data/server.crt')
    const withMode = (mode: string, file?: string) =>
      as(url => {
        url.searchParams.set('sslmode', mode)
        if (file) url.searchParams.set('sslrootcert', file)
      }, secure.url)
    await assertRefused(withMode('require'), /is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\): name its authority with sslrootcert=FILE/)
    for (const url of [withMode('require', authority), withMode('verify-full', authority), withMode('no-verify')]) {
      const store = await openPostgresStore({ url, secretKey, nodeName: 'tls' })
      const [{ ssl }] = await queryOnce(
        secure.url,
        `SELECT bool_and(ssl) AS ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'tls %'`,
      )
      assert.equal(ssl, true)
      await store.close()
    }
  })

  test('waits for a server that is starting', async context => {
    const late = await startPostgres({ version: 18 })
    context.after(() => late.stop())
    await late.kill()
    const opening = openPostgresStore({ url: late.url, secretKey, times: { patienceMs: 60_000 } })
    await late.restart()
    await (await opening).close()
  })

  test('refuses a standby', async context => {
    const standby = await startPostgres({ version: 18 })
    context.after(() => standby.stop())
    writeFileSync(join(standby.folder, 'data/standby.signal'), '')
    await standby.restart()
    await assertRefused(standby.url, /read-only standby; the gateway needs the primary/)
  })
})

async function assertRefused(url: string, reason: RegExp, times: Partial<PostgresTimes> = {}): Promise<void> {
  await assert.rejects(openPostgresStore({ url, secretKey, times: { connectMs: 20_000, patienceMs: 300, ...times } }), error => {
    assert.ok(error instanceof GatewayError, String(error))
    assert.match(error.message, /^The database of GATEWAY_DATABASE_URL cannot be used: /)
    assert.match(error.message, reason)
    assert.equal(error.field, 'GATEWAY_DATABASE_URL')
    assert.ok(!`${error.message} ${String(error.cause)} ${error.stack}`.includes('secret'), 'the password is not shown')
    return true
  })
}

/** Starts a server that answers every message with `answer`, and closes the connection when
 *  there is none. Returns its address. */
async function listen(context: TestContext, answer: () => string | undefined): Promise<string> {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.on('data', () => {
      const text = answer()
      if (text === '') socket.destroy()
      else if (text !== undefined) socket.end(text)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
