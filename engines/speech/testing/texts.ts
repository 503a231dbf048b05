/** Test texts and skip options of the engine. This module opens no engine, so any test file may
 *  import it. */
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { speechPacks } from '../packs.ts'

/** Test options that skip a test when a pack of the engine is not installed. */
export const needsVoices = speechPacks.map(needPack).find(({ skip }) => skip !== undefined) ?? {}

export const prose =
  'The old lighthouse stood on a cliff above the sea. Every evening its keeper climbed the stairs, lit the lamp, and watched the ships pass by.'
