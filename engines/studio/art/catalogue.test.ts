import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import { leastCpuMs } from '@generation-gateway/kit/testing/cpu-time.ts'
import sharp from 'sharp'
import type { ArtKey } from '../scene.ts'
import { openArt } from './catalogue.ts'
import { drawnEntries } from './drawn-entries.ts'

const art = openArt()

/** Parses expectations of the form `word` or `word=drawing`; without a drawing, `noto:` and the
 *  word are expected. */
function expectations(text: string): [string, string][] {
  return text
    .trim()
    .split(/[\n,]+/)
    .map(item => {
      const [word = '', key] = item.trim().split('=')
      return [word, key ?? `noto:${word.replaceAll(' ', '-')}`]
    })
}

function share(
  cases: readonly [string, string][],
  isRight: (word: string, expected: string) => boolean,
): { right: number; wrong: string[] } {
  const wrong = cases.filter(([word, expected]) => !isRight(word, expected)).map(([word]) => word)
  return { right: (cases.length - wrong.length) / cases.length, wrong }
}

const firstKey = (word: string) => art.find(word, 'en')[0]?.entry.key

const commonNouns = expectations(`
dog, cat, horse, cow, pig, sheep=rig:sheep, goat, chicken=rig:chicken, rooster, duck, goose, turkey, rabbit, mouse, rat, squirrel=noto:chipmunk, hedgehog, fox=rig:fox
wolf=rig:wolf, bear=rig:bear, panda=rig:panda, koala=rig:koala, lion=rig:lion, tiger, leopard, elephant, giraffe, zebra, deer, moose=rig:moose, camel, llama, kangaroo, monkey
gorilla, hippo=noto:hippopotamus, rhino=noto:rhinoceros, bat, beaver, otter, raccoon, skunk, badger, sloth, unicorn=rig:unicorn, dragon=rig:western-dragon, dinosaur=noto:sauropod
bird, eagle, owl, parrot, peacock, flamingo, swan, penguin, dove, fish, shark, whale, dolphin, octopus, crab, lobster, shrimp, jellyfish, turtle, frog=rig:frog, snake, lizard=rig:lizard, crocodile
butterfly, bee=noto:honeybee, ant, spider, ladybug=noto:lady-beetle, snail, worm, scorpion
apple=noto:red-apple, banana, orange=noto:tangerine, lemon, grapes, strawberry, cherry=noto:cherries, peach, pear, pineapple, watermelon, mango, coconut, kiwi=noto:kiwi-fruit, tomato, carrot
corn=noto:ear-of-corn, broccoli=drawn:broccoli, onion, potato, pumpkin=drawn:pumpkin, mushroom, bread, cheese=noto:cheese-wedge, egg, pizza=drawn:pizza, hamburger, sandwich, hot dog=drawn:hot-dog, noodles=noto:steaming-bowl
sushi, rice=noto:cooked-rice, soup=noto:pot-of-food, salad=noto:green-salad, cake=noto:birthday-cake, cookie, donut=noto:doughnut, ice cream, chocolate=noto:chocolate-bar, candy
coffee=noto:hot-beverage, tea=noto:teacup-without-handle, milk=noto:glass-of-milk, beer=noto:beer-mug, wine=noto:wine-glass
car=noto:automobile, bus, truck=drawn:truck, taxi, ambulance, fire truck=noto:fire-engine, police car, tractor, motorcycle, bicycle, train=drawn:train, tram=noto:tram-car
airplane=drawn:airplane, helicopter, rocket, ufo=noto:flying-saucer, hot air balloon=drawn:hot-air-balloon, ship=noto:ship, sailboat=drawn:sailboat, boat=drawn:sailboat, submarine=drawn:submarine, canoe
house, castle, church, mosque, lighthouse=drawn:lighthouse, windmill=drawn:windmill, barn=drawn:barn, skyscraper=drawn:skyscraper, bridge=drawn:bridge, tent=noto:tent
hospital, school, factory, stadium, tower=drawn:tower, cottage=drawn:cottage, fountain, ferris wheel=drawn:ferris-wheel, temple=drawn:temple
man=rig:person, woman=rig:person, boy=rig:person, girl=rig:person, baby=rig:person, doctor=rig:person, nurse=rig:person, teacher=rig:person, farmer=rig:person, chef=rig:person
firefighter=rig:person, police officer=rig:person, astronaut=rig:person, king=rig:person, queen=rig:person, princess=rig:person, knight=rig:person, pirate=rig:person, wizard=rig:person
ninja=rig:person, robot=drawn:robot, ghost, mermaid, alien=drawn:alien
tree=tree:oak, pine tree=tree:pine, palm tree=tree:palm, cherry tree=tree:cherry, cactus, flower=noto:blossom, rose, tulip, sunflower, grass=drawn:grass, bamboo=tree:bamboo
mountain=drawn:mountain, volcano=drawn:volcano, waterfall=drawn:waterfall, island=drawn:island, rock=drawn:rock, sun, moon=drawn:moon, star, cloud=drawn:cloud, rainbow=drawn:rainbow
snowman, fire, planet=drawn:planet
chair=drawn:chair, table=drawn:table, bed=drawn:bed, sofa=drawn:sofa, lamp=drawn:lamp, book=drawn:book, clock=noto:ten-oclock, candle, umbrella, key, camera, laptop, phone=drawn:cell-phone
guitar, piano=drawn:piano, violin, drum, trumpet, ball=drawn:plain-ball, basketball, kite=drawn:kite, balloon, teddy bear, gift=noto:wrapped-gift, crown, hat=noto:top-hat, glasses, shoe=noto:mans-shoe
sword=drawn:sword, door=drawn:door, window=drawn:window, cup=drawn:mug
`)

