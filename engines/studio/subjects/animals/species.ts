import type { Species } from './anatomy.ts'
import { breeds } from './breeds.ts'
import { hoofedAndSmall } from './hooves.ts'
import { pawed } from './paws.ts'
import { smallAndOdd } from './small-and-odd.ts'

/** All species by the name in the art key: `rig:fox` is `fox`. */
export const species: Record<string, Species> = { ...pawed, ...hoofedAndSmall, ...breeds, ...smallAndOdd }
