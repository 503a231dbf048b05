import type { Random } from '../../drawing.ts'
import type { ClothPattern, PersonLook } from '../../scene.ts'
import type { Outfit, TopKind } from './clothes.ts'
import { roleOutfits } from './roles.ts'

const skins = ['#f6d1b3', '#edb98f', '#d79b6c', '#b27444', '#8a5530', '#5f3a24']
const hairs = ['#2b1d16', '#3d2618', '#5b3820', '#7c4a26', '#a86a32', '#d8a65c', '#1d1a20', '#8c3b1e']
const greys = ['#c9c9cf', '#e4e3e2', '#a7a8ae']
const tops = [
  '#d9534f',
  '#3f7cac',
  '#e9b44c',
  '#4a9b7f',
  '#8e6bbf',
  '#e07a5f',
  '#2f6f8f',
  '#c8553d',
  '#5b8e7d',
  '#f2cc8f',
  '#ef8fa0',
  '#6a8fd8',
]
const bottoms = ['#2f3e5c', '#40507a', '#3a3a44', '#6b5846', '#54606e', '#7d6b57']
const darkShoes = ['#3b2a23', '#2d2d38', '#6b4a32', '#f0ece4']

/** Returns the complete outfit for a look. What the prompt names has priority over the uniform of
 *  the role, and the uniform over the clothes that the random numbers choose. */
export function resolveOutfit(look: PersonLook, random: Random): Outfit {
  const outfit = casual(look, random)
  const role = look.role === undefined ? undefined : roleOutfits[look.role]
  if (role) applyRole(outfit, role(look.gender))
  for (const { kind, colour, pattern } of look.clothes) {
    applyGarment(outfit, kind, colour, random)
    if (pattern) applyPattern(outfit, kind, pattern)
  }
  for (const { kind, colour } of look.wears) {
    const paint = colour ?? wornColours[kind] ?? random.pick(tops)
    const trim = bodyWear[kind]
    if (trim === undefined) addWorn(outfit, kind, kind === 'moustache' ? (colour ?? outfit.hairColour) : paint)
    else outfit.trims = [...outfit.trims.filter(({ kind: other }) => !isTie(trim) || !isTie(other)), { kind: trim, colour: paint }]
  }
  if (outfit.top === 'jacket' && look.clothes.some(({ kind }) => kind === 'leather-jacket'))
    outfit.trims.push({ kind: 'zip', colour: '#c9ced6' })
  if (look.skin) outfit.skin = look.skin
  if (look.hair?.colour) outfit.hairColour = look.hair.colour
  if (look.hair?.style) outfit.hairStyle = look.hair.style
  if (look.beard !== undefined) outfit.beard = look.beard
  if (look.eyes !== undefined) outfit.eyeColour = look.eyes
  return outfit
}

const plainKinds = /^(?:trousers|jeans|shorts|boots|shoes|sneakers|apron|gloves|belt|kilt|cape|cloak|spacesuit|armour)$/

/** Prints a pattern on an upper garment, and on the skirt that belongs to it. */
function applyPattern(outfit: Outfit, kind: string, pattern: ClothPattern): void {
  if (plainKinds.test(kind)) return
  if (kind !== 'skirt') outfit.topPattern = pattern
  if (kind === 'skirt' || outfit.top === 'dress') outfit.skirtPattern = pattern
}

function casual(look: PersonLook, random: Random): Outfit {
  const isWoman = look.gender === 'woman' || (look.gender === 'any' && random.fork('gender').next() < 0.5)
  const isYoung = look.age === 'child' || look.age === 'baby'
  const pick = random.fork('clothes')
  const wearsDress = isWoman && look.age !== 'baby' && pick.next() < (isYoung ? 0.55 : 0.4)
  const outfit: Outfit = {
    top: wearsDress
      ? 'dress'
      : pick.pick(isYoung ? (['t-shirt', 'hoodie', 'sweater', 't-shirt'] as const) : (['shirt', 't-shirt', 'sweater', 'jacket'] as const)),
    topColour: pick.pick(tops),
    sleeves: wearsDress ? 'short' : 'long',
    shirtColour: '#f4efe6',
    legs: wearsDress ? 'bare' : isYoung && pick.next() < 0.4 ? 'short' : 'long',
    legColour: pick.pick(bottoms),
    shoes: 'shoes',
    shoeColour: pick.pick(darkShoes),
    trims: [],
    wears: [],
    skin: random.fork('skin').pick(skins),
    hairColour: look.age === 'elder' ? random.fork('hair').pick(greys) : random.fork('hair').pick(hairs),
    hairStyle: hairFor(look, isWoman, random.fork('style')),
    beard: look.age === 'elder' && look.gender === 'man' && random.fork('beard').next() < 0.6,
    hasLongBeard: false,
    eyeColour: '#5b3a26',
    isFreckled: false,
    isElf: false,
  }
  if (outfit.top === 't-shirt') outfit.sleeves = 'short'
  if (wearsDress) outfit.skirt = { length: 0.5, flare: 1.5, colour: outfit.topColour }
  if (look.age === 'elder' && pick.next() < 0.5) addWorn(outfit, 'glasses', '#4a4a52')
  return outfit
}

