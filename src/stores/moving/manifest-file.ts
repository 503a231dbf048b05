/** The common part of archives and backups: while the folder is being written, a file named
 *  `UNFINISHED` marks it as incomplete. The manifest is written last. */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { makeFolders } from '../files/data-folder.ts'
import { syncFolder } from '../files/folders.ts'

/** Describes a kind of manifest and the command that writes it. */
export interface ManifestForm {
  command: 'export' | 'backup'
  /** Name of the file. */
  name: string
  /** The kind of folder, for the message about a folder that has no manifest:
   *  `archive of gateway export`. */
  noun: string
  format: number
  /** Largest size of the manifest in bytes; no limit when absent. */
  maxBytes?: number
}

const unfinishedName = 'UNFINISHED'

/** Creates the folder, or accepts an empty one or that of an interrupted run. Throws `conflict`,
 *  with the sentence that `refusal` returns, when the folder contains anything else. */
export async function beginFolder(folder: string, { command }: ManifestForm, refusal: (names: string[]) => string): Promise<void> {
  makeFolders(resolve(folder))
  const names = await readdir(folder)
  if (names.length > 0 && !names.includes(unfinishedName)) throw new GatewayError('conflict', refusal(names))
  await writeFile(join(folder, unfinishedName), `gateway ${command} has not ended; run it again.\n`, { mode: 0o600 })
}

/** Writes the manifest and marks the folder as complete. */
export async function endFolder(folder: string, { name }: ManifestForm, manifest: object): Promise<void> {
  const file = join(folder, name)
  await writeFile(`${file}.new`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  await syncFolder(folder)
  await rm(join(folder, unfinishedName))
  await syncFolder(folder)
}

/** Returns the manifest. Throws `invalid_request` when the folder is incomplete or has no manifest,
 *  and when the manifest is too large, is not JSON, has another format, or has a field that
 *  `isWhole` finds missing or invalid. */
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
