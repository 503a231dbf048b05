/** Prints `levels.ts`: what each voice needs to reach the common loudness. Run it when a model or a voice changes. */

import { loudnessOf } from '@generation-gateway/kit/audio/loudness.ts'
import { packFilesIn } from '@generation-gateway/kit/pack-files.ts'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import { commonLoudness } from '../levels.ts'
import { rateOf } from '../makers.ts'
import { filesOf } from '../pack-of.ts'
import { speechPacks } from '../packs.ts'
import { speak } from '../speak.ts'
import { voices } from '../voices.ts'

const text = 'One night a storm came up, and the bell rang.'
const phonemes = 'wˈʌn nˈIt ɐ stˈɔɹm kˈAm ˈʌp, ænd ðə bˈɛl ɹˈæŋ.'
/** Names of voices; none: all of them. */
const wanted = process.argv.slice(2)
const packs = packFilesIn(packsDirectory(process.env), speechPacks)

for (const { id, maker, name } of voices.filter(({ id }) => wanted.length === 0 || wanted.includes(id))) {
  const { samples } = await speak({
    ...{ maker, files: filesOf(maker, packs), threads: 1, voice: name, parts: [{ text, phonemes, pauseMs: 0 }] },
    ...{ speed: 1, gain: 0, isNormalized: false, isBoosted: false, liveliness: 0.5, likeness: 1, seed: 1 },
  })
  process.stdout.write(`  ${id}: ${(commonLoudness - loudnessOf(samples, rateOf(maker))).toFixed(1)},\n`)
}
