/** Packs the drawings and word tables of the studio engine into one file,
 *  `engines/studio/art/data/art.pack`, and writes the licences of the sources beside it. `npm run
 *  art` writes the file; `npm run art -- --check` only compares it with what would be written;
 *  `--from <node_modules>` reads the source packages from that folder. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openPack, type PackContents, writePack } from '../pack.ts'
import { personWords } from '../person-words.ts'
import { normaliseWord } from '../words.ts'
import { readFacts } from './art-facts.ts'
import { cutIcons } from './art-icons.ts'
import { writeLicences } from './art-licences.ts'
import { buildRareNouns } from './art-rare-nouns.ts'
import { artSources, openSources, type ReadSource } from './art-sources.ts'
import { buildVocabulary } from './art-vocabulary.ts'
import { WordNet } from './art-wordnet.ts'

const artFolder = dirname(dirname(fileURLToPath(import.meta.url)))
const packPath = join(artFolder, 'data/art.pack')
const manifestPath = join(artFolder, 'data/manifest.json')

interface Manifest {
  sources: typeof artSources
  counts: { noto: number; fluent: number; englishWords: number; chineseWords: number; rareNouns: number }
  bytes: number
  /** SHA-256 of the file as committed. */
  sha256: string
  /** SHA-256 of the uncompressed contents, which does not depend on the compressor's version. */
  contentSha256: string
}

interface Built {
  contents: PackContents
  svgs: string[]
}

await main()

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, from: { type: 'string' } } })
  const read = openSources(values.from)
  if (!read) {
    process.stdout.write('sources not available, skipped\n')
    if (!values.check) process.exitCode = 1
    return
  }
  const built = await build(read)
  if (values.check) process.exitCode = check(built) ? 0 : 1
  else write(built, read)
}

async function build(read: ReadSource): Promise<Built> {
  const facts = readFacts(join(artFolder, 'tables'))
  const wordNet = new WordNet(read)
  const { english, chinese, labelsZh } = buildVocabulary(facts, read)
  const cut = await cutIcons(facts, read)
  for (const { icon } of cut) icon.nounZh ||= labelsZh.get(icon.key.slice(icon.key.indexOf(':') + 1)) ?? ''
  const named = Object.entries(english).filter(([, owners]) => /[nl]/.test(owners))
  const direct = new Set(named.map(([word]) => word))
  // `direct` does not contain the words of the things with drawing functions (`drawnEntries`), so
  // these words also get lines in the table of rare nouns. When a drawing function is missing, the
  // word of its thing then leads to a more general thing.
  for (const { noun, words } of personWords) for (const word of [noun, ...words]) direct.add(normaliseWord(word))
  const rareNouns = buildRareNouns(facts, direct, wordNet)
  return { contents: { icons: cut.map(({ icon }) => icon), english, chinese, rareNouns }, svgs: cut.map(({ svg }) => svg) }
}

function write(built: Built, read: ReadSource): void {
  mkdirSync(dirname(packPath), { recursive: true })
  const bytes = writePack(built.contents, built.svgs)
  writeFileSync(packPath, bytes)
  const manifest = describe(built, bytes)
  writeFileSync(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`)
  writeLicences(join(artFolder, 'data/licences'), read)
  process.stdout.write(`${JSON.stringify(manifest.counts)} ${(bytes.length / 1e6).toFixed(2)} MB\n`)
}

function check(built: Built): boolean {
  if (!existsSync(packPath) || !existsSync(manifestPath)) {
    process.stdout.write('art.pack or its manifest is missing: run npm run art\n')
    return false
  }
  const manifest: Manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
  const isFile = manifest.sha256 === sha256(readFileSync(packPath))
  const committed = openPack(packPath)
  const stored = { icons: committed.icons, english: committed.english, chinese: committed.chinese, rareNouns: committed.rareNouns() }
  const storedSha256 = contentSha256({ contents: stored, svgs: committed.icons.map(icon => committed.svg(icon)) })
  const isContent = storedSha256 === contentSha256(built) && storedSha256 === manifest.contentSha256
  process.stdout.write(isFile && isContent ? 'art.pack is up to date\n' : 'art.pack differs from its sources and tables: run npm run art\n')
  return isFile && isContent
}

function describe({ contents, svgs }: Built, bytes: Buffer): Manifest {
  return {
    sources: artSources,
    counts: {
      noto: contents.icons.filter(icon => icon.key.startsWith('noto:')).length,
      fluent: contents.icons.filter(icon => icon.key.startsWith('fluent:')).length,
      englishWords: Object.keys(contents.english).length,
      chineseWords: Object.keys(contents.chinese).length,
      rareNouns: contents.rareNouns.split('\n').length,
    },
    bytes: bytes.length,
    sha256: sha256(bytes),
    contentSha256: contentSha256({ contents, svgs }),
  }
}

function contentSha256({ contents, svgs }: Built): string {
  const icons = contents.icons.map(({ svg, ...icon }) => icon)
  return sha256(JSON.stringify([icons, contents.english, contents.chinese, contents.rareNouns, svgs]))
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}
