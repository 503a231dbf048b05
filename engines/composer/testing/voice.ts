/** Opens the singing voice for tests. */
import { packFilesIn } from '@generation-gateway/kit/pack-files.ts'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { hibari, hibariNetwork, hibariPack } from '@generation-gateway/kit/voice/hibari-pack.ts'
import { openSpeaker, type Speaker } from '../sing/speaker.ts'

/** Test options that skip a test when the voice pack is not installed. */
export const needsVoice = needPack(hibari)

/** Opens the singing voice. Throws when its pack is not installed. */
export async function theSpeaker(): Promise<Speaker> {
  const path = packFilesIn(packsDirectory(process.env), [hibari]).file(hibariPack, hibariNetwork)
  if (path === undefined) throw new Error('the pack of the voice is not there: npm run setup -- speech-hibari')
  return openSpeaker(path)
}