function hairFor(look: PersonLook, isWoman: boolean, random: Random): Outfit['hairStyle'] {
  if (look.age === 'baby') return 'short'
  if (!isWoman && look.age === 'elder') return random.next() < 0.35 ? 'bald' : 'short'
  if (!isWoman) return random.pick(['short', 'short', 'short', 'curly'] as const)
  if (look.age === 'elder') return random.pick(['bun', 'bob', 'curly'] as const)
  if (look.age === 'child') return random.pick(['tails', 'ponytail', 'bob', 'long'] as const)
  return random.pick(['long', 'long', 'bob', 'ponytail', 'bun', 'curly'] as const)
}

function applyRole(outfit: Outfit, role: Partial<Outfit>): void {
  const { wears, trims, ...rest } = role
  delete outfit.skirt
  if (rest.top !== undefined && rest.top !== 'dress' && rest.legs === undefined) outfit.legs = 'long'
  Object.assign(outfit, { sleeves: 'long' as const }, rest)
  outfit.wears = [...(wears ?? [])]
  outfit.trims = [...(trims ?? [])]
}

/** For accessories that are drawn as a detail of the clothes instead of a worn thing on the head:
 *  the kind of the accessory in the prompt, and the kind of the detail. */
const bodyWear: Record<string, string> = {
  tie: 'tie',
  'bow-tie': 'bow-tie',
  necklace: 'beads',
  backpack: 'backpack',
  cape: 'cape',
}

function isTie(kind: string): boolean {
  return kind === 'tie' || kind === 'bow-tie'
}

const wornColours: Record<string, string> = {
  crown: '#f2c230',
  glasses: '#3a3a44',
  sunglasses: '#22222a',
  'witch-hat': '#4b2a6b',
  'chef-hat': '#fbfaf6',
  'cowboy-hat': '#8a5a32',
  helmet: '#d8d8de',
  mask: '#f1f4f6',
  headphones: '#33333d',
  'straw-hat': '#e6c46e',
  hat: '#6b4a32',
  ribbon: '#e2506b',
  'top-hat': '#26232c',
  'bowler-hat': '#2b2830',
  'party-hat': '#e2506b',
  'santa-hat': '#c8202a',
  'pirate-hat': '#26222b',
  'graduation-cap': '#26232c',
  'motorcycle-helmet': '#c8202a',
  'space-helmet': '#f2f5f8',
  'viking-helmet': '#a9b4c1',
  'knight-helmet': '#b9c2ce',
  tiara: '#f2c230',
  'flower-crown': '#e2506b',
  goggles: '#8a5a32',
  'eye-patch': '#1d1a20',
  'bow-tie': '#b3262f',
  tie: '#a83240',
  necklace: '#f6f1e8',
  earrings: '#f2c230',
  backpack: '#d0563c',
  cape: '#c8202a',
  veil: '#ffffff',
}

/** Adds a worn thing; it replaces another one of the same kind. A hat, a helmet or other headwear
 *  also replaces headwear of any other kind. */
function addWorn(outfit: Outfit, kind: string, colour: string): void {
  const onHead = isHeadwear(kind)
  outfit.wears = [...outfit.wears.filter(worn => worn.kind !== kind && !(onHead && isHeadwear(worn.kind))), { kind, colour }]
}

function isHeadwear(kind: string): boolean {
  return /hat|^cap$|-cap|crown|helmet|hijab|beret|beanie|tiara|turban|hood|feathers|bandana/.test(kind)
}

/** Adds a garment from the prompt to the outfit. `given` is its colour in the prompt; without it,
 *  the usual colour of such a garment is used, or else a random one. A garment of an unknown kind
 *  is drawn as a shirt. */
