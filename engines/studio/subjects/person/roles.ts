import { characters } from './characters.ts'
import { trades } from './trades.ts'
import type { RoleOutfit } from './uniforms.ts'

/** Uniforms and props by occupation, as the word list of `engines/studio/art/person-words.ts`
 *  names them. */
export const roleOutfits: Record<string, RoleOutfit> = { ...trades, ...characters }
