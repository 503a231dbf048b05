import type { Species } from './anatomy.ts'
import { breeds } from './breeds.ts'
import { hoofedAndSmall } from './hooves.ts'
import { pawed } from './paws.ts'
import { smallAndOdd } from './small-and-odd.ts'

/** All species by the name in the key of the drawing: `fox` for `rig:fox`. */
export const species: Record<string, Species> = { ...pawed, ...hoofedAndSmall, ...breeds, ...smallAndOdd }
