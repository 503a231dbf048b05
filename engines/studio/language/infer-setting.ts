import type { SettingKind } from '../scene.ts'
import { isCutFlower } from './attach.ts'
import { isPerson, type Mention } from './draft.ts'
import { words } from './lexicon/senses.ts'

interface Habitual {
  setting: SettingKind
  details?: string[]
  nouns: string
}

/** The typical places of things, for prompts that name no place. The things are English nouns of
 *  the catalogue. When several rows contain a noun, the last of them applies. */
const byNoun: Habitual[] = [
  {
    setting: 'underwater',
    nouns:
      'whale, dolphin, shark, octopus, squid, jellyfish, seahorse, submarine, mermaid, merman, coral, coral reef, seaweed, stingray, manta ray, sea turtle, scuba diver, tropical fish, blowfish, clownfish, goldfish, fish, lobster, shrimp, starfish, seashell, orca, narwhal, eel, anglerfish',
  },
  {
    setting: 'space',
    nouns:
      'planet, ringed planet, saturn, earth, galaxy, spaceship, space station, satellite, asteroid, comet, ufo, black hole, astronaut, rocket, star cluster, jupiter, mars, venus, mercury, neptune, solar system, flying saucer',
  },
  {
    setting: 'snowfield',
    nouns:
      'penguin, polar bear, seal, snowman, igloo, sled, sleigh, reindeer, husky, walrus, arctic fox, santa claus, skier, snowflake, iceberg, yeti, snowboard, ski, skis, ice skate, snow leopard',
  },
  {
    setting: 'desert',
    nouns: 'camel, scorpion, armadillo, cactus, pyramid, sphinx, cowboy, rattlesnake, saguaro, two-hump camel, vulture, cowgirl',
  },
  {
    setting: 'jungle',
    nouns:
      'monkey, gorilla, orangutan, tiger, toucan, parrot, sloth, chimpanzee, jaguar, snake, crocodile, chameleon, iguana, lemur, black panther, panther, tarantula, stegosaurus, ankylosaurus, pterodactyl, dinosaur, sauropod, t-rex, tyrannosaurus, triceratops, macaw, anaconda, leopard',
  },
  {
    setting: 'meadow',
    details: ['savanna'],
    nouns:
      'lion, lioness, elephant, giraffe, zebra, rhinoceros, hippopotamus, cheetah, meerkat, ostrich, antelope, gazelle, acacia tree, baobab tree, hyena, rhino, hippo',
  },
  { setting: 'forest', details: ['bamboo'], nouns: 'panda, bamboo, red panda, koala' },
  {
    setting: 'forest',
    nouns:
      'fox, wolf, deer, owl, bear, moose, squirrel, chipmunk, hedgehog, raccoon, badger, mushroom, stag, elk, fairy, witch, wizard, gnome, elf, troll, treehouse, mushroom house, boar, bat, beaver, skunk, woodpecker, reishi, toadstool, fern, archer, campfire, tent, cabin, log, unicorn, werewolf, lynx, pine cone',
  },
  {
    setting: 'lake',
    nouns:
      'duck, swan, frog, goose, lily pad, lotus flower, lotus, canoe, rowboat, otter, fisherman, flamingo, heron, crane, dragonfly, stork, kayak, toad, koi, raft, beaver, capybara, platypus',
  },
  {
    setting: 'sea',
    nouns:
      'sailboat, ship, boat, cruise ship, pirate ship, yacht, speedboat, motor boat, ferry, wave, buoy, gondola, cargo ship, anchor, fishing boat, viking ship, jet ski',
  },
  { setting: 'harbour', nouns: 'sailor, captain, dock worker, crane operator' },
  {
    setting: 'beach',
    nouns:
      'pirate, surfer, crab, seagull, palm tree, lighthouse, beach umbrella, sandcastle, surfboard, deck chair, shell, spiral shell, beach ball, pelican, swimmer, lifeguard, coconut, flip flops, thong sandal, umbrella on ground, turtle',
  },
  {
    setting: 'garden',
    nouns:
      'bee, butterfly, ladybug, lady beetle, beetle, snail, ant, caterpillar, spider, worm, rose, tulip, sunflower, daisy, flower, flowers, hibiscus, lavender, lily, hummingbird, bird, hyacinth, dandelion, poppy, rose bush, beehive, watering can, fountain, honeybee, grasshopper, cricket, wisteria, geisha, peony, orchid, bouquet, peacock',
  },
  {
    setting: 'farm',
    nouns:
      'cow, pig, chicken, rooster, sheep, ram, goat, barn, tractor, farmer, hen, chick, turkey, donkey, bull, ox, scarecrow, haystack, hay, farmhouse, duckling, lamb, piglet, llama, alpaca, horse, pony, windmill, wheat, calf',
  },
  {
    setting: 'railway',
    nouns:
      'train, steam train, locomotive, railway car, bullet train, high-speed train, tram, metro, light rail, station, monorail, steam locomotive',
  },
  {
    setting: 'road',
    nouns:
      'racing car, race car, sports car, motorcycle, articulated lorry, truck, vintage car, van, campervan, lorry, delivery truck, pickup truck',
  },
  {
    setting: 'street',
    nouns:
      'car, taxi, bus, fire truck, fire engine, police car, ambulance, bicycle, scooter, kick scooter, street lamp, traffic light, oncoming automobile, automobile, trolleybus, phone box, market stall, mailbox, postbox, firefighter, police officer, hydrant, fire hydrant, parking meter, stop sign, cyclist, skateboard, building, tram car, minibus, postman, sign, shop, store, bakery, hotel, trash can, storefront',
  },
  {
    setting: 'city',
    nouns:
      'skyscraper, office building, flying car, city, department store, superhero, empire state building, tokyo tower, helicopter, cityscape, clock tower',
  },
  { setting: 'castle-grounds', nouns: 'king, queen, prince, princess, knight, horse carriage, royal carriage, throne, jester, trebuchet' },
  {
    setting: 'mountains',
    nouns:
      'dragon, eagle, mountain goat, monk, temple, pagoda, hiker, mountain, cliff, chinese dragon, great wall, snow-capped mountain, phoenix, griffin, mountaineer, pavilion, yak, condor, bighorn sheep, castle, hot-air balloon, airship',
  },
  {
    setting: 'sky',
    nouns:
      'airplane, cloud, angel, kite, bird flock, flying bird, parachute, paraglider, plane, jet, biplane, pegasus, hang glider, paper plane, pilot, drone, floating island',
  },
  { setting: 'hills', nouns: 'house, home, mansion, villa, bungalow, country house, derelict house, house with garden, cabin porch' },
  { setting: 'park', nouns: 'eiffel tower, ferris wheel, arc de triomphe, space needle, kremlin' },
  { setting: 'harbour', nouns: 'sydney opera house, statue of liberty, oriental pearl tower, golden gate bridge' },
  { setting: 'garden', nouns: 'taj mahal' },
  { setting: 'mountains', nouns: 'mount rushmore, christ the redeemer, geyser' },
  { setting: 'jungle', nouns: 'step pyramid' },
  { setting: 'room', nouns: 'potted plant, piano, grand piano, upright piano' },
  { setting: 'village', nouns: 'church, cottage, well, bakery shop, hut, shed' },
  {
    setting: 'kitchen',
    nouns: 'chef, coffee machine, microwave, cooking pot, oven, refrigerator, fridge, stove, toaster, frying pan, baker, kettle, cook',
  },
  { setting: 'classroom', nouns: 'teacher, student, blackboard, school, backpack, pupil, student girl, student boy, professor' },
  { setting: 'hospital', nouns: 'doctor, nurse, stethoscope, surgeon, syringe, hospital' },
  { setting: 'laboratory', nouns: 'scientist, microscope, test tube, alembic, petri dish, robot, server rack, chemist' },
  {
    setting: 'office',
    nouns: 'businessman, businesswoman, programmer, computer, laptop, desktop computer, printer, judge, writer, keyboard, detective',
  },
  { setting: 'theatre', nouns: 'ballerina, dancer, actor, clown, magician, performing arts, puppet, circus tent' },
  {
    setting: 'concert-hall',
    nouns: 'singer, musician, drum kit, microphone, cello, rock star, orchestra, conductor, trumpet, harp, electric guitar',
  },
  { setting: 'workshop', nouns: 'artist, easel, blacksmith, anvil, potter, carpenter, tailor, machine' },
  { setting: 'garage', nouns: 'mechanic, engineer, toolbox' },
  { setting: 'gym', nouns: 'boxer, dumbbell, weightlifter, yogi, gymnast, person lifting weights' },
  {
    setting: 'stadium',
    nouns: 'footballer, athlete, basketball player, soccer player, goal net, trophy, soccer ball, runner, basketball, tennis player',
  },
  {
    setting: 'street',
    nouns:
      'barber pole, fuel pump, traffic cone, recycling bin, compost bin, dumpster, warning sign, yield sign, round sign, shopping cart, telephone wire',
  },
  { setting: 'room', details: ['bathroom'], nouns: 'towel, shower, toothbrush, rubber duck' },
  { setting: 'room', nouns: 'stairs, spiral staircase, escalator, vacuum cleaner, mannequin, arcade machine, telescope' },
  { setting: 'museum', nouns: 'bust, pedestal' },
  { setting: 'wall', details: ['brick'], nouns: 'neon sign, poster, blank poster, door' },
  { setting: 'wall', nouns: 'mona lisa painting' },
  { setting: 'sky', nouns: 'contrail' },
  {
    setting: 'backdrop',
    nouns:
      'smiley face, grinning face, smiling face with heart eyes, smiling face with sunglasses, winking face, thinking face, crying face, loudly crying face, angry face, sleeping face, partying face, star struck, face screaming in fear',
  },
  { setting: 'ruins', nouns: 'greek temple, ruin, stonehenge, mummy, classical building' },
  { setting: 'graveyard', nouns: 'zombie, ghost, vampire, skeleton, headstone, coffin, tombstone, jack-o-lantern' },
  { setting: 'cafe', nouns: 'waiter, waitress, barista' },
  { setting: 'restaurant', nouns: 'sushi chef, bartender' },
  { setting: 'playground', nouns: 'swing, slide, seesaw, playground slide, merry-go-round' },
  {
    setting: 'park',
    nouns: 'balloon, ferris wheel, carousel horse, bench, hammock, roller coaster, balloon seller, photographer, frisbee, ice cream truck',
  },
  { setting: 'backdrop', nouns: 'human eye, cat eye, gripping hand' },
  { setting: 'backdrop', nouns: 'model, heart, symbol, arrow, solid pyramid, cube, block, sphere, cone, cylinder, torus' },
]

