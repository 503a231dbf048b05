import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { SealBox } from './seal.ts'
import type { Connection } from './statements.ts'
import { text } from './values.ts'
import type { Writer } from './writer.ts'

/** Checks that the secret key is the one with which the store was created: the first opening of
 *  the store encrypts and stores a known word, and later openings must be able to decrypt it.
 *  Throws `store_unavailable`, with `place` in the message, for another key, and while a
 *  `gateway import` into the store has not been completed. */
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
