import { characters } from './characters.ts'
import { trades } from './trades.ts'
import type { RoleOutfit } from './uniforms.ts'

/** Functions that return the uniform and prop of a role. The keys are the role names in
 *  `engines/studio/art/person-words.ts`. */
export const roleOutfits: Record<string, RoleOutfit> = { ...trades, ...characters }
