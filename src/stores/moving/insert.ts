/** Inserts the rows of an archive page by page. Each transaction also stores the position that
 *  it has reached, so that an interrupted import can continue there. */
import { errorMessage, GatewayError } from '@generation-gateway/kit/errors.ts'
import { text } from '../sql/values.ts'
import { tableFile } from './archive.ts'
import type { MovedDatabase } from './database.ts'
import { type Line, readLines } from './lines.ts'
import type { Progress } from './progress.ts'
import { insertOf } from './rows.ts'
import type { MovedTable } from './tables.ts'

/** A transaction ends once it has this many rows or this many characters. */
const rowsAtOnce = 1_000
const charactersAtOnce = 4 * 1024 * 1024

interface InsertOptions {
  target: MovedDatabase
  tables: readonly MovedTable[]
  folder: string
  progress: Progress
}

/** The value of the row `import` in the table `meta`. */
interface ImportState {
  archive: string
  /** Index of the table that is being inserted; the tables before it are complete. */
  table: number
  /** Number of the last line of this table that is in the target, and the offset in bytes at
   *  which the next line begins in its file. */
  line: number
  offset: number
}

/** Inserts all rows that are not in the target yet. Throws `invalid_request`, with file and line
 *  number, for a damaged line and for a row that the database refuses. */
export async function insertPages({ target, tables, folder, progress }: InsertOptions): Promise<void> {
  const found = await target.connection.prepare(`SELECT value FROM meta WHERE name = 'import'`).get()
  const state: ImportState = JSON.parse(text(found ?? {}, 'value'))
  for (; state.table < tables.length; Object.assign(state, { table: state.table + 1, line: 0, offset: 0 })) {
    const table = tables[state.table]
    if (table === undefined) return
    const file = tableFile(folder, table.name)
    const insert = prepareInsert(target, table, file)
    let page: Line[] = []
    let characters = 0
    const write = async () => {
      await insert(page, state)
      page = []
      characters = 0
      progress.show(`rows of ${table.name}: ${state.line}`)
    }
    for await (const line of readLines(file, table, { number: state.line, end: state.offset })) {
      page.push(line)
      characters += line.text.length
      if (page.length >= rowsAtOnce || characters >= charactersAtOnce) await write()
    }
    if (page.length > 0) await write()
  }
}

/** Returns a function that writes one page of lines in a transaction, and moves the position in the
 *  stored state and in `state` behind the page. */
function prepareInsert({ connection, run }: MovedDatabase, table: MovedTable, file: string) {
  const insert = connection.prepare(insertOf(table))
  const note = connection.prepare(`UPDATE meta SET value = ? WHERE name = 'import'`)
  return async (page: readonly Line[], state: ImportState): Promise<void> => {
    const last = page.at(-1)
    if (last === undefined) return
    await run('BEGIN')
    try {
      await insertAll(page)
      await note.run(JSON.stringify({ ...state, line: last.number, offset: last.end }))
      await run('COMMIT')
    } catch (error) {
      await run('ROLLBACK').catch(() => {})
      throw error
    }
    Object.assign(state, { line: last.number, offset: last.end })
  }

  /** Inserts all lines of a page. On PostgreSQL, all statements are sent before the first is
   *  answered. After a failed statement all later ones fail too, so only the first error shows
   *  the reason. */
  async function insertAll(page: readonly Line[]): Promise<void> {
    const sent = page.map(line => {
      try {
        return Promise.resolve(insert.run(...line.cells)).catch(error => ({ line, error }))
      } catch (error) {
        return Promise.resolve({ line, error })
      }
    })
    for (const outcome of await Promise.all(sent)) if (typeof outcome === 'object') throw refused(outcome)
  }

  function refused({ line, error }: { line: Line; error: unknown }): unknown {
    const { code, errcode } = Object(error)
    // The row violates a constraint: PostgreSQL reports error codes of class 23, SQLite the code
    // 19.
    const isRow = (typeof code === 'string' && code.startsWith('23')) || (typeof errcode === 'number' && (errcode & 0xff) === 19)
    if (!isRow) return error
    const reason = errorMessage(error)
    return new GatewayError('invalid_request', `${file}, line ${line.number}, does not fit into the store: ${reason}.`)
  }
}