test('common English nouns lead to the right drawing first', () => {
  assert.ok(commonNouns.length >= 216, `${commonNouns.length} nouns`)
  const { right, wrong } = share(commonNouns, (word, key) => firstKey(word) === key)
  assert.ok(right >= 0.98, `wrong: ${wrong.map(word => `${word} -> ${firstKey(word)}`).join(', ')}`)
})

test('plurals lead where their singulars do', () => {
  const plurals = `dogs=dog, foxes=fox, wolves=wolf, mice=mouse, geese=goose, children=child, women=woman, firemen=fireman, cherries=cherry, butterflies=butterfly, buses=bus
    cacti=cactus, knives=knife, loaves=loaf, potatoes=potato, horses=horse, houses=house, churches=church, octopuses=octopus, snowmen=snowman, fire trucks=fire truck, palm trees=palm tree`
  const { wrong } = share(expectations(plurals), (plural, singular) => firstKey(plural) === firstKey(singular))
  assert.deepEqual(wrong, [])
  assert.equal(firstKey('glasses'), 'noto:glasses')
  assert.equal(art.find('puppies', 'en')[0]?.noun, 'puppy')
})

const rareNouns = expectations(`
sloop=sailboat, schooner=sailboat, brigantine=pirate ship, galley=ship, dinghy=rowboat, barge=boat, stallion=horse, mare=horse, palomino=horse, steed=horse, mustang=horse
ocelot=cat, warthog=boar, wildebeest=antelope, ibex=goat, wren=bird, warbler=bird, kestrel=eagle, osprey=eagle
pelican=bird, cormorant=bird, barracuda=fish, trout=fish, anchovy=fish, adder=snake, boa=snake, gecko=lizard, stag beetle=beetle
espresso=coffee, brioche=bread, goulash=stew, minestrone=soup, cheddar=cheese, mozzarella=cheese, merlot=wine, linguine=pasta, gingersnap=cookie
cello=cello, bungalow=cottage, hacienda=house, cathedral=cathedral, bookstore=shop, bistro=restaurant, throne=throne, divan=sofa
sedan=car, limousine=car, hearse=car, bobsled=sleigh, fedora=hat, sombrero=hat, cardigan=sweater, sandal=sandal, scimitar=sword, rapier=sword
plumber=person, carpenter=person, archbishop=person, violinist=person, mathematician=person, ferryman=person, juggler=person
magnolia=tree, eucalyptus=tree, spruce=fir tree, elm=tree, daffodil=lily, marigold=flower, begonia=flower, bracken=fern, tulipwood=tree, crocus=tulip
`)

