import { readFileSync, statSync } from 'node:fs'
import { rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorMessage } from '@generation-gateway/kit/errors.ts'
import type { Pack, PackFile } from '@generation-gateway/kit/packs.ts'

/** The stamp of a file: its size and modification time when its SHA-256 was last checked. While
 *  both are the same, the file counts as unchanged. */
interface Stamp {
  sha256: string
  size: number
  /** Modification time in whole seconds, because layers of container images and archives store
   *  no fractions. */
  mtimeSeconds: number
}

export interface PackState {
  state: 'ready' | 'missing' | 'broken'
  reason?: string
}

/** Returns the folder of a pack's files. */
export function packFolder(directory: string, pack: Pack): string {
  return join(directory, pack.id)
}

/** Returns the state of a pack. It compares the size and modification time of each file with the
 *  stamps, and does not read the files. A pack whose folder or stamps cannot be read is broken. */
export function judgePack(directory: string, pack: Pack): PackState {
  try {
    return compare(directory, pack)
  } catch (error) {
    return { state: 'broken', reason: `its folder cannot be read: ${errorMessage(error)}` }
  }
}

function compare(directory: string, pack: Pack): PackState {
  const folder = packFolder(directory, pack)
  const stamps = readStamps(folder)
  if (stamps === undefined) {
    const isThere = pack.files.some(file => statSync(join(folder, file.name), { throwIfNoEntry: false }))
    return { state: 'missing', reason: isThere ? 'its files were not verified yet' : 'not on this machine' }
  }
  for (const file of pack.files) {
    const problem = problemOf(file, stamps[file.name], join(folder, file.name))
    if (problem !== undefined) return { state: 'broken', reason: `${file.name} ${problem}` }
  }
  return { state: 'ready' }
}

/** Records that the files of a pack were verified. Must be called right after their SHA-256 was
 *  checked. */
export async function writeStamps(directory: string, pack: Pack): Promise<void> {
  const folder = packFolder(directory, pack)
  const stamps: Record<string, Stamp> = {}
  for (const file of pack.files) {
    const { size, mtimeMs } = await stat(join(folder, file.name))
    stamps[file.name] = { sha256: file.sha256, size, mtimeSeconds: Math.floor(mtimeMs / 1000) }
  }
  const temporary = `${stampFile(folder)}.${process.pid}`
  await writeFile(temporary, `${JSON.stringify(stamps, null, 2)}\n`)
  await rename(temporary, stampFile(folder))
}

function problemOf(file: PackFile, stamp: Stamp | undefined, path: string): string | undefined {
  if (stamp === undefined || stamp.sha256 !== file.sha256) return 'is of another version'
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return 'is gone'
  if (found.size !== file.bytes) return `has ${found.size} bytes instead of ${file.bytes}`
  // In layers of container images, the times of files are rounded to whole seconds, up or down. So
  // a difference of one second is allowed.
  const laterSeconds = Math.floor(found.mtimeMs / 1000) - stamp.mtimeSeconds
  if (laterSeconds !== 0 && laterSeconds !== 1) return 'was changed after it was verified'
  return undefined
}

function stampFile(folder: string): string {
  return join(folder, 'verified.json')
}

/** Returns the stamps by file name; undefined when the pack was never verified. Throws when the
 *  stamps cannot be read. */
function readStamps(folder: string): Record<string, Stamp> | undefined {
  let text: string
  try {
    text = readFileSync(stampFile(folder), 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  const stamps: Record<string, Stamp> = {}
  for (const [name, value] of Object.entries(parse(text))) {
    const { sha256, size, mtimeSeconds } = Object(value)
    if (typeof sha256 === 'string' && typeof size === 'number' && typeof mtimeSeconds === 'number')
      stamps[name] = { sha256, size, mtimeSeconds }
  }
  return stamps
}

/** A stamp file that cannot be parsed counts as empty. The pack is then broken, and the next
 *  setup verifies its files again. */
function parse(text: string): object {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
