/** Writes `file-list.json`: the files of Debian packages that the directions need. Run it on Debian
 *  12, amd64: `node engines/recognition/translation/make-file-list.ts`. Nothing is installed. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { directions, type TranslationPack } from './directions.ts'
import { stepsOf } from './mode.ts'

type Row = {
  pack: TranslationPack | 'translation-libraries'
  package: string
  entry: string
  bytes: number
  sha256: string
  isProgram?: true
}

const libraries = 'usr/lib/x86_64-linux-gnu'
const packages = {
  programs: ['apertium', 'lttoolbox', 'cg3', 'apertium-lex-tools', 'apertium-separable', 'apertium-anaphora', 'apertium-recursive'],
  own: { libapertium3: ['libapertium.so.3'], liblttoolbox3: ['liblttoolbox.so.3'], 'libcg3-1': ['libcg3.so.1'] },
  rules: { 'libapertium-lex-tools1': ['libapertium-lex-tools.so.1'] },
  common: { libicu72: ['libicudata.so.72', 'libicui18n.so.72', 'libicuio.so.72', 'libicuuc.so.72'], libxml2: ['libxml2.so.2'] },
  data: {
    translation: ['eng-spa', 'eng-cat', 'fr-es', 'spa-ita', 'es-pt', 'spa-cat', 'es-gl', 'es-ro', 'eu-es'],
    'translation-nordic': ['swe-dan', 'swe-nor', 'dan-nor', 'nno-nob'],
  },
}

const folder = mkdtempSync(join(tmpdir(), 'apertium-'))
const rows: Row[] = []
const programs = new Set<string>()
try {
  for (const [pack, pairs] of Object.entries(packages.data)) addData(packOf(pack), pairs)
  for (const name of packages.programs) {
    const there = readdirSync(join(unpacked(name), 'usr/bin')).filter(program => programs.has(program))
    for (const program of there) add('translation', name, `usr/bin/${program}`, true)
    for (const program of there) programs.delete(program)
  }
  if (programs.size > 0) throw new Error(`No package has ${[...programs].join(', ')}.`)
  for (const [name, files] of Object.entries({ ...packages.own, ...packages.rules }))
    for (const file of files) add('translation', name, `${libraries}/${file}`)
  for (const [name, files] of Object.entries(packages.common))
    for (const file of files) add('translation-libraries', name, `${libraries}/${file}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
writeFileSync(join(import.meta.dirname, 'file-list.json'), `[\n${rows.map(row => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`)

/** Adds the mode file of each direction, and the data files that the mode file names. */
function addData(pack: TranslationPack, pairs: readonly string[]): void {
  for (const pair of pairs) {
    const name = `apertium-${pair}`
    const modes = readdirSync(join(unpacked(name), 'usr/share/apertium/modes'))
    for (const direction of directions.filter(each => each.pack === pack && modes.includes(`${each.mode}.mode`))) {
      const entry = `usr/share/apertium/modes/${direction.mode}.mode`
      add(pack, name, entry)
      for (const step of stepsOf(readFileSync(join(unpacked(name), entry), 'utf8'))) {
        programs.add(step.program)
        for (const arg of step.args) if (arg.startsWith('/')) add(pack, name, arg.slice(1))
      }
    }
  }
}

function add(pack: Row['pack'], name: string, entry: string, isProgram = false): void {
  if (rows.some(row => row.package === name && row.entry === entry)) return
  const twin = rows.find(row => basename(row.entry) === basename(entry))
  if (twin) throw new Error(`${entry} of ${name} has the name of ${twin.entry} of ${twin.package}.`)
  const bytes = readFileSync(join(unpacked(name), entry))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  rows.push({ pack, package: name, entry, bytes: bytes.length, sha256, ...(isProgram ? { isProgram: true } : {}) })
}

/** Returns the folder of a package's files; each package is downloaded once. */
function unpacked(name: string): string {
  const target = join(folder, 'unpacked', name)
  if (readdirSync(folder).includes(name)) return target
  execFileSync('apt-get', ['download', name], { cwd: folder, stdio: 'inherit' })
  const [file = ''] = readdirSync(folder).filter(each => each.startsWith(`${name}_`))
  mkdirSync(join(folder, 'unpacked'), { recursive: true })
  execFileSync('dpkg-deb', ['-x', file, target], { cwd: folder })
  writeFileSync(join(folder, name), '')
  return target
}

function packOf(name: string): TranslationPack {
  return name === 'translation-nordic' ? name : 'translation'
}
