/** Tests how many subjects of family K an account may have, and what remains of subjects that could
 *  not be created or removed completely. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { hourMs } from '@generation-gateway/kit/units.ts'
import sharp from 'sharp'
import { createFakeClock } from '../../testing/clock.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { onlyEmbedded, queryRows } from '../../testing/stores/database.ts'

const base = '/v1/ai/default/vidk/elements'

async function picture(width: number): Promise<Buffer> {
  return sharp({ create: { width, height: 400, channels: 3, background: '#7ec8e3' } })
    .png()
    .toBuffer()
}

const images = await Promise.all([picture(301), picture(302)])
const body = { name: 'Sunny', images: images.map(bytes => bytes.toString('base64')) }

const call = ({ call }: TestGateway, path = '', options: Parameters<TestGateway['call']>[1] = {}) => call(base + path, options)
const create = async (gateway: TestGateway) => call(gateway, '', { body })

/** Returns the number of stored pictures that were not removed. */
async function picturesOf({ dataDir }: TestGateway): Promise<number> {
  const [row] = await queryRows(dataDir, 'SELECT count(*) AS files FROM files WHERE expires_at > 0')
  return Number(row?.files)
}

/** Stops the gateway, changes its rows, and starts another one on them. */
async function changed(gateway: TestGateway, sql: string, clock = createFakeClock(Date.now())): Promise<TestGateway> {
  await gateway.stop()
  const database = new DatabaseSync(join(gateway.dataDir, 'gateway.db'))
  database.exec(sql)
  database.close()
  return startTestGateway({ dataDir: gateway.dataDir, clock })
}

const embedded = onlyEmbedded('changes rows of a stopped gateway')

test('an account can have at most 500 subjects, even when many are created at the same time', embedded, async () => {
  const first = await startTestGateway()
  assert.equal((await create(first)).status, 200)
  await using gateway = await changed(
    first,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 496)
     INSERT INTO files SELECT account_id, family, printf('%06d', i) || id, endpoint, purpose, key, sha256, facts, name,
       json_set(detail, '$.element_id', i), created_at, expires_at FROM files, n`,
  )
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(gateway)))
  const made = answers.filter(({ status }) => status === 200).length
  assert.ok(made <= 3, `${made} of 3`)
  for (let more = made; more < 3; more++) assert.equal((await create(gateway)).status, 200)
  const refused = await create(gateway)
  assert.deepEqual([refused.status, refused.body.code], [400, 1201])
  assert.match(refused.body.message, /The account has 500 subjects; at most 500\. Delete one first\./)
  const { data } = (await call(gateway, '?pageSize=500')).body
  assert.deepEqual([data.length, await picturesOf(gateway)], [500, 1000])
  assert.equal((await call(gateway, `/${data[0].element_id}`, { method: 'DELETE' })).status, 200)
  assert.equal((await create(gateway)).status, 200)
})

test(
  'a subject whose second picture cannot be stored leaves nothing behind',
  onlyEmbedded('blocks a file of the embedded store'),
  async () => {
    await using gateway = await startTestGateway()
    const sha256 = createHash('sha256').update(images[1]!).digest('hex')
    const place = join(gateway.dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2))
    await mkdir(join(place, 'in the way'), { recursive: true })
    assert.ok((await create(gateway)).status >= 500)
    assert.deepEqual([(await call(gateway)).body.data, await picturesOf(gateway)], [[], 0])
    await rm(place, { recursive: true })
    assert.equal((await create(gateway)).status, 200)
  },
)

const losePicture = 'DELETE FROM files WHERE id = (SELECT max(id) FROM files)'

test('a subject can be deleted when one of its pictures is already gone', embedded, async () => {
  const first = await startTestGateway()
  const { element_id } = (await create(first)).body.data
  await using gateway = await changed(first, losePicture)
  assert.deepEqual([(await call(gateway)).body.data, (await call(gateway, `/${element_id}`)).status], [[], 404])
  const { status, body: deleted } = await call(gateway, `/${element_id}`, { method: 'DELETE' })
  assert.deepEqual([status, deleted.data.element_id, await picturesOf(gateway)], [200, element_id, 0])
})

test('what a crash has left of a subject is removed an hour later, when another subject is created', embedded, async () => {
  const clock = createFakeClock(Date.now())
  const first = await startTestGateway({ clock })
  await create(first)
  await using gateway = await changed(first, losePicture, clock)
  await create(gateway)
  assert.equal(await picturesOf(gateway), 3)
  clock.step(hourMs + 1)
  await create(gateway)
  assert.equal(await picturesOf(gateway), 4)
})
