/** Checks that a process makes before it joins the other nodes of a store: it must use the same
 *  blobs and admin keys as they do. */
import { createHmac, randomUUID } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { BlobStore } from '../core/ports/blobs.ts'
import type { Membership } from '../core/ports/membership.ts'

/** Checks that this process uses the same blob store as the other nodes: the first node writes
 *  the same marker into the blob store and into the database, and every later node compares the
 *  two markers. Throws `store_unavailable` when they differ. Must be called within
 *  `exclusively`. */
export async function joinBlobs(membership: Membership, blobs: Pick<BlobStore, 'place' | 'marker' | 'mark'>): Promise<void> {
  const refuse = (reason: string) => {
    const sentence = `The ${blobs.place} ${reason}. GATEWAY_BLOBS_URL names the folder or the bucket that all nodes of the database share.`
    return new GatewayError('store_unavailable', sentence, { field: 'GATEWAY_BLOBS_URL' })
  }
  const known = await membership.fact('blobs')
  const found = await blobs.marker()
  const marker: BlobsMarker = known === undefined ? { id: randomUUID(), isWritten: false } : JSON.parse(known)
  if (found !== undefined && found !== marker.id) throw refuse('belongs to another database')
  if (found === undefined && marker.isWritten) throw refuse('is not the one that the nodes of the database use')
  if (marker.isWritten) return
  // The database gets the marker first. After a crash before the second write, the next start
  // writes the same marker into the blob store.
  await membership.setFact('blobs', JSON.stringify(marker))
  await blobs.mark(marker.id)
  await membership.setFact('blobs', JSON.stringify({ ...marker, isWritten: true }))
}

interface BlobsMarker {
  id: string
  isWritten: boolean
}

interface AdminKeysNote {
  current: string
  previous: string | undefined
  /** Time at which the current key was stored, Unix milliseconds. */
  at: number
}

/** Time in ms in which every process sends its first heartbeat after it has stored its admin
 *  key. Until then the process may be alive although no heartbeat shows it. */
const startMs = 15_000

/** Checks that the admin key of this process is the current or the previous admin key of the
 *  nodes. When the previous key of this process is the current one of the nodes, the operator is
 *  changing the key: the new key of this process becomes the current one. `keys` are the admin
 *  key and, if set, the previous one. The store contains only fingerprints of the keys, computed
 *  with the secret key. When no other node is alive, every key is accepted. Throws
 *  `store_unavailable`. Must be called within `exclusively`. */
export async function joinAdminKeys(
  membership: Membership,
  { keys, secretKey, now }: { keys: readonly string[]; secretKey: Buffer; now: number },
): Promise<void> {
  const [own = '', previous] = keys.map(key => createHmac('sha256', secretKey).update(`admin key ${key}`).digest('base64url'))
  const noted = await membership.fact('admin-keys')
  const note: AdminKeysNote | undefined = noted === undefined ? undefined : JSON.parse(noted)
  if (note && (own === note.current || (own === note.previous && previous !== note.current))) return
  const isLonely = note === undefined || (Math.abs(now - note.at) > startMs && (await membership.liveNodes(now)) === 0)
  if (note?.current !== previous && !isLonely)
    throw new GatewayError(
      'store_unavailable',
      'GATEWAY_ADMIN_KEY is neither the current nor the previous admin key of the nodes that run. To change it, give the old one as GATEWAY_ADMIN_KEY_PREVIOUS.',
      { field: 'GATEWAY_ADMIN_KEY' },
    )
  const changed: AdminKeysNote = { current: own, previous: note?.current, at: now }
  await membership.setFact('admin-keys', JSON.stringify(changed))
}
