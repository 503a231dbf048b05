/** Encrypts the secrets of a store again, after its secret key was changed. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { accountContext, signingContext, tokenContext } from '../account-store.ts'
import type { ReencryptedCells, SealedTable } from '../operations.ts'
import type { SealBox } from '../seal.ts'
import type { Connection } from '../statements.ts'
import { settingsContext } from '../task-messages.ts'
import { webhookContext } from '../task-rows.ts'
import { text } from '../values.ts'
import { checkWords, type KeyCheckParts, placeOf, sealWord } from './check-words.ts'
import { sealedColumns } from './write-reencrypted.ts'

/** Functions that return the context of the secret in a row, by the primary key of the row. */
const contexts: Readonly<Record<SealedTable, (id: string) => string>> = {
  accounts: accountContext,
  tasks: webhookContext,
  jobs: settingsContext,
  token_secrets: tokenContext,
  signing_keys: signingContext,
}
const sealedTables = ['accounts', 'tasks', 'jobs', 'token_secrets', 'signing_keys'] as const satisfies SealedTable[]
const pageRows = 500
/** Rounds after which the program gives up, because nodes still encrypt with another key. */
const mostRounds = 5

export interface Reencrypted {
  /** Number of secrets in the store. */
  secrets: number
  /** Number of secrets that were encrypted again. */
  changed: number
  /** Number of damaged secrets, which no key decrypts; they stay as they are. */
  unreadable: number
}

/** Encrypts every secret that another key has encrypted with the first key of the box, then removes
 *  the check words of the other keys. Nodes may use the store meanwhile, and a run that was
 *  interrupted may be repeated. `onRows` gets the number of rows of a table that were read. Throws
 *  `conflict` when nodes still encrypt with another key. */
export async function reencrypt(
  { connection, writer, box, kind }: KeyCheckParts,
  onRows: (table: string, rows: number) => void,
): Promise<Reencrypted> {
  const words = await checkWords(connection)
  let changed = 0
  for (let round = 0; round < mostRounds; round++) {
    const found = { secrets: 0, changed: 0, unreadable: 0 }
    for (const table of sealedTables) {
      let read = 0
      for await (const page of pagesOf(connection, table)) {
        const rows = oldCells(page, { table, box, found })
        if (rows.length > 0) await writer.run('reencrypt', { table, rows })
        read += page.length
        onRows(table, read)
      }
    }
    changed += found.changed
    // Only a round that finds nothing to change shows that no row needs another key, because a node
    // may have written a row that the round before had already passed.
    if (found.changed > 0) continue
    await writer.run('reencrypted', { word: sealWord(box, placeOf(kind)), others: words.map(({ name }) => name) })
    return { ...found, changed }
  }
  throw new GatewayError(
    'conflict',
    'Nodes still encrypt with another key. Start each node with the new key as GATEWAY_SECRET_KEY, then run the command again.',
  )
}

interface SealedRow {
  id: string
  sealed: string | null
}

/** Yields all rows of a table in the order of their primary key. */
async function* pagesOf(connection: Connection, table: SealedTable): AsyncGenerator<SealedRow[]> {
  const { key, column } = sealedColumns[table]
  const read = connection.prepare(
    `SELECT ${key} AS id, ${column} AS sealed FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${pageRows}`,
  )
  let after = ''
  for (;;) {
    const rows = await read.all(after)
    const page = rows.map(row => ({ id: text(row, 'id'), sealed: row.sealed === null ? null : text(row, 'sealed') }))
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < pageRows) return
    after = last.id
  }
}

/** Returns the new cells of the rows that another key has encrypted, and counts in `found`. */
function oldCells(
  page: readonly SealedRow[],
  { table, box, found }: { table: SealedTable; box: SealBox; found: Reencrypted },
): ReencryptedCells[] {
  return page.flatMap(({ id, sealed }): ReencryptedCells[] => {
    // The jobs of an old version of the program have empty settings in place of encrypted ones.
    if (sealed === null || sealed === '') return []
    found.secrets++
    const context = contexts[table](id)
    if (box.isCurrent(sealed, context)) return []
    try {
      const secret = box.open(sealed, context)
      found.changed++
      return [[id, sealed, box.seal(secret, context)]]
    } catch {
      found.unreadable++
      return []
    }
  })
}