const nounSettings = new Map<string, Habitual>(byNoun.flatMap(row => words(row.nouns).map(noun => [noun, row] as const)))

/** Categories whose things decide the place even when other things are present. */
const strongCategories: Record<string, SettingKind> = {
  fish: 'underwater',
  insect: 'garden',
  food: 'table',
  fruit: 'table',
  vegetable: 'table',
  dish: 'table',
  dessert: 'table',
  drink: 'table',
  celestial: 'space',
  watercraft: 'sea',
  vehicle: 'street',
  aircraft: 'sky',
}

/** Things in the sky that are visible from the ground. These things do not move the scene into
 *  space, unlike other things of their category. */
const skyThings = /^(sun|moon|star|cloud|crescent moon|glowing star|shooting star|sun with face)$/

/** Categories whose things decide the place only when nothing else does. */
const weakCategories: Record<string, SettingKind> = {
  flower: 'garden',
  furniture: 'room',
  instrument: 'room',
  toy: 'room',
  clothing: 'room',
  tool: 'workshop',
  object: 'table',
  building: 'hills',
  landmark: 'hills',
  sport: 'stadium',
  symbol: 'backdrop',
  bird: 'garden',
}

/** Places on land in the open, with ground below and sky above. */
export const outdoors: ReadonlySet<SettingKind> = new Set<SettingKind>([
  'meadow',
  'garden',
  'park',
  'farm',
  'hills',
  'village',
  'street',
  'road',
  'forest',
  'playground',
  'mountains',
  'city',
])

