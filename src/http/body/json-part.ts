/** A part of a multipart body that is JSON with files in it: they go to disk as they come, as those of a JSON body do. */
import { createHash } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { JsonSpill } from './json-spill.ts'
import type { SpilledFile, SpillFiles } from './spill-files.ts'
import type { SpillNode } from './spill-paths.ts'
import { spilledFiles } from './spilled-values.ts'

interface JsonPart {
  /** Name of the schema's field: paths of files begin with it. */
  field: string
  /** The field takes a list, and the part may be one item of it. */
  isList: boolean
  /** Of the whole body. */
  fields: SpillNode
  /** Largest JSON without the files, bytes. */
  residualLimitBytes: number
  files: SpillFiles
}

interface ReadPart {
  /** The list where the field takes one. What is no JSON is the text itself: the schema says what is wrong with it. */
  value: unknown
  spilled: ReadonlyMap<string, SpilledFile>
  /** Of the JSON without the files, bytes. */
  residualBytes: number
  /** SHA-256 of the part, hex. */
  sha256: string
}

/** More waits to be written than this: the client waits, too. */
const pauseBytes = 384 * 1024
const openBracket = 0x5b
const openList = Buffer.from('[')

/** Throws as `JsonSpill` does, naming the field, `disk_full`, and what the stream throws. */
export async function readJsonPart(chunks: AsyncIterable<Buffer>, part: JsonPart): Promise<ReadPart> {
  try {
    return await spillPart(chunks, part)
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === 'invalid_json')) throw error
    const { field } = part
    throw new GatewayError('invalid_json', error.message.replace(/^The body /, `${field} `), { field, cause: error })
  }
}

async function spillPart(chunks: AsyncIterable<Buffer>, part: JsonPart): Promise<ReadPart> {
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
  const shared = { residualBytes: residual.length, sha256: sum.digest('hex') }
  // Without the object around it: nothing in the part may end that.
  const json = residual.toString('utf8', head.length, residual.length - 1)
  const value = parsed(json)
  if (value === undefined) return { ...shared, value: isItem ? [json.slice(1, -1)] : json, spilled: new Map() }
  return { ...shared, value, spilled: await spilledFiles({ [field]: value }, spill, files) }
}

/** Undefined while there was only space; then there is none of it. */
function isItemBegun(chunk: Buffer, isList: boolean): boolean | undefined {
  const first = chunk.find(code => code > 0x20)
  return first === undefined ? undefined : isList && first !== openBracket
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
