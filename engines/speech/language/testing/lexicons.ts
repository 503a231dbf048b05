/** Opens the text analysis with the packs on this machine, for tests. */
import { join } from 'node:path'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import { openEnglish } from '../english/english.ts'
import type { NormaliserContext } from '../english/normalise.ts'
import { openFrontEnd } from '../index.ts'

/** Returns the path of a file in Hibari's pack, which `npm run setup` installs. */
export const fileOf = (name: string): string => join(packsDirectory(process.env), 'speech-hibari', name)

export const frontEnd = openFrontEnd(fileOf)

const english = openEnglish(fileOf)
const speaking = async (accent: 'us' | 'gb'): Promise<NormaliserContext> => ({ accent, isWord: (await english.warm(accent)).lexicon.has })
export const american = speaking('us')
export const british = speaking('gb')
