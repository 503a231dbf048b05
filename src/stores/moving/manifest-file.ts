/** What the folders of an export and of a backup have in common: a file says that the folder is
 *  unfinished until a manifest, written last, makes it whole. */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { makeFolders } from '../files/data-folder.ts'
import { syncFolder } from '../files/folders.ts'

/** A manifest and the command that writes it. */
export interface ManifestForm {
  command: 'export' | 'backup'
  /** Name of the file. */
  name: string
  /** What a folder without the manifest is not, for messages. */
  noun: string
  format: number
  /** Limit of the length of the file. */
  maxBytes?: number
}

const unfinishedName = 'UNFINISHED'

/** Creates a folder, or opens that of a run that was interrupted. Throws `conflict` with the
 *  sentence that `refusal` returns when the folder has something else. */
export async function beginFolder(folder: string, { command }: ManifestForm, refusal: (names: string[]) => string): Promise<void> {
  makeFolders(resolve(folder))
  const names = await readdir(folder)
  if (names.length > 0 && !names.includes(unfinishedName)) throw new GatewayError('conflict', refusal(names))
  await writeFile(join(folder, unfinishedName), `gateway ${command} has not ended; run it again.\n`, { mode: 0o600 })
}

/** Writes the manifest, which makes the folder whole. */
export async function endFolder(folder: string, { name }: ManifestForm, manifest: object): Promise<void> {
  const file = join(folder, name)
  await writeFile(`${file}.new`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  await syncFolder(folder)
  await rm(join(folder, unfinishedName))
  await syncFolder(folder)
}

/** Returns the manifest when `isWhole` finds all its fields. Throws `invalid_request` when there is
 *  none, or it is damaged or of another format. */
export async function readManifestFile(
  folder: string,
  { command, name, noun, format, maxBytes = Number.POSITIVE_INFINITY }: ManifestForm,
  isWhole: (found: Readonly<Partial<Record<string, unknown>>>) => boolean,
): Promise<unknown> {
  const file = join(folder, name)
  const names = await readdir(folder)
  if (names.includes(unfinishedName)) throw wrong(`The ${command} into ${folder} has not ended; run gateway ${command} again.`)
  if (!names.includes(name)) throw wrong(`${folder} is no ${noun}: it has no ${name}.`)
  const text = await readFile(file)
  if (text.length > maxBytes) throw wrong(`${file} has ${text.length} bytes; at most ${maxBytes}.`)
  let parsed: unknown
  try {
    parsed = JSON.parse(text.toString())
  } catch (cause) {
    throw wrong(`${file} is damaged: it is no JSON.`, cause)
  }
  const found: Record<string, unknown> = Object(parsed)
  if (found.format !== format) throw wrong(`${file} has format ${found.format}; this program reads ${format}.`)
  if (!isWhole(found)) throw wrong(`${file} is damaged: fields are missing or of the wrong type.`)
  return parsed
}

function wrong(message: string, cause?: unknown): GatewayError {
  return new GatewayError('invalid_request', message, { cause })
}
