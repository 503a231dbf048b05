import { lstatSync, mkdirSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** The reasons why a folder cannot be created or written, by error code of the operating system.
 *  Each is a part of a sentence. */
export const folderReasons: Readonly<Record<string, string>> = {
  EROFS: 'the file system is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'there is a file of this name',
  ENOENT: 'the file system takes no folder there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'a link in the path leads back to itself',
}

/** Names of what the gateway itself keeps in its data folder, as files and as folders. */
const ownFiles = ['secret.key', 'admin.key', 'access.key', 'gateway.db', 'owner.db']
const ownFolders = ['blobs', 'gateway-scratch']

/** Creates the data folder (mode 0700) with its missing parents, and checks that a file can be
 *  written into it. Returns the created folders, outermost first. Throws `invalid_request` with
 *  one sentence when the folder cannot be created or written, or when there is a folder in the
 *  place of one of the gateway's files, or the reverse. */
export function prepareDataFolder(path: string): string[] {
  const made = writableFolder(path)
  for (const name of [...ownFiles, ...ownFolders]) assertKind(path, name)
  return made
}

function writableFolder(path: string): string[] {
  try {
    const made = makeFolders(path)
    const probe = join(path, `.written-${process.pid}`)
    writeFileSync(probe, '', { mode: 0o600 })
    rmSync(probe)
    return made
  } catch (cause) {
    throw dataFolderError(path, cause)
  }
}

function assertKind(path: string, name: string): void {
  const at = join(path, name)
  const wanted = ownFolders.includes(name) ? 'folder' : 'file'
  const found = kindOf(statSync, at) ?? (kindOf(lstatSync, at) && 'link that leads nowhere')
  // A broken symbolic link is accepted in the place of a file, which can still be created there. It
  // is refused in the place of a folder, because mkdir fails there.
  if (found === undefined || found === wanted || (found !== 'folder' && wanted === 'file')) return
  const sentence = `GATEWAY_DATA_DIR is ${JSON.stringify(path)}, in which ${name} is a ${found}; it must be a ${wanted}, or not there.`
  throw new GatewayError('invalid_request', sentence, { field: 'GATEWAY_DATA_DIR' })
}

/** Returns whether the path is a file or a folder; undefined for a path that does not exist or
 *  cannot be followed. */
function kindOf(read: (path: string) => Stats, path: string): 'file' | 'folder' | undefined {
  try {
    return read(path).isDirectory() ? 'folder' : 'file'
  } catch {
    return undefined
  }
}

function dataFolderError(path: string, cause: unknown): GatewayError {
  const { code = '' } = Object(cause)
  const sentence = `GATEWAY_DATA_DIR is ${JSON.stringify(path)}, which cannot be written: ${folderReasons[code] ?? code}.`
  return new GatewayError('invalid_request', sentence, { field: 'GATEWAY_DATA_DIR', cause })
}

/** Creates a folder (mode 0700) with its missing parents; returns those that were missing,
 *  outermost first. The folders are created one by one, because node's own option `recursive`
 *  retries for ever when the file system reports that an existing parent is missing, as /proc
 *  does. */
export function makeFolders(path: string): string[] {
  const missing: string[] = []
  for (let at = path; !isFolder(at, at === path); at = dirname(at)) missing.unshift(at)
  for (const each of missing) {
    try {
      mkdirSync(each, { mode: 0o700 })
    } catch (error) {
      // EEXIST for a folder means that another process created it first. All other errors are
      // thrown.
      if (Object(error).code !== 'EEXIST' || !isFolder(each, true)) throw error
    }
  }
  return missing
}

/** Returns true for a folder, false for a missing path. Throws when the path is a file, and
 *  throws the errors of the file system. */
function isFolder(path: string, isLast: boolean): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.isDirectory()) return found !== undefined
  throw Object.assign(new Error('not a folder'), { code: isLast ? 'EEXIST' : 'ENOTDIR', syscall: 'mkdir', path })
}
