import { characters } from './characters.ts'
import { trades } from './trades.ts'
import type { RoleOutfit } from './uniforms.ts'

/** Uniforms and props by occupation, under the names of `engines/studio/art/person-words.ts`. */
export const roleOutfits: Record<string, RoleOutfit> = { ...trades, ...characters }
