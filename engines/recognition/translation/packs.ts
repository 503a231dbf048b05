import { basename } from 'node:path'
import type { Pack, PackFile } from '@generation-gateway/kit/packs.ts'
import fileList from './file-list.json' with { type: 'json' }

/** Apertium's programs and language data, from packages of Debian 12 for amd64. The programs run as
 *  processes of their own and are not linked to the gateway. */
export const translationPacks: readonly Pack[] = [
  pack(
    'translation',
    'Apertium: English, Spanish, French, Italian, Portuguese, Catalan and more',
    'GPL-2.0-or-later, GPL-3.0-or-later',
    true,
  ),
  pack('translation-libraries', 'What Apertium needs of Debian 12 (ICU, libxml2)', 'Unicode-3.0, MIT', true),
  pack('translation-nordic', 'Apertium: Swedish, Danish and both kinds of Norwegian', 'GPL-2.0-or-later, GPL-3.0-or-later', false),
]

function pack(id: string, title: string, licence: string, isDefault: boolean): Pack {
  const files = fileList.filter(row => row.pack === id).map(fileOf)
  return { id, title, capability: 'audio.translate', licence, isDefault, files }
}

/** Returns the pack file for a row of the list. All files go into one folder; the last part of each
 *  path is unique. */
function fileOf(row: (typeof fileList)[number]): PackFile {
  const { package: name, entry, bytes, sha256, isProgram } = row
  return {
    ...{ name: basename(entry), bytes, sha256 },
    ...(isProgram ? { isExecutable: true } : {}),
    sources: [{ kind: 'archives', parts: [{ from: 'debian', name, entry, bytes }] }],
  }
}
