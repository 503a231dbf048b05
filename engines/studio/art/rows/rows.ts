import { animalRows } from './animals.ts'
import { everydayRows } from './everyday.ts'
import { gatheringRows } from './gatherings.ts'
import { objectRows } from './objects.ts'
import { placeRows } from './places.ts'
import { shapeRows } from './shapes.ts'
import { treeRows } from './trees.ts'
import { vehicleRows } from './vehicles.ts'

/** The table of things drawn by code, one line each:
 *  key | noun | category | height in metres | width / height | habitat | other English words | Chinese words | emoji
 *  `> name` in the last cell: this drawing comes before that Noto emoji (a head only, or a poor body).
 *  `< name`: the emoji has a good body and comes first; this one serves poses, other views and recolouring. */
export const drawnRows: readonly string[] = [
  animalRows,
  treeRows,
  placeRows,
  objectRows,
  shapeRows,
  gatheringRows,
  everydayRows,
  vehicleRows,
]
