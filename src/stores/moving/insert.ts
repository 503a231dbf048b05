/** Inserts the rows of an archive, and notes in each transaction how far it has come. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { text } from '../sql/values.ts'
import { tableFile } from './archive.ts'
import type { MovedDatabase } from './database.ts'
import { type Line, readLines } from './lines.ts'
import type { Progress } from './progress.ts'
import { insertOf } from './rows.ts'
import type { MovedTable } from './tables.ts'

/** Rows and characters of one transaction. */
const rowsAtOnce = 1_000
const charactersAtOnce = 4 * 1024 * 1024

interface InsertOptions {
  target: MovedDatabase
  tables: readonly MovedTable[]
  folder: string
  progress: Progress
}

/** The row `import` of `meta`. */
interface ImportState {
  archive: string
  /** Index of the table under way; the ones before are whole. */
  table: number
  /** Its last line that is in the target, and the offset behind it in its file. */
  line: number
  offset: number
}

/** Inserts everything that is not in the target yet. Throws `invalid_request` naming file and line
 *  for a row that the database refuses. */
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

/** Returns the write of one page, which moves the state with it. */
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

  /** On PostgreSQL all statements are sent before the first answer; only the first error tells the
   *  reason. */
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
    // Violations of constraints: class 23 of PostgreSQL, code 19 of SQLite.
    const isRow = (typeof code === 'string' && code.startsWith('23')) || (typeof errcode === 'number' && (errcode & 0xff) === 19)
    if (!isRow) return error
    const reason = error instanceof Error ? error.message : String(error)
    return new GatewayError('invalid_request', `${file}, line ${line.number}, does not fit into the store: ${reason}.`)
  }
}