function applyGarment(outfit: Outfit, kind: string, given: string | undefined, random: Random): void {
  const colour = given ?? random.fork(kind).pick(tops)
  switch (kind) {
    case 'dress':
    case 'gown':
      Object.assign(outfit, {
        top: 'dress',
        topColour: colour,
        sleeves: 'short',
        legs: 'bare',
        skirt: { length: kind === 'gown' ? 0.92 : 0.55, flare: 1.6, colour },
      })
      return
    case 'skirt':
      Object.assign(outfit, { legs: 'bare', skirt: { length: 0.42, flare: 1.5, colour } })
      if (outfit.top === 'dress') outfit.top = 't-shirt'
      return
    case 'trousers':
    case 'pants':
    case 'jeans':
    case 'leggings':
    case 'shorts':
      Object.assign(outfit, {
        legs: kind === 'shorts' ? 'short' : 'long',
        legColour: given ?? (kind === 'jeans' ? '#3f5f94' : random.fork(kind).pick(bottoms)),
      })
      if (outfit.top === 'dress') outfit.top = 'shirt'
      delete outfit.skirt
      return
    case 'boots':
    case 'shoes':
    case 'sneakers':
      Object.assign(outfit, { shoes: kind === 'boots' ? 'boots' : 'shoes', shoeColour: given ?? '#5a3a26' })
      return
    case 'apron':
      outfit.trims.push({ kind: 'apron', colour: given ?? '#f3eee2' })
      return
    case 'gloves':
    case 'belt':
      outfit.trims.push({ kind, colour: given ?? '#5a3a26' })
      return
    case 'kilt':
      Object.assign(outfit, { legs: 'bare', skirt: { length: 0.46, flare: 0.9, colour: given ?? '#a3313a' } })
      outfit.trims.push({ kind: 'tartan', colour: '#2c5a3f' })
      if (outfit.top === 'dress') outfit.top = 'shirt'
      return
    case 'cape':
    case 'cloak':
      outfit.trims.push({ kind: 'cape', colour })
      return
    default:
      applyTop(outfit, kind, colour, given)
  }
}

const longTops: Record<string, { length: number; flare: number }> = {
  coat: { length: 0.5, flare: 1.25 },
  robe: { length: 0.9, flare: 1.35 },
  kimono: { length: 0.92, flare: 1.15 },
}

/** Colours of garments that have the same colour in most prompts: a tuxedo and a leather jacket. */
const materials: Record<string, string> = { tuxedo: '#1f1d24', 'leather-jacket': '#3a2b25' }

function applyTop(outfit: Outfit, kind: string, colour: string, given: string | undefined): void {
  const known: Record<string, TopKind> = {
    shirt: 'shirt',
    blouse: 'shirt',
    't-shirt': 't-shirt',
    'tank-top': 't-shirt',
    sweater: 'sweater',
    jumper: 'sweater',
    cardigan: 'jacket',
    hoodie: 'hoodie',
    jacket: 'jacket',
    coat: 'coat',
    raincoat: 'coat',
    suit: 'suit',
    tuxedo: 'suit',
    'leather-jacket': 'jacket',
    robe: 'robe',
    kimono: 'kimono',
    armour: 'armour',
    armor: 'armour',
    spacesuit: 'spacesuit',
    uniform: 'uniform',
    vest: 'vest',
    overalls: 'overall',
    swimsuit: 'bare',
    bikini: 'bare',
  }
  const top = known[kind] ?? 'shirt'
  const natural: Partial<Record<TopKind, string>> = { suit: '#2e3444', armour: '#aeb6c2', spacesuit: '#eef1f5' }
  outfit.top = top
  outfit.topColour = given ?? materials[kind] ?? natural[top] ?? colour
  outfit.sleeves =
    top === 't-shirt' ? 'short' : top === 'bare' || top === 'vest' ? 'none' : top === 'kimono' || top === 'robe' ? 'wide' : 'long'
  const long = longTops[kind === 'raincoat' ? 'coat' : kind]
  if (long) outfit.skirt = { ...long, colour: outfit.topColour }
  else if (outfit.skirt && outfit.skirt.length > 0.46) delete outfit.skirt
  if (top === 'suit')
    Object.assign(outfit, {
      legs: 'long',
      legColour: outfit.topColour,
      trims: [...outfit.trims, kind === 'tuxedo' ? { kind: 'bow-tie', colour: '#1a181d' } : { kind: 'tie', colour: '#a83240' }],
    })
  if (top === 'spacesuit') Object.assign(outfit, roleOutfits.astronaut?.('any'), given ? { topColour: given, legColour: given } : {})
  if (top === 'armour') Object.assign(outfit, roleOutfits.knight?.('any'), given ? { topColour: given, legColour: given } : {})
  if (top === 'bare') Object.assign(outfit, { legs: 'bare', trims: [{ kind: 'swimwear', colour: outfit.topColour }], shoes: 'bare' })
  if (outfit.legs === 'bare' && !outfit.skirt && top !== 'bare') outfit.legs = 'long'
}
