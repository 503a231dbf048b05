import type { Pack, PackFile } from '@generation-gateway/kit/packs.ts'
import fileList from './file-list.json' with { type: 'json' }
import voicesFileList from './voices-file-list.json' with { type: 'json' }

export const eSpeakPack = 'speech-espeak'
export const eSpeakProgram = 'espeak-ng'
/** Pack with the data of eSpeak's own voices; eSpeak's program is in another pack. */
export const eSpeakVoicesPack = 'speech-espeak-voices'
/** Name of one file in the pack. All files of the pack are in one folder, so the path of this file
 *  shows where the others are. */
export const eSpeakSounds = 'phontab'

/** eSpeak NG and its libraries, from packages of Debian 12 for amd64. eSpeak NG runs as a separate
 *  program and is not linked to the gateway. */
export const eSpeakPacks: readonly Pack[] = [
  {
    id: eSpeakPack,
    title: 'eSpeak NG: how Spanish, French, Italian, Portuguese and Hindi are pronounced',
    capability: 'speech.synthesize',
    licence: 'GPL-3.0-or-later; its libraries LGPL-2.1-or-later, BSD, MIT',
    isDefault: true,
    files: fileList.map(fileOf),
  },
  {
    id: eSpeakVoicesPack,
    title: "eSpeak NG's own voices: one for each of 63 further languages, among them German, Dutch, Polish, Russian, Swedish and Turkish",
    capability: 'speech.synthesize',
    licence: 'GPL-3.0-or-later',
    isDefault: true,
    files: voicesFileList.map(fileOf),
  },
]

function fileOf({ package: name, entry, name: file, bytes, sha256 }: (typeof fileList)[number]): PackFile {
  return {
    ...{ name: file, bytes, sha256 },
    ...(file === eSpeakProgram ? { isExecutable: true } : {}),
    sources: [{ kind: 'archives', parts: [{ from: 'debian', name, entry, bytes }] }],
  }
}