/** Returns the typical place for the things of a prompt; undefined when they suggest none. */
export function inferSetting(mentions: readonly Mention[]): { setting: SettingKind; details: string[] } | undefined {
  const standing = mentions.some(isCutFlower) ? mentions.filter(mention => !isCutFlower(mention)) : mentions
  const home = homeOfAll(standing)
  if (!home || !floors.has(home.setting) || !standing.every(isForTable)) return home
  return { setting: 'table', details: home.setting === 'kitchen' ? ['kitchen'] : [] }
}

/** Rooms in which small things are shown on a table: alone on the floor of the room, a cup would
 *  look as large as the furniture. */
const floors: ReadonlySet<SettingKind> = new Set<SettingKind>([
  'room',
  'bedroom',
  'kitchen',
  'workshop',
  'office',
  'classroom',
  'hospital',
  'laboratory',
])

/** True for a small thing that can stand or lie on a table. False for things that move, are ridden
 *  or have a pose. */
function isForTable({ match, relations, pose }: Mention): boolean {
  const entry = match?.entry
  if (!entry || !tableKinds.has(entry.category) || pose !== undefined || relations.some(({ kind }) => kind === 'riding')) return false
  return match.heightMetres <= 0.6 && (entry.habitat === 'surface' || entry.habitat === 'ground')
}

