/** Speaks with eSpeak NG's own voices. Runs in the gateway's process, which starts eSpeak's
 *  program. */
import { samplesOf } from '@generation-gateway/kit/audio/pcm.ts'
import type { PackFiles } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { eSpeakVoicesPack } from '../language/espeak/packs.ts'
import { findESpeakVoices } from '../language/espeak/program.ts'
import { paceOf, rateOf } from '../makers.ts'
import type { SpeakJob, SpokenPart } from '../messages.ts'

/** eSpeak's words per minute at speed 1. */
const usualWords = 160
const headerBytes = 44
const rateAt = 24

/** Returns the part together with its sound. Throws `capability_unavailable` when eSpeak or its
 *  voices are not installed, and `internal_error` when eSpeak fails. */
export async function spokenByESpeak(
  { part, voice, speed }: Pick<SpeakJob, 'part' | 'voice' | 'speed'>,
  packs: PackFiles,
  signal: AbortSignal,
): Promise<SpokenPart> {
  const program = findESpeakVoices(packs)
  if (!program) throw new GatewayError('capability_unavailable', packs.howToGet(eSpeakVoicesPack))
  const wordsPerMinute = Math.round(usualWords * paceOf('ESpeak', speed))
  const file = await program.speak(part.text, { voice, wordsPerMinute, signal })
  if (file.length < headerBytes || file.readUInt32LE(rateAt) !== rateOf('ESpeak'))
    throw new GatewayError('internal_error', 'eSpeak NG spoke in another form than this engine knows.')
  return { ...part, sound: samplesOf(file.subarray(headerBytes)) }
}
