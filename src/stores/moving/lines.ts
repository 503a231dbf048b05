/** Writes and reads the rows of a table as a file of JSON lines: `[check, [cell, cell, ...]]`,
 *  where `check` is the CRC-32 of the JSON text of the cells. */
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Cell } from '../sql/values.ts'
import type { ColumnType, MovedTable } from './tables.ts'

/** Number of characters that are collected before they are written to the file, and of bytes that
 *  are read at once. */
const flushBytes = 1024 * 1024
/** Longest line in bytes. A longer line means that the file is damaged, because large contents
 *  are stored as blobs. */
const lineBytes = 256 * 1024 * 1024
const newLine = 0x0a

export interface Line {
  cells: Cell[]
  /** JSON of the cells. */
  text: string
  /** Line number, from 1. */
  number: number
  /** Offset of the next line in the file, bytes. */
  end: number
}

/** Writes the lines of a new file, which only its owner may read (mode 0600). */
export class LineWriter {
  readonly #handle: FileHandle
  #waiting = ''

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async create(file: string): Promise<LineWriter> {
    return new LineWriter(await open(file, 'w', 0o600))
  }

  /** Adds a row, given as the JSON text of its cells. */
  async add(text: string): Promise<void> {
    this.#waiting += `[${crc32(text)},${text}]\n`
    if (this.#waiting.length >= flushBytes) await this.#flush()
  }

  /** Closes the file. Resolves when all lines are on the disk. */
  async end(): Promise<void> {
    try {
      await this.#flush()
      await this.#handle.sync()
    } finally {
      await this.#handle.close()
    }
  }

  async #flush(): Promise<void> {
    await this.#handle.writeFile(this.#waiting)
    this.#waiting = ''
  }
}

/** Yields the lines of a table's file and checks each. Begins after the line `from`, which an
 *  earlier call has yielded, or at the first line. Throws `invalid_request`, with file and line
 *  number, at the first damaged line. */
export async function* readLines(file: string, table: MovedTable, from = { number: 0, end: 0 }): AsyncGenerator<Line> {
  let { number, end } = from
  for await (const bytes of rawLines(file, from.end, count => damaged(file, number + 1, `it has more than ${count} bytes`))) {
    number += 1
    end += bytes.length + 1
    yield { ...parse(bytes, table, reason => damaged(file, number, reason)), number, end }
  }
}

async function* rawLines(file: string, start: number, tooLong: (count: number) => GatewayError): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let length = 0
  for await (const chunk of createReadStream(file, { start, highWaterMark: flushBytes })) {
    const bytes: Buffer = chunk
    let at = 0
    for (let stop = bytes.indexOf(newLine); stop !== -1; stop = bytes.indexOf(newLine, at)) {
      yield pieces.length === 0 ? bytes.subarray(at, stop) : Buffer.concat([...pieces, bytes.subarray(at, stop)])
      pieces = []
      length = 0
      at = stop + 1
    }
    if (at === bytes.length) continue
    pieces.push(bytes.subarray(at))
    length += bytes.length - at
    if (length > lineBytes) throw tooLong(lineBytes)
  }
  // The file does not end with a newline. The bytes after the last newline are yielded, too; if
  // they are not a whole line, the check of the line fails.
  if (length > 0) yield Buffer.concat(pieces)
}

function parse(bytes: Buffer, { columns }: MovedTable, wrong: (reason: string) => GatewayError): { cells: Cell[]; text: string } {
  const line = bytes.toString()
  const comma = line.indexOf(',')
  const text = line.slice(comma + 1, -1)
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    throw wrong('it is no JSON')
  }
  if (!Array.isArray(parsed) || parsed.length !== 2 || !Array.isArray(parsed[1])) throw wrong('it is no list of a check and a row')
  if (parsed[0] !== crc32(text)) throw wrong('its check does not fit')
  const cells: unknown[] = parsed[1]
  if (cells.length !== columns.length) throw wrong(`it has ${cells.length} values; the table has ${columns.length} columns`)
  return { cells: columns.map(({ name, type }, index) => cellOf(cells[index], type, () => wrong(`column ${name} is no ${type}`))), text }
}

function cellOf(value: unknown, type: ColumnType, wrong: () => GatewayError): Cell {
  if (value === null) return null
  if (typeof value === 'string' && type === 'text') return value
  if (typeof value === 'number' && (type === 'real' || (type === 'integer' && Number.isSafeInteger(value)))) return value
  throw wrong()
}

function damaged(file: string, line: number, reason: string): GatewayError {
  return new GatewayError('invalid_request', `${file}, line ${line}, is damaged: ${reason}.`)
}
