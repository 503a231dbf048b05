/** Chooses the ffmpeg to run: the system's if it still gets security fixes, else the one in the
 *  engine pack. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { GatewayError } from '../errors.ts'
import { packFilesIn } from '../pack-files.ts'
import { packsDirectory } from '../packs.ts'
import { ffmpegFile, ffmpegPack, ffmpegPacks } from './ffmpeg-pack.ts'

const run = promisify(execFile)

interface FfmpegProgram {
  path: string
  /** Version as ffmpeg prints it: `9.0.2`, `5.1.9-0+deb12u1`. */
  version: string
  from: 'the PATH' | 'the pack ffmpeg'
}

/** Oldest major version of FFmpeg's own releases that the gateway accepts; older branches get no
 *  security fixes. */
const oldestMajor = 7
/** Oldest version that the gateway accepts in a package of Debian or Ubuntu. Distributions add
 *  security fixes to old versions, but versions before this one lack options that the gateway
 *  uses. */
const oldestOfDistribution = 5.1

let found: Promise<FfmpegProgram> | undefined
/** True when the last search found no ffmpeg. */
let isMissing = false

/** Returns the program to run. A successful search is remembered; after a failed one every call
 *  searches again. Throws `capability_unavailable` with the way to install ffmpeg. */
export function ffmpegProgram(): Promise<FfmpegProgram> {
  found ??= find().then(
    program => {
      isMissing = false
      return program
    },
    error => {
      isMissing = true
      found = undefined
      throw error
    },
  )
  return found
}

/** Returns the reason why this machine cannot process sound or video; undefined when ffmpeg was
 *  found, or when the first search for it has not ended yet. Does not wait for the search. */
export function ffmpegProblem(): string | undefined {
  if (packedProgram() !== undefined) return undefined
  const isOnPath = candidates().length > 0
  if (isOnPath) ffmpegProgram().catch(() => {})
  return isOnPath && !isMissing ? undefined : howToGet()
}

/** Returns true for a version, as ffmpeg prints it, that gets security fixes: one of FFmpeg's
 *  maintained branches, or a package of Debian or Ubuntu. */
export function isMaintained(version: string): boolean {
  const number = Number(/^n?(\d+(?:\.\d+)?)/.exec(version)?.[1] ?? 0)
  return number >= oldestMajor || (number >= oldestOfDistribution && /-\d\S*(deb|ubuntu)/.test(version))
}

async function find(): Promise<FfmpegProgram> {
  for (const path of candidates()) {
    const version = await versionOf(path)
    if (isMaintained(version)) return { path, version, from: 'the PATH' }
  }
  const path = packedProgram()
  if (path === undefined) throw new GatewayError('capability_unavailable', howToGet())
  return { path, version: await versionOf(path), from: 'the pack ffmpeg' }
}

function candidates(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map(folder => join(folder, ffmpegFile)).filter(existsSync)
}

function packedProgram(): string | undefined {
  return packFilesIn(packsDirectory(process.env), ffmpegPacks).file(ffmpegPack, ffmpegFile)
}

/** Returns the version; '' for a program that is missing, cannot be run or prints no version. */
async function versionOf(path: string): Promise<string> {
  try {
    const { stdout } = await run(path, ['-version'], { timeout: 20_000 })
    return /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? ''
  } catch {
    return ''
  }
}

function howToGet(): string {
  const wanted = `an ffmpeg of version ${oldestMajor} or later, or that of Debian 12 or Ubuntu 24.04 or later, on the PATH`
  const what = 'There is no ffmpeg that is kept up to date, so sound and video can be neither read nor written:'
  if (ffmpegPacks.length === 0) return `${what} install ${wanted}.`
  return `${what} npm run setup -- ${ffmpegPack}, run in the gateway's folder, adds one; or install ${wanted}.`
}
