/** Checks the admin key of a process before the process joins the other nodes of a store. */
import { createHmac } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Membership } from '../core/ports/membership.ts'
import { everyKey, type SecretKeys } from '../stores/sql/seal.ts'

interface AdminKeysNote {
  current: string
  previous: string | undefined
  /** Time at which the current key was stored, Unix milliseconds. */
  at: number
}

/** Time in ms in which every process sends its first heartbeat after it has stored its admin
 *  key. Until then the process may be alive although no heartbeat shows it. */
const startMs = 15_000

/** Throws `store_unavailable` unless the admin key of this process fits those of the other nodes.
 *  `keys` are the admin key of this process and, if set, its previous admin key. The admin key may
 *  be the current or the previous admin key of the nodes. It may also be new, when the previous key
 *  in `keys` is the current key of the nodes; the operator is then changing the key, and the new
 *  key becomes the nodes' current key. When no other node is alive, any key is accepted. The store
 *  contains only an HMAC of each key, computed with a secret key. Must be called within
 *  `exclusively`, so that two nodes do not join at the same time. */
export async function joinAdminKeys(
  membership: Membership,
  { keys, secretKeys, now }: { keys: readonly string[]; secretKeys: SecretKeys; now: number },
): Promise<void> {
  const [own = [], previous = []] = keys.map(key => everyKey(secretKeys).map(secret => macOf(secret, key)))
  const [current = ''] = own
  const noted = await membership.fact('admin-keys')
  const note: AdminKeysNote | undefined = noted === undefined ? undefined : JSON.parse(noted)
  if (note && own.includes(note.current)) {
    // The HMAC of a fallback key is replaced, because later nodes may not have that key.
    if (note.current !== current) await membership.setFact('admin-keys', JSON.stringify({ ...note, current }))
    return
  }
  if (note?.previous !== undefined && own.includes(note.previous) && !previous.includes(note.current)) return
  const isLonely = note === undefined || (Math.abs(now - note.at) > startMs && (await membership.liveNodes(now)) === 0)
  if (!isLonely && !previous.includes(note.current))
    throw new GatewayError(
      'store_unavailable',
      'GATEWAY_ADMIN_KEY is neither the current nor the previous admin key of the nodes that run. To change it, give the old one as GATEWAY_ADMIN_KEY_PREVIOUS.',
      { field: 'GATEWAY_ADMIN_KEY' },
    )
  const changed: AdminKeysNote = { current, previous: note?.current, at: now }
  await membership.setFact('admin-keys', JSON.stringify(changed))
}

function macOf(secretKey: Buffer, adminKey: string): string {
  return createHmac('sha256', secretKey).update(`admin key ${adminKey}`).digest('base64url')
}
