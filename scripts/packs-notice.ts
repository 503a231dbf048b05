import type { Pack, PackSource } from '@generation-gateway/kit/packs.ts'
import { packManifest } from '../src/packs/installed.ts'

/** Licences under which an image may contain a pack. */
const passedOn = [
  'Apache-2.0',
  'BSD',
  'CC0-1.0',
  'GPL-2.0-or-later',
  'GPL-3.0-or-later',
  'LGPL-2.1-or-later',
  'MIT',
  'Unicode-3.0',
  'WordNet License',
]

/** Reasons why an image must not contain a pack under one of these licences. A reason states what
 *  is under the licence and where the licence can be read. */
const restrictions: Readonly<Record<string, string>> = {
  'Blizzard 2013 research licence':
    'its model card says "Finetuned from U.S. English lessac voice (medium quality)", and the recordings of lessac are for research purposes only and may not be passed on (https://www.cstr.ed.ac.uk/projects/blizzard/2013/lessac_blizzard2013/license.html)',
}

/** Addresses of the complete source code of packs under the GPL. The GPL requires them from
 *  everyone who distributes the programs. */
const sourceCode: Readonly<Record<string, string>> = {
  ffmpeg:
    'FFmpeg 9.0.2 is at https://ffmpeg.org/releases/; the scripts that build it with its libraries are at https://github.com/BtbN/FFmpeg-Builds.',
  'speech-espeak': debian(),
  'speech-espeak-voices': debian(),
  translation: debian(),
}

/** Returns the packs that the full image contains: the default packs, as far as their licences
 *  allow that an image contains them. */
export function packsOfImage(manifest: readonly Pack[] = packManifest): Pack[] {
  return manifest.filter(pack => whyLeftOut(pack) === undefined)
}

/** Returns the text of deploy/NOTICE.packs: the licence and the sources of every pack in the full
 *  image, and the names of the packs that it does not contain. Throws for a pack under the GPL
 *  whose source code has no address in `sourceCode`. */
export function packsNotice(manifest: readonly Pack[] = packManifest): string {
  const leftOut = manifest.flatMap(pack => {
    const reason = whyLeftOut(pack)
    return reason === undefined ? [] : [`- ${pack.id} (${pack.title}; ${pack.licence}): ${reason}`]
  })
  return `Engine packs in the image "full" of the Generation gateway

Each pack is a folder below /opt/packs, unchanged as its source has it. The texts of the GPL, LGPL, Apache License 2.0 and CC0
are in /usr/share/common-licenses of the image. Programs under the GPL run as processes of their own; nothing is linked to them.

${packsOfImage(manifest).map(entryOf).join('\n\n')}

Not in the image; npm run setup adds them to a folder that can be mounted at /opt/packs:

${leftOut.join('\n')}
`
}

function whyLeftOut({ licence, isDefault }: Pack): string | undefined {
  const unknown = licence.split(/[,;] ?(?:its libraries )?/).filter(name => !passedOn.includes(name))
  const [restriction] = unknown.flatMap(name => restrictions[name] ?? [])
  if (unknown.length > 0) return restriction ?? `its licence (${unknown.join(', ')}) does not let it be passed on`
  return isDefault ? undefined : 'it is added by name only, for its size'
}

function entryOf({ id, title, licence, files }: Pack): string {
  const sources = [...new Set(files.flatMap(file => file.sources.flatMap(namesOf)))]
  const code = /\bGPL/.test(licence) ? [`  Source code: ${sourceCode[id] ?? missingCode(id)}`] : []
  return [`${id}: ${title}`, `  Licence: ${licence}`, `  From:${listOf(sources)}`, ...code].join('\n')
}

/** Returns the URLs or package names from which a source fetches its files. */
function namesOf(source: PackSource): string[] {
  if (source.kind === 'url') return [source.url]
  if (source.kind === 'made') return source.of.flatMap(file => file.sources.flatMap(namesOf))
  return source.parts.map(part => `${kinds[part.from]} ${part.name}`)
}

const kinds = { wheel: 'Python package', npm: 'npm package', debian: 'Debian 12 package' }

function listOf(names: readonly string[]): string {
  return names.length === 1 ? ` ${names[0]}` : names.map(name => `\n    ${name}`).join('')
}

function debian(): string {
  return 'the source packages of these packages in Debian 12 (apt-get source NAME).'
}

function missingCode(id: string): never {
  throw new Error(`scripts/packs-notice.ts does not say where the source code of the pack ${id} is`)
}