const tableKinds: ReadonlySet<string> = new Set(words('object, tool, toy, clothing, food, fruit, vegetable, dish, dessert, drink'))

function homeOfAll(mentions: readonly Mention[]): { setting: SettingKind; details: string[] } | undefined {
  const hint = mentions.find(mention => mention.match && mention.setting && mention.compound.length > 0)?.setting
  if (hint) return { setting: hint.setting, details: hint.details }
  if (mentions.some(isOfStreet)) return { setting: 'street', details: [] }
  const nouns = mentions.map(({ match }) => match?.entry.noun ?? '')
  // A lighthouse on a cliff implies the sea.
  if (nouns.includes('lighthouse') && nouns.includes('cliff')) return { setting: 'sea', details: [] }
  const posed = mentions.find(
    mention =>
      isPerson(mention) &&
      mention.pose !== undefined &&
      posePlaces[mention.pose] !== undefined &&
      mention.match?.person?.role === undefined,
  )
  if (
    mentions.some(
      ({ clothes, wears }) => clothes.some(({ kind }) => kind === 'spacesuit') || wears.some(({ kind }) => kind === 'space-helmet'),
    )
  )
    return { setting: 'space', details: [] }
  if (mentions.some(({ match }) => /^(bathtub|toilet)$/.test(match?.entry.noun ?? ''))) return { setting: 'room', details: ['bathroom'] }
  const furniture = mentions.some(
    mention => mention.match?.entry.category === 'furniture' && !/bench|hammock|deck chair/.test(mention.match.entry.noun),
  )
  if (furniture) return { setting: mentions.some(mention => mention.match?.entry.noun === 'bed') ? 'bedroom' : 'room', details: [] }
  // A landmark has priority over all other things, except those handled above.
  const landmark = mentions.find(mention => mention.match?.entry.category === 'landmark' && homeOf(mention) && !isPrinted(mention))
  const main = [...(landmark ? [landmark] : []), ...mentions.filter(mention => !isMinor(mention, mentions))]
  const afloat = [...main, ...mentions.filter(mention => isBoarded(mention, mentions))].find(
    mention => mention.match?.entry.category === 'watercraft' && mention.match.entry.habitat === 'water-surface',
  )
  if (afloat && !landmark) {
    const home = homeOf(afloat) ?? { setting: 'sea', nouns: '' }
    // When a person or thing is beside a boat instead of in it, the place is the shore.
    if (home.setting === 'sea' && main.some(mention => isAshore(mention, mentions))) return { setting: 'beach', details: [] }
    // A river is painted so narrow that a boat would be wider than the water, so it becomes a lake.
    return withoutTwin(home.setting === 'river' ? { ...home, setting: 'lake' } : home, mentions)
  }
  for (const mention of main) {
    const home = homeOf(mention)
    if (home && holds(home.setting, main)) return withoutTwin(home, mentions)
    const place = skyThings.test(mention.match?.entry.noun ?? '') ? undefined : strongCategories[mention.match?.entry.category ?? '']
    if (place && holds(place, main)) return { setting: place, details: [] }
  }
  const minor = mentions.map(mention => homeOf(mention)).find(home => home !== undefined && holds(home.setting, mentions))
  // A person who reads, sleeps or sings beside a bench, a campfire or another thing of the open is
  // shown there and not in a room.
  const isOpen = minor !== undefined && (outdoors.has(minor.setting) || minor.setting === 'beach')
  const isOutside = isOpen && /^(reading|sleeping|singing)$/.test(posed?.pose ?? '')
  if (posed?.pose && !isOutside) return { setting: posePlaces[posed.pose] ?? 'park', details: [] }
  if (minor) return withoutTwin(minor, mentions)
  const weak = main
    .map(mention => weakCategories[mention.match?.entry.category ?? ''])
    .find(place => place !== undefined && holds(place, main))
  if (weak) return { setting: weak, details: [] }
  return mentions.some(isPerson) ? { setting: 'park', details: [] } : undefined
}

