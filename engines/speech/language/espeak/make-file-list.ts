/** Writes two lists of files. `file-list.json`: eSpeak NG's program, its libraries except glibc,
 *  and its data for the languages that Kokoro speaks. `voices-file-list.json`: the data for
 *  languages that eSpeak itself speaks. Run it on Debian 12, amd64: `node
 *  engines/speech/language/espeak/make-file-list.ts`. Nothing is installed. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { eSpeakVoices } from '../../espeak-voices.ts'

/** Debian packages of the program and its libraries. PulseAudio and ALSA are among them, because
 *  eSpeak's sound library loads both even when nothing is played. */
const packages =
  'libespeak-ng1 libpcaudio0 libsonic0 libpulse0 libasound2 libdbus-1-3 libsndfile1 libsystemd0 libx11-xcb1 libx11-6 libxcb1 libasyncns0 libflac12 libvorbis0a libvorbisenc2 libopus0 libogg0 libmpg123-0 libmp3lame0 libxau6 libxdmcp6 libbsd0 libmd0 libcap2 liblzma5 libzstd1 liblz4-1 libgcrypt20 libgpg-error0'.split(
    ' ',
  )
const glibc = /^(?:ld-linux-x86-64|lib(?:c|m|dl|rt|pthread))\.so\.\d$/
const data = 'usr/lib/x86_64-linux-gnu/espeak-ng-data'
const soundFiles = ['phontab', 'phonindex', 'phondata', 'intonations']
const dictionaries = 'es_dict fr_dict it_dict pt_dict hi_dict en_dict'.split(' ')
const voices = 'roa/es roa/fr roa/it roa/pt roa/pt-BR inc/hi gmw/en gmw/en-US'.split(' ')

const folder = mkdtempSync(join(tmpdir(), 'espeak-'))
let rows: { package: string; entry: string; name: string; bytes: number; sha256: string }[] = []
const unpacked = new Set<string>()
try {
  add('espeak-ng', 'usr/bin/espeak-ng', 'espeak-ng')
  for (const name of [...soundFiles, ...dictionaries]) add('espeak-ng-data', `${data}/${name}`, name)
  for (const voice of voices) add('espeak-ng-data', `${data}/lang/${voice}`, `lang/${basename(voice)}`)
  const libraries = new Map(packages.flatMap(librariesOf))
  const found = new Set<string>()
  const link = (file: string): void => {
    for (const name of neededBy(file)) {
      if (glibc.test(name) || found.has(name)) continue
      const library = libraries.get(name)
      if (!library) throw new Error(`No package has ${name}.`)
      found.add(name)
      add(library.from, relative(join(folder, library.from), library.path), name)
      link(library.path)
    }
  }
  link(join(folder, 'espeak-ng/usr/bin/espeak-ng'))
  write('file-list.json')
  for (const name of soundFiles) add('espeak-ng-data', `${data}/${name}`, name)
  for (const { file, dictionary } of eSpeakVoices) {
    add('espeak-ng-data', `${data}/lang/${file}`, `lang/${basename(file)}`)
    add('espeak-ng-data', `${data}/${dictionary}`, dictionary)
  }
  write('voices-file-list.json')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
function write(name: string): void {
  writeFileSync(join(import.meta.dirname, name), `[\n${rows.map(row => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`)
  rows = []
}

function add(from: string, entry: string, name: string): void {
  const content = readFileSync(join(unpack(from), entry))
  rows.push({ package: from, entry, name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
}

function unpack(name: string): string {
  const target = join(folder, name)
  if (unpacked.has(name)) return target
  execFileSync('apt-get', ['download', name], { cwd: folder, stdio: 'ignore' })
  const file = readdirSync(folder).find(each => each.startsWith(`${name}_`))!
  execFileSync('dpkg', ['-x', file, name], { cwd: folder })
  unpacked.add(name)
  return target
}

/** Returns the shared libraries of a package, under each of their names (symbolic links). */
function librariesOf(from: string): [string, { from: string; path: string }][] {
  const files = readdirSync(unpack(from), { recursive: true, encoding: 'utf8' }).filter(file => /\.so(?:\.|$)/.test(file))
  return files.map(file => [basename(file), { from, path: realpathSync(join(folder, from, file)) }])
}

function neededBy(file: string): string[] {
  const facts = execFileSync('readelf', ['-d', file], { encoding: 'utf8' })
  return [...facts.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map(match => match[1]!)
}
