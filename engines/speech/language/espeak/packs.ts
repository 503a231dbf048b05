import type { Pack } from '@generation-gateway/kit/packs.ts'
import fileList from './file-list.json' with { type: 'json' }

export const eSpeakPack = 'speech-espeak'
export const eSpeakProgram = 'espeak-ng'

/** eSpeak NG and the libraries it links, out of packages of Debian 12 for amd64. It is run as a program of its own; nothing of it is linked. */
export const eSpeakPacks: readonly Pack[] = [
  {
    id: eSpeakPack,
    title: 'eSpeak NG: how Spanish, French, Italian, Portuguese and Hindi are pronounced',
    capability: 'speech.synthesize',
    licence: 'GPL-3.0-or-later; its libraries LGPL-2.1-or-later, BSD, MIT',
    isDefault: true,
    files: fileList.map(({ package: name, entry, name: file, bytes, sha256 }) => ({
      ...{ name: file, bytes, sha256 },
      ...(file === eSpeakProgram ? { isExecutable: true } : {}),
      sources: [{ kind: 'archives', parts: [{ from: 'debian', name, entry, bytes }] }],
    })),
  },
]
