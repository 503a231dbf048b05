/** The check that a process makes of its admin key before it joins the other nodes of a store. */
import { createHmac } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Membership } from '../core/ports/membership.ts'

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
 *  `store_unavailable` for any other key. Must be called within `exclusively`. */
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
