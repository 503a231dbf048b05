import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { type VoiceFactsOfTarget, voiceOf } from '../../shared/sound/speech-words.ts'

/** Returns the passages as one text. The vendor's stage directions, for voices and pauses, stand on
 *  lines of their own (docs/vendors/narakeet.md#stage-directions). */
export function scriptOf(passages: NonNullable<SpeechRequest['passages']>, target: VoiceFactsOfTarget): string {
  let current: string | undefined
  return passages
    .flatMap(({ text, voice, pauseMs }) => {
      const own = voice === undefined ? undefined : voiceOf({ voice }, target)
      const isNew = own !== undefined && own !== current
      current = own ?? current
      return [...(pauseMs > 0 ? [`(pause: ${pauseMs / 1000})`] : []), ...(isNew ? [`(voice: ${own})`] : []), ...(text === '' ? [] : [text])]
    })
    .join('\n')
}
