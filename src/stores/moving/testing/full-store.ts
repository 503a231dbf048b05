/** Fills a store with rows in every table that is moved, and with the blobs to which these rows
 *  refer. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore, NewBlob } from '../../../core/ports/blobs.ts'
import { sharesOf } from '../../../core/records/ledger.ts'
import type { SqlStore } from '../../sql/store.ts'
import {
  accessKey,
  callRecord,
  claimOne,
  day,
  key,
  minute,
  newBlob,
  newTask,
  startedAt,
  succeeded,
  usageLine,
} from '../../suite/samples.ts'

const owner = { accountId: 'account-1', endpoint: 'default' }
const lines = [{ unit: 'images' as const, units: 2, costMicros: 80_000 }]
const quotas = sharesOf([{ unit: 'images', window: 'day', atMost: 1_000 }], key, startedAt)

/** Fills an empty store with `pictures` finished tasks, each with one picture, and with some
 *  rows of every other kind. Among them are a job that node-1 has leased, and a call in
 *  progress. */
export async function fillStore(store: SqlStore, blobs: BlobStore, pictures: number): Promise<void> {
  await putAccess(store)
  await putTasks(store, blobs, pictures)
  await putOtherTasks(store, blobs)
  await putCalls(store)
}

async function putAccess({ accounts, secrets }: SqlStore): Promise<void> {
  await accounts.putAccount({ id: 'account-1', name: 'ä "quoted" \\ text', source: 'admin', webhookSecret: 'whsec', createdAt: startedAt })
  await accounts.putKey(accessKey('key-1'))
  await accounts.putEndpoint({ accountId: 'account-1', name: 'default', routes: { F1: {} }, source: 'admin', createdAt: startedAt })
  await accounts.putTokenSecret({ keyId: 'key-1', secret: 'token secret', createdAt: startedAt })
  await secrets.putSigningKey({ id: 'sign-1', secret: Buffer.from('signing secret'), createdAt: startedAt })
  const file = { node: 'n', sha256: 's', modifiedAt: startedAt, at: startedAt, isChange: false, isAlone: true }
  await accounts.applyFile({ accounts: [], keys: [], endpoints: [] }, file, 0)
}

async function putTasks(store: SqlStore, blobs: BlobStore, pictures: number): Promise<void> {
  for (let index = 0; index < pictures; index++) {
    const id = `task-1-${String(index).padStart(5, '0')}`
    const idempotency = { key: id, bodySha256: id, expiresAt: startedAt + day }
    await store.submit(newTask(id, { idempotency, webhook: { url: 'https://hooks.test', secret: 'own secret' }, hold: { lines, quotas } }))
    const { token } = await claimOne(store)
    const outputs = [await adopt(blobs, `blob-${id}`)]
    const usage = [usageLine(`${id}:images`, { units: 1.25 })]
    assert.equal(await store.settle(id, token, succeeded({ outputs, usage, detail: { scene: [id, '\u2028', '😀'] } })), true)
  }
}

async function putOtherTasks(store: SqlStore, blobs: BlobStore): Promise<void> {
  await store.submit(newTask('task-2-open', { hold: { lines, quotas } }))
  const open = await claimOne(store)
  await store.sent('task-2-open', open.token, { driver: 'd', target: 'acme', model: 'm', settings: { api_key: 'sealed' } }, startedAt)
  await store.settle('task-2-open', open.token, { state: 'failed', outputs: [], usage: [], isOpen: true, at: startedAt + 1 })
  await store.submit(newTask('task-3-leased'))
  await claimOne(store)
  await store.submit(newTask('task-4-ready', { clientReference: 'reference' }))
  await store.submit(newTask('task-5-parked', { concurrencyLimit: 1 }))
  const contentBlob = await adopt(blobs, 'blob-response')
  const response = { ...owner, model: 'm', createdAt: startedAt, expiresAt: startedAt + 30 * day, isDeleted: false }
  await store.responses.put({ ...response, id: 'resp-1', content: { text: 'hello' } })
  await store.responses.put({ ...response, id: 'resp-2', parentId: 'resp-1' }, contentBlob)
  await store.responses.note('resp-1', owner, { items: ['item-1', 'item-2'], content: { text: 'noted' } })
  const { key: sha256 } = await adopt(blobs, 'file')
  const file = { accountId: 'account-1', family: 'K', id: 'file-1', endpoint: 'default', purpose: 'reference', key: sha256, sha256 }
  await store.files.put({ ...file, facts: { mediaType: 'image/png', bytes: 9 }, createdAt: startedAt, expiresAt: startedAt + day })
}

async function putCalls(store: SqlStore): Promise<void> {
  await store.recordCalls([callRecord('req-1'), callRecord('req-2', { target: 'other' })])
  await store.reserve(callRecord('req-3', { holdId: 'req-3' }), { lines: [{ unit: 'output_tokens', units: 7, costMicros: 3 }], quotas: [] })
}

async function adopt(blobs: BlobStore, id: string): Promise<NewBlob> {
  const folder = await blobs.scratch(id)
  const file = join(folder, 'f')
  await writeFile(file, randomBytes(20_000))
  const { key: sha256 } = await blobs.adopt(file)
  return newBlob(id, { key: sha256, expiresAt: startedAt + 30 * day + minute })
}