/** True for a thing whose name contains "street" ("a street musician", "a street lamp"): it belongs
 *  to the street, whatever its usual place is. */
function isOfStreet({ match, words: said }: Mention): boolean {
  return match !== undefined && (/^street /.test(match.noun) || said.some(word => word.toLowerCase() === 'street'))
}

/** True for a boat that somebody or something is in or on. Such a boat must be on the water. */
function isBoarded(mention: Mention, mentions: readonly Mention[]): boolean {
  return mentions.some(({ relations }) => relations.some(({ target, kind }) => target === mention && /^(in|on|riding)$/.test(kind)))
}

/** True for a thing on the ground that is not in or on another thing. Beside a boat, it must be on
 *  the shore. */
function isAshore({ match, relations, pose }: Mention, mentions: readonly Mention[]): boolean {
  const habitat = match?.entry.habitat ?? 'air'
  if (!/ground|surface$/.test(habitat) || habitat === 'water-surface' || pose === 'swimming' || pose === 'flying') return false
  const isBound = relations.some(({ kind }) => carried.has(kind) || kind === 'above' || kind === 'under')
  return !isBound && !mentions.some(other => other.relations.some(({ target, kind }) => target.match === match && carried.has(kind)))
}

/** True when a place suits all of the things. False for people on a table top, or for bears in the
 *  sky. */
function holds(place: SettingKind, mentions: readonly Mention[]): boolean {
  if (place === 'table') return mentions.every(mention => (mention.match?.heightMetres ?? 0) < tableMetres && !isPerson(mention))
  if (place !== 'sky') return true
  return mentions.every(
    mention =>
      mention.relations.some(({ kind }) => carried.has(kind) || kind === 'above' || kind === 'under') ||
      /air|sky/.test(mention.match?.entry.habitat ?? 'air') ||
      mention.pose === 'flying',
  )
}

/** Relations in which one thing holds another up. */
const carried: ReadonlySet<string> = new Set(['on', 'in', 'riding', 'holding', 'carrying', 'wearing', 'printed-on'])

/** Largest height in metres of a thing that is shown on a table top. */
const tableMetres = 0.8

const posePlaces: Record<string, SettingKind> = {
  sleeping: 'bedroom',
  cooking: 'kitchen',
  reading: 'room',
  painting: 'workshop',
  fishing: 'lake',
  swimming: 'pool',
  singing: 'theatre',
  working: 'workshop',
}

function homeOf(mention: Mention): Habitual | undefined {
  const match = mention.match
  if (!match) return undefined
  const noun = match.noun.toLowerCase()
  return nounSettings.get(noun) ?? nounSettings.get(match.entry.noun.toLowerCase()) ?? nounSettings.get(match.person?.role ?? '')
}

/** Returns the place, but hills in place of castle grounds when the prompt names a building. The
 *  painting of castle grounds shows a castle, which would be a second building. */
function withoutTwin(home: Habitual, mentions: readonly Mention[]): { setting: SettingKind; details: string[] } {
  const hasCastle = home.setting === 'castle-grounds' && mentions.some(mention => mention.match?.entry.category === 'building')
  return { setting: hasCastle ? 'hills' : home.setting, details: home.details ?? [] }
}

function isPrinted({ relations }: Mention): boolean {
  return relations.some(({ kind }) => kind === 'printed-on')
}

/** True for a thing that a person or an animal holds, wears or is otherwise related to, and for a
 *  printed thing. Such a thing does not decide the place. */
function isMinor(mention: Mention, mentions: readonly Mention[]): boolean {
  if (isPrinted(mention)) return true
  return mentions.some(
    other => other.relations.some(relation => relation.target === mention) && (isPerson(other) || other.match?.entry.category === 'animal'),
  )
}
