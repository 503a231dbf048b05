import type { SettingKind } from '../scene.ts'
import { abstract } from './places/abstract.ts'
import { moon, planet } from './places/barren.ts'
import { canyon } from './places/canyon.ts'
import { carPark } from './places/car-park.ts'
import { cave } from './places/cave.ts'
import { churchNave } from './places/church.ts'
import { cityFromAbove } from './places/city-from-above.ts'
import { citySkyline } from './places/city-skyline.ts'
import { hospital, laboratory } from './places/clinical-rooms.ts'
import { beach, sea } from './places/coast.ts'
import { sky, space } from './places/cosmos.ts'
import { deckBefore } from './places/deck.ts'
import { museum, shop } from './places/display-rooms.ts'
import { cafe, restaurant } from './places/eating-rooms.ts'
import { farm } from './places/farm.ts'
import { field } from './places/field.ts'
import { lake, river, swamp } from './places/fresh-water.ts'
import { garden } from './places/garden.ts'
import { gym } from './places/gym.ts'
import { harbour } from './places/harbour.ts'
import { bedroom, kitchen, livingRoom } from './places/home.ts'
import { library } from './places/library.ts'
import { market } from './places/market.ts'
import { castleGrounds, graveyard, ruins } from './places/monuments.ts'
import { openLand } from './places/open-land.ts'
import { park } from './places/park.ts'
import { withPier } from './places/pier.ts'
import type { PlacePainter } from './places/place.ts'
import { bareRoom, bathroom, hallway } from './places/plain-rooms.ts'
import { playground } from './places/playground.ts'
import { rooftop } from './places/rooftop.ts'
import { garage, workshop } from './places/sheds.ts'
import { stadium } from './places/stadium.ts'
import { concertHall, theatre } from './places/stages.ts'
import { street } from './places/street.ts'
import { backdrop, shelf, table, windowTable } from './places/table.ts'
import { underwater } from './places/underwater.ts'
import { village } from './places/village.ts'
import { wall } from './places/wall.ts'
import { waterfall } from './places/waterfall.ts'
import { island, pool } from './places/waterside.ts'
import { railway, road } from './places/ways.ts'
import { desert, mountains, snowfield, volcano } from './places/wild.ts'
import { wood } from './places/woods.ts'
import { classroom, office } from './places/work-rooms.ts'
import type { ViewPlan } from './view.ts'

interface SettingPlan {
  view: ViewPlan
  paint: PlacePainter
}

const eyeLevel: ViewPlan = { horizon: 0.52, near: 0.92, person: 0.5, lens: 1.1, far: 0.16 }
const wide: ViewPlan = { ...eyeLevel, person: 0.24 }
const grand: ViewPlan = { ...eyeLevel, person: 0.16 }
const indoors: ViewPlan = { horizon: 0.45, near: 0.93, person: 0.5, lens: 1.1, far: 0.52, indoors: true }
const hall: ViewPlan = { ...indoors, person: 0.4 }
/** The view for things on a table: a cup of 0.1 m is a quarter as high as the short side of the
 *  picture. */
const tabletop: ViewPlan = { horizon: 0.2, near: 0.86, person: 4.25, lens: 1.6, far: 0.6, indoors: true }

const downtown = street('city')
const overMountains = deckBefore(mountains)
const overGarden = deckBefore(garden)
const overSea = deckBefore(beach)
const deck: PlacePainter = stage =>
  stage.has('mountains', 'hills', 'canyon') ? overMountains(stage) : stage.has('sea', 'beach', 'lake') ? overSea(stage) : overGarden(stage)

/** Chooses the painter of a room by the words in the setting's details; by default, a living
 *  room. */
const roomOf: PlacePainter = stage => {
  if (stage.has('bathroom')) return bathroom(stage)
  if (stage.has('hallway')) return hallway(stage)
  if (stage.has('church')) return churchNave(stage)
  return stage.has('dining', 'throne', 'ballroom', 'nursery', 'attic', 'castle') ? bareRoom(stage) : livingRoom(stage)
}