test('rare nouns lead to the drawing of their general kind', () => {
  assert.ok(rareNouns.length >= 60, `${rareNouns.length} nouns`)
  const isKindOf = (word: string, kind: string) => {
    const name = kind.replace(/^noto:/, '').replaceAll('-', ' ')
    const keys = new Set(art.find(name, 'en').flatMap(({ entry }) => [entry.key, ...entry.alternatives]))
    const key = firstKey(word)
    // A drawing of the thing itself also counts as correct: it is preferred to a drawing of a more
    // general thing.
    return key !== undefined && (keys.has(key) || drawnEntries.some(entry => entry.key === key && entry.noun === word))
  }
  const { right, wrong } = share(rareNouns, isKindOf)
  assert.ok(right >= 0.85, `wrong: ${wrong.map(word => `${word} -> ${firstKey(word) ?? 'nothing'}`).join(', ')}`)
})

test('words with known misleading matches lead to the right picture', () => {
  assert.equal(art.get('noto:automobile').facing, 'left')
  assert.equal(firstKey('vehicle'), 'noto:automobile')
  assert.equal(firstKey('bus'), 'noto:bus')
  assert.equal(firstKey('ramen'), 'noto:steaming-bowl')
  assert.equal(firstKey('crane'), 'noto:building-construction')
  assert.equal(firstKey('computer mouse'), 'noto:computer-mouse')
  assert.equal(firstKey('orange cat'), 'noto:cat')
  assert.equal(firstKey('brownie'), 'noto:chocolate-bar')
  assert.equal(art.get('noto:fox').headOnly, true)
  assert.equal(art.get('fluent:sailboat').bakedScenery, 'water')
  assert.equal(art.get('noto:sailboat').bakedScenery, undefined)
  for (const word of ['plumber', 'sunglasses', 'hair', 'three', 'happy', 'aerial', 'watercolor', 'teal'])
    assert.notEqual(firstKey(word), 'noto:plunger', word)
})

test('no first choice for a common noun is only a head', () => {
  const heads = commonNouns.filter(([word]) => art.find(word, 'en')[0]?.entry.headOnly)
  assert.deepEqual(heads, [])
})

test('words for no visible thing lead nowhere', () => {
  for (const word of ['teal', 'watercolor', 'aerial', 'beautiful', 'three', 'hair', 'cooking', 'style', 'masterpiece', 'xyzzy', '']) {
    assert.deepEqual(art.find(word, 'en'), [], word)
  }
})

test('words for people include their age, gender and trade', () => {
  assert.deepEqual(art.find('grandmother', 'en')[0]?.person, { age: 'elder', gender: 'woman' })
  assert.deepEqual(art.find('firefighters', 'en')[0]?.person, { age: 'adult', gender: 'any', role: 'firefighter' })
  assert.equal(art.find('boy', 'en')[0]?.heightMetres, 1.2)
  assert.equal(art.find('mathematician', 'en')[0]?.person?.role, 'scientist')
})

