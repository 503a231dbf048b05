import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Membership } from '../core/ports/membership.ts'
import { joinBlobs } from './join-blobs.ts'

/** A database and a blob store that have nothing but their markers. */
function emptyDatabase() {
  const facts = new Map<string, string>()
  const membership = {
    fact: async (name: string) => facts.get(name),
    setFact: async (name: string, value: string) => void facts.set(name, value),
  }
  // The cast is safe: `joinBlobs` uses nothing else.
  return membership as unknown as Membership
}

function emptyBlobs({ isReadOnly = false } = {}) {
  let text: string | undefined
  return {
    place: 'bucket s3://media',
    marker: async () => text,
    mark: async (id: string) => {
      if (isReadOnly) throw new Error('refused')
      text ??= id
      return text
    },
  }
}

test('a start that could not mark its blobs does not let the next one take over those of another database', async () => {
  const [blobs, readOnly] = [emptyBlobs(), emptyBlobs({ isReadOnly: true })]
  await joinBlobs(emptyDatabase(), blobs)
  const marker = await blobs.marker()
  const database = emptyDatabase()
  await assert.rejects(joinBlobs(database, readOnly), /refused/)
  await assert.rejects(joinBlobs(database, blobs), { code: 'store_unavailable', message: /belongs to another database/ })
  assert.equal(await blobs.marker(), marker)
  const own = emptyBlobs()
  for (let start = 0; start < 2; start++) await joinBlobs(database, own)
  await assert.rejects(joinBlobs(database, emptyBlobs()), { message: /is not the one that the nodes of the database use/ })
})

test('when two databases start at the same time on one blob store, one gets it and the other is refused', async () => {
  const blobs = emptyBlobs()
  const starts = await Promise.allSettled([joinBlobs(emptyDatabase(), blobs), joinBlobs(emptyDatabase(), blobs)])
  assert.deepEqual(starts.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const refused = starts.find(start => start.status === 'rejected')
  assert.match(String(refused?.reason), /belongs to another database/)
})
