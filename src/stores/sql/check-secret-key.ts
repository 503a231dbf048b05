import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { SealBox } from './seal.ts'
import type { Connection } from './statements.ts'
import { text } from './values.ts'
import type { Writer } from './writer.ts'

/** Compares the secret key with the one that created the store: the first opening stores a
 *  sealed word, and later ones must be able to open it. Throws `store_unavailable`, naming the
 *  `place`; also while `gateway import` into the store has not ended. */
export async function checkSecretKey(
  { connection, writer, box }: { connection: Connection; writer: Writer; box: SealBox },
  place: string,
): Promise<void> {
  if ((await connection.prepare(`SELECT value FROM meta WHERE name = 'import'`).get()) !== undefined)
    throw new GatewayError('store_unavailable', `An import into ${place} has not ended. Run gateway import again, or empty the store.`)
  const check = await connection.prepare(`SELECT value FROM meta WHERE name = 'key_check'`).get()
  if (check === undefined) await writer.run('putRow', { table: 'meta', cells: ['key_check', box.seal('fits', place)] })
  else box.open(text(check, 'value'), place)
}
