import type { Pack } from '@generation-gateway/kit/packs.ts'

export const speakersPack = 'speaker-voices'
export const voiceWeightsFile = 'pretrained.pt'

/** The pack with the weights of the voice encoder. */
export const speakersPacks: readonly Pack[] = [
  {
    id: speakersPack,
    title: 'Voice encoder of Resemblyzer, tells speakers apart',
    capability: 'audio.transcribe',
    licence: 'Apache-2.0',
    isDefault: true,
    files: [
      {
        name: voiceWeightsFile,
        bytes: 17_090_379,
        sha256: '39373b86598fa3da9fcddee6142382efe09777e8d37dc9c0561f41f0070f134e',
        sources: [
          {
            kind: 'archives',
            parts: [{ from: 'wheel', name: 'Resemblyzer==0.1.4', entry: 'resemblyzer/pretrained.pt', bytes: 17_090_379 }],
          },
        ],
      },
    ],
  },
]