test('the longest phrase is matched, and its length is returned', () => {
  const phrase = (text: string, from: number, language: 'en' | 'zh') => {
    const found = art.longestPhrase(text, from, language)
    return found && [text.slice(from, from + found.length), found.words, found.matches[0]?.entry.key]
  }
  assert.deepEqual(phrase('a hot air balloon above', 2, 'en'), ['hot air balloon', 3, 'drawn:hot-air-balloon'])
  assert.deepEqual(phrase('cherry trees, please', 0, 'en'), ['cherry trees', 2, 'tree:cherry'])
  assert.deepEqual(phrase('hot-air balloon', 0, 'en'), ['hot-air balloon', 3, 'drawn:hot-air-balloon'])
  assert.equal(phrase('under the table', 0, 'en'), undefined)
  assert.deepEqual(phrase('一只柯基犬坐着', 2, 'zh'), ['柯基犬', 3, 'rig:corgi'])
  assert.deepEqual(phrase('热气球在山上', 0, 'zh'), ['热气球', 3, 'drawn:hot-air-balloon'])
  assert.equal(phrase('在山上', 0, 'zh'), undefined)
})

test('things without a drawing are left out; their words lead to their emoji or to their general kind', () => {
  const part = openArt({ canDraw: key => key === 'rig:person' })
  const keyOf = (word: string, language: 'en' | 'zh') => part.find(word, language)[0]?.entry.key
  assert.equal(part.has('rig:fox'), false)
  assert.throws(() => part.get('rig:fox'), RangeError)
  assert.equal(keyOf('couch', 'en'), 'noto:couch-and-lamp')
  assert.equal(keyOf('volcano', 'en'), 'noto:volcano')
  assert.equal(keyOf('tree', 'en'), 'noto:deciduous-tree')
  assert.equal(keyOf('树', 'zh'), 'noto:deciduous-tree')
  assert.equal(keyOf('seagull', 'en'), 'noto:bird')
  assert.equal(keyOf('海鸥', 'zh'), 'noto:bird')
  assert.equal(keyOf('sports car', 'en'), 'noto:automobile')
  assert.deepEqual(part.find('stonehenge', 'en'), [])
})

test('every entry has usable facts', () => {
  for (const entry of art.entries()) {
    assert.ok(entry.heightMetres > 0 && entry.ratio > 0, entry.key)
    assert.ok(entry.noun !== '' && entry.nounZh !== '', entry.key)
    for (const other of entry.alternatives) assert.ok(art.has(other), `${entry.key} names ${other}`)
    if (!entry.ink) continue
    assert.ok(entry.ink.x >= 0 && entry.ink.x + entry.ink.width <= 1.001 && entry.ink.y + entry.ink.height <= 1.001, entry.key)
    assert.ok(entry.colours.length > 0, entry.key)
  }
})

test('emoji named by the table of code-drawn things exist', () => {
  const missing = drawnEntries.filter(({ emoji }) => emoji !== undefined && !art.has(emoji)).map(({ key }) => key)
  assert.deepEqual(missing, [])
})

test('every drawing of a sample paints pixels inside its ink box', async () => {
  const icons = art.entries().filter(entry => entry.ink)
  for (const { key, ink } of icons.filter((_, index) => index % 30 === 0)) {
    const { data, info } = await sharp(Buffer.from(art.svg(key)))
      .resize(64, 64)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.equal(info.width, 64, key)
    const [x, y] = ink ? [ink.x + ink.width / 2, ink.y + ink.height / 2] : [0, 0]
    assert.ok(
      data.some((value, index) => index % 4 === 3 && value > 128),
      key,
    )
    assert.ok(x > 0.2 && x < 0.8 && y > 0.2 && y < 0.9, `${key} is off centre`)
  }
  const unknown: ArtKey = 'noto:no-such-icon'
  assert.throws(() => art.svg(unknown), RangeError)
  assert.throws(() => art.svg('rig:fox'), RangeError)
})

test('the file is small and opened quickly', () => {
  assert.ok(statSync(new URL('./data/art.pack', import.meta.url)).size < 15e6)
  // The last measurement on an idle machine was 17 ms; the limit of 60 ms leaves room for slower
  // ones.
  const ms = leastCpuMs(openArt, 60)
  assert.ok(ms < 60, `${ms.toFixed(1)} ms`)
})
