import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import type { Colour, PaintedPart } from '../../scene.ts'
import type { Artwork } from '../artwork.ts'
import { renderPainter, scaledArtwork, vectorArtwork } from '../vector.ts'
import { aircraft } from './aircraft.ts'
import { armour } from './armour.ts'
import { belongings } from './belongings.ts'
import { boardGames } from './board-games.ts'
import { boats } from './boats.ts'
import { buildings } from './buildings.ts'
import { cars } from './cars.ts'
import { charts } from './charts.ts'
import { cliffs } from './cliffs.ts'
import { closeUps } from './close-ups.ts'
import { containers } from './containers.ts'
import { conveyances } from './conveyances.ts'
import { creatures } from './creatures.ts'
import { dishes } from './dishes.ts'
import { fixtures } from './fixtures.ts'
import { nationalFlags } from './flags.ts'
import { fronts } from './fronts.ts'
import { furnishings } from './furnishings.ts'
import { furniture } from './furniture.ts'
import { gardenProduce } from './garden-produce.ts'
import { gatherings } from './gatherings.ts'
import { heritage } from './heritage.ts'
import { homeware } from './homeware.ts'
import { household } from './household.ts'
import { houses } from './houses.ts'
import { instruments } from './instruments.ts'
import { kitchenware } from './kitchenware.ts'
import { landmarks } from './landmarks.ts'
import { worldTowers } from './landmarks-towers.ts'
import { worldLandmarks } from './landmarks-world.ts'
import { maps } from './maps.ts'
import { nature } from './nature.ts'
import { oddments } from './oddments.ts'
import { createPen, type Drawing, type NightLight, paintAuras, paintLights } from './pen.ts'
import { plants } from './plants.ts'
import { playthings } from './playthings.ts'
import { pouring } from './pouring.ts'
import { roadside } from './roadside.ts'
import { schemes } from './schemes.ts'
import { seenFlat } from './seen-flat.ts'
import { shapes } from './shapes.ts'
import { ships } from './ships.ts'
import { sky } from './sky.ts'
import { solids } from './solids.ts'
import { space } from './space.ts'
import { sports } from './sports.ts'
import { sportsGear } from './sports-gear.ts'
import { structures } from './structures.ts'
import { sweets } from './sweets.ts'
import { tableware } from './tableware.ts'
import { toys } from './toys.ts'
import { trains } from './trains.ts'
import { trucks } from './trucks.ts'
import { vehicles } from './vehicles.ts'

const drawings: Record<string, Drawing> = {
  ...buildings,
  ...houses,
  ...cliffs,
  ...landmarks,
  ...worldLandmarks,
  ...worldTowers,
  ...structures,
  ...seenFlat,
  ...nature,
  ...vehicles,
  ...oddments,
  ...closeUps,
  ...sweets,
  ...gardenProduce,
  ...dishes,
  ...toys,
  ...boardGames,
  ...sportsGear,
  ...solids,
  ...kitchenware,
  ...instruments,
  ...homeware,
  ...furnishings,
  ...boats,
  ...furniture,
  ...household,
  ...gatherings,
  ...containers,
  ...creatures,
  ...plants,
  ...playthings,
  ...pouring,
  ...sky,
  ...space,
  ...shapes,
  ...fronts,
  ...sports,
  ...roadside,
  ...belongings,
  ...tableware,
  ...aircraft,
  ...trains,
  ...trucks,
  ...armour,
  ...cars,
  ...charts,
  ...conveyances,
  ...fixtures,
  ...heritage,
  ...maps,
  ...nationalFlags,
  ...schemes,
  ...ships,
}

export function isDrawn(name: string): boolean {
  return drawings[name] !== undefined
}

/** Returns the drawing of a thing that a function in this folder draws (`windmill` for
 *  `drawn:windmill`), 100 units high. Throws `RangeError` for an unknown name. */
export function drawnArtwork(
  name: string,
  { colour, parts = [], random }: { colour: Colour | undefined; parts?: readonly PaintedPart[] | undefined; random: Random },
): Artwork {
  const drawing = drawings[name]
  if (!drawing) throw new RangeError(`no drawing of ${name}`)
  const lights: NightLight[] = []
  const drawn = vectorArtwork({
    // Each call starts with the same random numbers, so that the measured and the rendered drawing
    // are identical.
    paint: context => {
      lights.length = 0
      drawing.paint(createPen({ context, random: random.fork('paint'), colour: colour?.hex, parts, lights }))
    },
    facing: drawing.isSided ? 'right' : 'front',
    isLuminous: drawing.isLuminous ?? false,
    anchors: drawing.anchors ?? {},
  })
  // The catalogue gives the real height of the whole thing, so the drawing is scaled until its
  // painted part is 100 units high.
  return scaledArtwork({ ...drawn, ...lightOf(drawn, lights) }, 100 / (drawn.bounds.bottom - drawn.bounds.top))
}

/** Returns the functions that draw lit windows, lamps and auras, for drawings that have them. */
function lightOf({ bounds }: Artwork, lights: readonly NightLight[]): Pick<Artwork, 'renderGlow' | 'paintAura'> {
  return {
    ...(lights.some(light => light.kind !== 'aura')
      ? { renderGlow: (pixelsPerUnit: number) => renderPainter(context => paintLights(context, lights), bounds, pixelsPerUnit) }
      : {}),
    ...(lights.some(light => light.kind !== 'pane')
      ? { paintAura: (context: SKRSContext2D, isNight: boolean) => paintAuras(context, lights, isNight) }
      : {}),
  }
}
