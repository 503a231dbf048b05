import { animalRows } from './animals.ts'
import { closeUpRows } from './close-ups.ts'
import { conveyanceRows } from './conveyances.ts'
import { dishRows } from './dishes.ts'
import { everydayRows } from './everyday.ts'
import { flagRows } from './flags.ts'
import { frontRows } from './fronts.ts'
import { gatheringRows } from './gatherings.ts'
import { heritageRows } from './heritage.ts'
import { homeRows } from './home.ts'
import { instrumentRows } from './instruments.ts'
import { kitchenRows } from './kitchen.ts'
import { landmarkRows } from './landmarks.ts'
import { moreAnimalRows } from './more-animals.ts'
import { objectRows } from './objects.ts'
import { oddmentRows } from './oddments.ts'
import { placeRows } from './places.ts'
import { produceRows } from './produce.ts'
import { shapeRows } from './shapes.ts'
import { solidRows } from './solids.ts'
import { sportsRows } from './sports.ts'
import { toyRows } from './toys.ts'
import { treeRows } from './trees.ts'
import { vehicleRows } from './vehicles.ts'

/** All tables of things that functions in `subjects/` draw, one thing per line: key | noun |
 *  category | height in metres | width / height | habitat | other English words | Chinese words |
 *  emoji. In the last cell, `> name` means that the drawing function is preferred to the Noto emoji
 *  of this name (because the emoji shows only a head, or a poor body). `< name` means that the
 *  emoji is preferred, and that the drawing function is used only for poses, other views and
 *  recolouring. */
export const drawnRows: readonly string[] = [
  animalRows,
  moreAnimalRows,
  treeRows,
  placeRows,
  objectRows,
  shapeRows,
  gatheringRows,
  everydayRows,
  vehicleRows,
  conveyanceRows,
  heritageRows,
  flagRows,
  dishRows,
  frontRows,
  homeRows,
  instrumentRows,
  kitchenRows,
  closeUpRows,
  landmarkRows,
  oddmentRows,
  produceRows,
  solidRows,
  sportsRows,
  toyRows,
]
