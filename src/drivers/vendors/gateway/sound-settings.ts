/** Settings of targets that speak and hear. */
import Type from 'typebox'
import { settingText } from '../../shared/upstream/service-settings.ts'

const speechFamilies = ['T1', 'T2', 'T3'] as const
export type SpeechFamily = (typeof speechFamilies)[number]
/** R2 has the path of R1. */
const hearingFamilies = ['R1', 'R3', 'R4', 'R5'] as const
export type HearingFamily = (typeof hearingFamilies)[number]

export const soundSettings = {
  voice: Type.Optional(Type.String({ minLength: 1, description: 'The voice of requests for speech that name none.' })),
  speech: Type.Optional(
    Type.Enum([...speechFamilies], {
      description: 'The family that its model speaks through there. Default: that of the gateway model of this name, else T1.',
    }),
  ),
  recognition: Type.Optional(
    Type.Enum([...hearingFamilies], {
      description: 'The family that its model hears through there. Default: that of the gateway model of this name, else R1.',
    }),
  ),
}

export interface SoundFacts {
  voice: string | undefined
  voices: Readonly<Record<string, string>>
  speech: SpeechFamily | undefined
  recognition: HearingFamily | undefined
}

export function soundFacts({ voice, speech, recognition }: Readonly<Record<string, unknown>>): SoundFacts {
  return {
    voice: settingText(voice),
    voices: {},
    speech: speechFamilies.find(each => each === speech),
    recognition: hearingFamilies.find(each => each === recognition),
  }
}
