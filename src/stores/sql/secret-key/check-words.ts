/** The check words of a store: a known word, encrypted with each key with which values in the store
 *  may be encrypted. The rows of `meta` are named `key_check`, and `key_check ID` for a key that
 *  was added later. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { StoreAbout } from '../../../core/ports/store.ts'
import type { SealBox } from '../seal.ts'
import type { Connection } from '../statements.ts'
import { text } from '../values.ts'
import type { Writer } from '../writer.ts'

export interface KeyCheckParts {
  connection: Connection
  writer: Writer
  box: SealBox
  kind: StoreAbout['kind']
}

export interface CheckWord {
  /** Name of the row of `meta`. */
  name: string
  /** The encrypted word. */
  value: string
}

/** Checks that the secret keys decrypt what the store contains, and stores the check word of the
 *  key that encrypts when there is none. Throws `store_unavailable` when a key is missing, and
 *  while a `gateway import` into the store has not been completed. */
export async function checkSecretKey({ connection, writer, box, kind }: KeyCheckParts): Promise<void> {
  const place = placeOf(kind)
  if ((await connection.prepare(`SELECT value FROM meta WHERE name = 'import'`).get()) !== undefined)
    throw new GatewayError('store_unavailable', `An import into ${place} has not ended. Run gateway import again, or empty the store.`)
  const words = await checkWords(connection)
  assertKeys(words, box, place)
  if (words.some(({ value }) => box.isCurrent(value, place))) return
  const name = words.length === 0 ? 'key_check' : `key_check ${box.keyId}`
  await writer.run('putRow', { table: 'meta', cells: [name, sealWord(box, place)] })
}

/** Returns the check words of the store, one for each key; none before its first opening. */
export async function checkWords(connection: Connection): Promise<CheckWord[]> {
  const rows = await connection.prepare(`SELECT name, value FROM meta WHERE name = 'key_check' OR substr(name, 1, 10) = 'key_check '`).all()
  return rows.map(row => ({ name: text(row, 'name'), value: text(row, 'value') }))
}

/** Throws `store_unavailable` unless the box decrypts all check words. */
export function assertKeys(words: readonly CheckWord[], box: SealBox, place: string): void {
  try {
    for (const { value } of words) box.open(value, place)
  } catch (cause) {
    throw new GatewayError(
      'store_unavailable',
      words.length === 1
        ? `The stored secret of ${place} does not open with this secret key. Set GATEWAY_SECRET_KEY to the key of the store, or add that key to GATEWAY_SECRET_KEY_FALLBACKS.`
        : `A stored secret of ${place} does not open with this secret key. Several keys are needed until gateway reencrypt has ended: add the missing one to GATEWAY_SECRET_KEY_FALLBACKS.`,
      { field: 'GATEWAY_SECRET_KEY', cause },
    )
  }
}

/** Returns the check word, encrypted with the first key of the box. */
export function sealWord(box: SealBox, place: string): string {
  return box.seal('fits', place)
}

/** Returns the words for the store in messages, to which check words are bound as well. */
export function placeOf(kind: StoreAbout['kind']): string {
  return kind === 'sqlite' ? 'the data directory' : 'the database'
}
