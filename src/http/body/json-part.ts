/** Reads a multipart part that is JSON with files in it. The files are written to disk as they
 *  arrive, as in a JSON body. */
import { createHash } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { parsedJson } from '@generation-gateway/kit/json.ts'
import { JsonSpill } from './json-spill.ts'
import type { SpilledFile, SpillFiles } from './spill-files.ts'
import type { SpillNode } from './spill-paths.ts'
import { spilledFiles } from './spilled-values.ts'
import { limitMembers } from './value-limit.ts'

interface JsonPart {
  /** Name of the field in the schema. The field paths under which the part's files are reported
   *  begin with it (`field[0].image`). */
  field: string
  /** True when the field takes a list. The part may then hold one item of the list instead of
   *  the whole list. */
  isList: boolean
  /** The fields of the whole body whose strings may be written to files. */
  fields: SpillNode
  /** Largest JSON without the files, bytes. */
  residualLimitBytes: number
  files: SpillFiles
}

interface ParsedPart {
  /** The parsed value; always a list when the field takes a list. A part that is not valid JSON
   *  stays a text, which the later validation refuses. */
  value: unknown
  spilled: ReadonlyMap<string, SpilledFile>
  /** Size in bytes of the part's JSON without its files. */
  residualBytes: number
  /** Number of values in the part. */
  values: number
  /** SHA-256 of the part, hex. */
  sha256: string
}

/** Number of bytes waiting to be written at which reading from the client pauses. */
const pauseBytes = 384 * 1024
const openBracket = 0x5b
const openList = Buffer.from('[')

/** Reads the part. Throws the errors of `JsonSpill` with the name of the field, `disk_full`, and
 *  the errors of the stream. */
export async function readJsonPart(chunks: AsyncIterable<Buffer>, part: JsonPart): Promise<ParsedPart> {
  try {
    return await spillPart(chunks, part)
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === 'invalid_json')) throw error
    const { field } = part
    throw new GatewayError('invalid_json', error.message.replace(/^The body /, `${field} `), { field, cause: error })
  }
}

async function spillPart(chunks: AsyncIterable<Buffer>, part: JsonPart): Promise<ParsedPart> {
  const { field, isList, fields, residualLimitBytes, files } = part
  const spill = new JsonSpill({ fields, residualLimitBytes, files })
  const sum = createHash('sha256')
  const head = Buffer.from(`{${JSON.stringify(field)}:`)
  spill.feed(head)
  let isItem: boolean | undefined
  for await (const chunk of chunks) {
    sum.update(chunk)
    if (isItem === undefined) {
      isItem = isItemBegun(chunk, isList)
      if (isItem) spill.feed(openList)
    }
    spill.feed(chunk)
    if (files.pendingBytes > pauseBytes) await files.drain()
  }
  spill.feed(Buffer.from(isItem ? ']}' : '}'))
  const residual = spill.residual()
  limitMembers(residual, () => `An object in ${field}`)
  const shared = { residualBytes: residual.length, values: spill.values, sha256: sum.digest('hex') }
  // The scanner accepts only an object, so the part was wrapped in one; here the wrapper is
  // removed. A part that closes the wrapper early is not valid JSON by itself, and is treated as
  // text.
  const json = residual.toString('utf8', head.length, residual.length - 1)
  const value = parsedJson(json)
  if (value === undefined) return { ...shared, value: isItem ? [json.slice(1, -1)] : json, spilled: new Map() }
  return { ...shared, value, spilled: await spilledFiles({ [field]: value }, spill, files) }
}

/** Returns true when the part holds one item of a list rather than the whole list; undefined
 *  while only white space has arrived. */
function isItemBegun(chunk: Buffer, isList: boolean): boolean | undefined {
  const first = chunk.find(code => code > 0x20)
  return first === undefined ? undefined : isList && first !== openBracket
}
