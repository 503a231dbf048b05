import type { Species } from './anatomy.ts'
import { hoofedAndSmall } from './hooves.ts'
import { pawed } from './paws.ts'

/** By the name in the art key: `rig:fox` is `fox`. */
export const species: Record<string, Species> = { ...pawed, ...hoofedAndSmall }