export const settings: Record<SettingKind, SettingPlan> = {
  meadow: {
    view: eyeLevel,
    paint: openLand({ hills: 14, ridges: 260, trees: { kinds: ['broad', 'broad', 'tall', 'bush'] }, grass: 0.13, flowers: 14 }),
  },
  field: { view: eyeLevel, paint: field },
  farm: { view: { ...eyeLevel, person: 0.4 }, paint: farm },
  garden: { view: eyeLevel, paint: garden },
  park: { view: eyeLevel, paint: park },
  forest: { view: { ...eyeLevel, horizon: 0.55 }, paint: wood('forest') },
  jungle: { view: { ...eyeLevel, horizon: 0.55 }, paint: wood('jungle') },
  mountains: { view: { ...grand, horizon: 0.62 }, paint: stage => (stage.has('canyon') ? canyon(stage) : mountains(stage)) },
  hills: {
    view: { ...wide, horizon: 0.5 },
    paint: openLand({
      hills: 74,
      ridges: 360,
      start: 2.2,
      trees: { kinds: ['broad', 'bush', 'tall', 'cypress'], count: 170 },
      grass: 0.13,
      flowers: 12,
    }),
  },
  desert: { view: { ...wide, horizon: 0.5 }, paint: desert },
  snowfield: { view: { ...eyeLevel, person: 0.42 }, paint: snowfield },
  beach: { view: { ...eyeLevel, horizon: 0.42, person: 0.42 }, paint: withPier(beach) },
  sea: { view: { horizon: 0.46, near: 0.9, person: 0.09, lens: 1.1, far: 0.12 }, paint: withPier(sea) },
  underwater: { view: { horizon: 0.66, near: 0.93, person: 0.4, lens: 1.1, far: 0.2 }, paint: underwater },
  lake: { view: { ...eyeLevel, person: 0.34, horizon: 0.5 }, paint: withPier(lake) },
  river: { view: { ...eyeLevel, person: 0.36 }, paint: withPier(river) },
  waterfall: { view: { ...eyeLevel, person: 0.34, horizon: 0.56 }, paint: waterfall },
  swamp: { view: { ...eyeLevel, person: 0.42 }, paint: swamp },
  cave: { view: { ...eyeLevel, person: 0.42 }, paint: cave },
  volcano: { view: { ...grand, horizon: 0.64 }, paint: volcano },
  island: { view: { ...eyeLevel, horizon: 0.42, person: 0.28 }, paint: island },
  village: { view: { ...wide, person: 0.26, horizon: 0.5 }, paint: village },
  street: { view: { ...eyeLevel, person: 0.36, horizon: 0.54 }, paint: street('street') },
  city: {
    view: { ...eyeLevel, person: 0.2, horizon: 0.62 },
    paint: stage => (stage.view.angle === 'aerial' ? cityFromAbove(stage) : stage.has('skyline') ? citySkyline(stage) : downtown(stage)),
  },
  rooftop: { view: { ...eyeLevel, person: 0.42, horizon: 0.5 }, paint: stage => (stage.has('deck') ? deck(stage) : rooftop(stage)) },
  road: { view: { ...eyeLevel, person: 0.34 }, paint: stage => (stage.has('parking') ? carPark(stage) : road(stage)) },
  railway: { view: { ...eyeLevel, person: 0.34 }, paint: railway },
  harbour: { view: { ...eyeLevel, person: 0.28, horizon: 0.48 }, paint: harbour },
  stadium: { view: { ...eyeLevel, person: 0.34, horizon: 0.5 }, paint: stadium },
  playground: { view: { ...eyeLevel, person: 0.42 }, paint: playground },
  market: { view: { ...eyeLevel, person: 0.42 }, paint: market },
  'castle-grounds': { view: { ...wide, person: 0.26 }, paint: castleGrounds },
  ruins: { view: { ...eyeLevel, person: 0.36 }, paint: ruins },
  graveyard: { view: { ...eyeLevel, person: 0.42 }, paint: graveyard },
  sky: { view: { horizon: 0.62, near: 0.8, person: 0.12, lens: 1.1, far: 0.2 }, paint: sky },
  space: { view: { horizon: 0.5, near: 0.82, person: 0.34, lens: 1.1, far: 0.2 }, paint: space },
  moon: { view: { ...eyeLevel, person: 0.4 }, paint: moon },
  planet: { view: { ...eyeLevel, person: 0.36 }, paint: planet },
  room: { view: indoors, paint: roomOf },
  bedroom: { view: indoors, paint: bedroom },
  kitchen: { view: indoors, paint: kitchen },
  restaurant: { view: indoors, paint: restaurant },
  cafe: { view: indoors, paint: cafe },
  library: { view: indoors, paint: library },
  classroom: { view: indoors, paint: classroom },
  office: { view: indoors, paint: office },
  laboratory: { view: indoors, paint: laboratory },
  hospital: { view: indoors, paint: hospital },
  shop: { view: indoors, paint: shop },
  museum: { view: hall, paint: museum },
  theatre: { view: hall, paint: theatre },
  'concert-hall': { view: hall, paint: concertHall },
  gym: { view: hall, paint: gym },
  pool: { view: { ...eyeLevel, person: 0.4, horizon: 0.42 }, paint: pool },
  workshop: { view: indoors, paint: workshop },
  garage: { view: indoors, paint: garage },
  table: { view: tabletop, paint: table },
  'window-table': { view: tabletop, paint: windowTable },
  shelf: { view: { ...tabletop, horizon: 0.3, near: 0.84, far: 0.72 }, paint: shelf },
  wall: { view: { ...indoors, person: 0.44 }, paint: wall },
  backdrop: { view: { horizon: 0.5, near: 0.88, person: 0.55, lens: 1.4, far: 0.5 }, paint: backdrop },
  abstract: { view: { horizon: 0.3, near: 0.85, person: 0.5, lens: 1.4, far: 0.5 }, paint: abstract },
}
