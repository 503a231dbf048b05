/** The check that a process makes of its blob store before it joins the other nodes of a store. */
import { randomUUID } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { BlobStore } from '../core/ports/blobs.ts'
import type { Membership } from '../core/ports/membership.ts'

/** Checks that this process uses the same blob store as the other nodes: the first node writes
 *  the same marker into the blob store and into the database, and every later node compares the
 *  two markers. Throws `store_unavailable` when they differ. Must be called within
 *  `exclusively`. */
export async function joinBlobs(
  membership: Pick<Membership, 'fact' | 'setFact'>,
  blobs: Pick<BlobStore, 'place' | 'marker' | 'mark'>,
): Promise<void> {
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
  // Another database may have marked the same place since the marker was read above.
  if ((await blobs.mark(marker.id)) !== marker.id) throw refuse('belongs to another database')
  await membership.setFact('blobs', JSON.stringify({ ...marker, isWritten: true }))
}

interface BlobsMarker {
  id: string
  isWritten: boolean
}
