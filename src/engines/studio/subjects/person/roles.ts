import type { PersonLook } from '../../scene.ts'
import type { Outfit } from './outfit.ts'

type Gender = PersonLook['gender']
type RoleOutfit = (gender: Gender) => Partial<Outfit>

const trim = (kind: string, colour: string) => ({ kind, colour })
const robe = (colour: string, extra: Partial<Outfit> = {}): Partial<Outfit> => ({
  top: 'robe',
  topColour: colour,
  sleeves: 'wide',
  legs: 'bare',
  skirt: { length: 0.92, flare: 1.4, colour },
  shoes: 'shoes',
  shoeColour: '#3b2a23',
  ...extra,
})
const gown = (colour: string, extra: Partial<Outfit> = {}): Partial<Outfit> => ({
  top: 'dress',
  topColour: colour,
  sleeves: 'short',
  legs: 'bare',
  skirt: { length: 0.95, flare: 2.1, colour },
  hairStyle: 'long',
  ...extra,
})
const suit = (colour: string, extra: Partial<Outfit> = {}): Partial<Outfit> => ({
  top: 'suit',
  topColour: colour,
  legs: 'long',
  legColour: colour,
  shoes: 'shoes',
  shoeColour: '#1f1b1c',
  trims: [trim('tie', '#a83240')],
  ...extra,
})
const work = (top: Outfit['top'], topColour: string, legColour: string, extra: Partial<Outfit> = {}): Partial<Outfit> => ({
  top,
  topColour,
  legs: 'long',
  legColour,
  shoes: 'boots',
  shoeColour: '#33291f',
  ...extra,
})

/** Uniforms and props by occupation, as the word list of `art/person-words.ts` names them. */
export const roleOutfits: Record<string, RoleOutfit> = {
  firefighter: () =>
    work('uniform', '#2f3442', '#2f3442', {
      trims: [trim('reflective', '#e9e04a'), trim('belt', '#7a2f22')],
      wears: [trim('fire-helmet', '#d8342b')],
    }),
  astronaut: () => ({
    top: 'spacesuit',
    topColour: '#eef1f5',
    legs: 'long',
    legColour: '#eef1f5',
    shoes: 'boots',
    shoeColour: '#c6ccd6',
    trims: [trim('life-support', '#d5dae2')],
    wears: [trim('space-helmet', '#f2f5f8')],
  }),
  chef: () =>
    work('uniform', '#fbfaf6', '#40444f', {
      shoes: 'shoes',
      trims: [trim('buttons', '#c9c4b8'), trim('apron', '#f1ece0'), trim('neckerchief', '#d8433a')],
      wears: [trim('chef-hat', '#fdfcf9')],
      prop: 'ladle',
    }),
  doctor: () =>
    work('coat', '#f7f9fb', '#4c6a8a', {
      skirt: { length: 0.36, flare: 1.15, colour: '#f7f9fb' },
      shirtColour: '#8fc1d8',
      shoes: 'shoes',
      trims: [trim('stethoscope', '#3b4654')],
    }),
  nurse: () =>
    work('uniform', '#9fd3d8', '#9fd3d8', {
      shoes: 'shoes',
      shoeColour: '#f4f4f4',
      sleeves: 'short',
      trims: [trim('stethoscope', '#3b4654')],
      wears: [trim('nurse-cap', '#ffffff')],
    }),
  teacher: gender =>
    work(gender === 'woman' ? 'sweater' : 'jacket', '#7d6b9c', '#4b4a55', {
      shoes: 'shoes',
      wears: [trim('glasses', '#3a3a44')],
      prop: 'book',
    }),
  student: () =>
    work('sweater', '#3d5a8a', '#545a66', {
      shoes: 'shoes',
      trims: [trim('collar', '#ffffff'), trim('backpack', '#d0563c')],
      prop: 'book',
    }),
  farmer: () =>
    work('overall', '#4a6fa0', '#4a6fa0', {
      shirtColour: '#c8553d',
      trims: [trim('straps', '#3d5f8c')],
      wears: [trim('straw-hat', '#e6c46e')],
      prop: 'pitchfork',
    }),
  police: () =>
    work('uniform', '#2c4573', '#25365a', {
      trims: [trim('badge', '#f0c84a'), trim('belt', '#1d1d22')],
      wears: [trim('peaked-cap', '#22345c')],
    }),
  soldier: () =>
    work('uniform', '#66724a', '#5c6743', {
      trims: [trim('belt', '#3d3526'), trim('pockets', '#566140')],
      wears: [trim('army-helmet', '#5a6544')],
    }),
  knight: () => ({
    top: 'armour',
    topColour: '#b3bcc9',
    legs: 'long',
    legColour: '#a4aebc',
    shoes: 'boots',
    shoeColour: '#8d97a6',
    trims: [trim('cape', '#b3262f'), trim('emblem', '#b3262f')],
    wears: [trim('knight-helmet', '#b9c2ce')],
    prop: 'sword',
  }),
  samurai: () => ({
    top: 'armour',
    topColour: '#8c2f2f',
    legs: 'long',
    legColour: '#3a2c38',
    shoes: 'boots',
    shoeColour: '#2a2228',
    trims: [trim('sash', '#d9b44a'), trim('pads', '#6f2326')],
    wears: [trim('samurai-helmet', '#3a2c38')],
    prop: 'katana',
  }),
  ninja: () =>
    work('kimono', '#2b2d3a', '#2b2d3a', {
      sleeves: 'long',
      trims: [trim('sash', '#8c2f39')],
      wears: [trim('ninja-hood', '#2b2d3a')],
      prop: 'katana',
    }),
  pirate: () =>
    work('coat', '#8c2f2f', '#3d3a48', {
      skirt: { length: 0.42, flare: 1.35, colour: '#8c2f2f' },
      shirtColour: '#f1e9d6',
      beard: true,
      trims: [trim('belt', '#3b2a1c'), trim('epaulettes', '#e0b340')],
      wears: [trim('pirate-hat', '#26222b'), trim('eye-patch', '#1d1a20')],
      prop: 'sword',
    }),
  sailor: () =>
    work('uniform', '#f7f8fa', '#2b4a7d', {
      shoes: 'shoes',
      trims: [trim('sailor-collar', '#2b4a7d')],
      wears: [trim('peaked-cap', '#f7f8fa')],
    }),
  fisherman: () =>
    work('vest', '#6d7a4a', '#59624a', {
      sleeves: 'long',
      shirtColour: '#c9a66b',
      wears: [trim('bucket-hat', '#7c8a55')],
      prop: 'fishing-rod',
    }),
  pilot: () =>
    work('jacket', '#5a3d28', '#4b4f5c', {
      shirtColour: '#f4efe6',
      trims: [trim('collar', '#e6d3ae')],
      wears: [trim('aviator-cap', '#5a3d28')],
    }),
  scientist: () =>
    work('coat', '#f7f9fb', '#4b5362', {
      skirt: { length: 0.36, flare: 1.15, colour: '#f7f9fb' },
      shirtColour: '#6fb2a8',
      shoes: 'shoes',
      wears: [trim('glasses', '#3a3a44')],
      prop: 'flask',
    }),
  engineer: () =>
    work('overall', '#46638c', '#46638c', {
      shirtColour: '#d9822b',
      trims: [trim('straps', '#3b5579')],
      wears: [trim('hard-hat', '#f2b632')],
      prop: 'wrench',
    }),
  builder: () =>
    work('vest', '#ef8a2d', '#4a5470', {
      sleeves: 'long',
      shirtColour: '#5b6b8c',
      trims: [trim('reflective', '#f6ef7a')],
      wears: [trim('hard-hat', '#f5c52e')],
      prop: 'hammer',
    }),
  artist: () =>
    work('sweater', '#54718c', '#4a4652', {
      shoes: 'shoes',
      trims: [trim('apron', '#d9c9a8')],
      wears: [trim('beret', '#9c2f3c')],
      prop: 'brush',
    }),
  musician: () => work('vest', '#3b3346', '#3b3346', { sleeves: 'long', shirtColour: '#efe7d8', shoes: 'shoes', prop: 'guitar' }),
  singer: gender =>
    gender === 'man'
      ? work('jacket', '#3b2f55', '#26232f', { prop: 'microphone', shoes: 'shoes' })
      : gown('#8e3f8f', { prop: 'microphone', skirt: { length: 0.9, flare: 1.2, colour: '#8e3f8f' } }),
  dancer: gender =>
    gender === 'man'
      ? work('shirt', '#d9445f', '#26232f', { shoes: 'shoes' })
      : gown('#d9445f', { skirt: { length: 0.6, flare: 2.2, colour: '#d9445f' } }),
  ballerina: () => ({
    top: 'dress',
    topColour: '#f3a6c0',
    sleeves: 'none',
    legs: 'long',
    legColour: '#f7d6e0',
    shoeColour: '#f08fb0',
    hairStyle: 'bun',
    trims: [trim('tutu', '#f9c6d8')],
  }),
  actor: gender => (gender === 'woman' ? gown('#c22f4a') : suit('#23222b', { trims: [trim('bow-tie', '#c22f4a')] })),
  clown: () =>
    work('overall', '#f2c230', '#3f8fd0', {
      shirtColour: '#e2445c',
      face: 'clown',
      hairStyle: 'afro',
      hairColour: '#e8503a',
      trims: [trim('pom-poms', '#e2445c'), trim('ruff', '#ffffff')],
      shoes: 'shoes',
      shoeColour: '#e2445c',
    }),
  magician: () =>
    suit('#23202c', {
      trims: [trim('bow-tie', '#c22f4a'), trim('cape', '#5a1f6b')],
      wears: [trim('top-hat', '#23202c')],
      prop: 'magic-wand',
    }),
  wizard: () =>
    robe('#3b3f94', {
      beard: true,
      hairColour: '#e4e3e2',
      hairStyle: 'long',
      trims: [trim('belt', '#d9b44a'), trim('stars', '#f2d75c')],
      wears: [trim('wizard-hat', '#3b3f94')],
      prop: 'staff',
    }),
  witch: () =>
    robe('#4b2a6b', {
      hairStyle: 'long',
      hairColour: '#2b1d16',
      trims: [trim('belt', '#d08a2e')],
      wears: [trim('witch-hat', '#3a2154')],
      prop: 'broom',
    }),
  king: () =>
    robe('#a3212f', {
      beard: true,
      trims: [trim('ermine', '#f7f3ea'), trim('belt', '#e0b340'), trim('cape', '#7d1824')],
      wears: [trim('crown', '#f2c230')],
      prop: 'scepter',
    }),
  queen: () =>
    gown('#8a2560', { trims: [trim('ermine', '#f7f3ea'), trim('cape', '#6b1a4a')], wears: [trim('crown', '#f2c230')], prop: 'scepter' }),
  prince: () =>
    work('uniform', '#f0ece2', '#3d5a9c', {
      trims: [trim('epaulettes', '#e0b340'), trim('sash', '#b3262f'), trim('cape', '#2f4f94')],
      wears: [trim('crown', '#f2c230')],
    }),
  princess: () => gown('#f08fb8', { hairColour: '#d8a65c', trims: [trim('sash', '#e46a9e')], wears: [trim('tiara', '#f5cf4a')] }),
  bride: () => gown('#fdfbf7', { hairStyle: 'bun', trims: [trim('lace', '#ece4d8')], wears: [trim('veil', '#ffffff')], prop: 'bouquet' }),
  groom: () => suit('#262a36', { trims: [trim('bow-tie', '#f4efe6'), trim('flower', '#e2506b')] }),
  business: gender =>
    suit(gender === 'woman' ? '#4a4f6b' : '#2f3a52', gender === 'woman' ? { trims: [], prop: 'briefcase' } : { prop: 'briefcase' }),
  detective: () =>
    work('coat', '#b08d5b', '#4a4238', {
      skirt: { length: 0.6, flare: 1.25, colour: '#b08d5b' },
      shirtColour: '#e8e2d4',
      shoes: 'shoes',
      trims: [trim('belt', '#8f6f42')],
      wears: [trim('fedora', '#8f6f42')],
      prop: 'magnifier',
    }),
  judge: () => robe('#26232c', { trims: [trim('ruff', '#ffffff')], hairStyle: 'curly', hairColour: '#e9e6e0', prop: 'gavel' }),
  waiter: () =>
    work('vest', '#2a2a33', '#2a2a33', {
      sleeves: 'long',
      shirtColour: '#fbfaf6',
      shoes: 'shoes',
      trims: [trim('bow-tie', '#1d1d22'), trim('apron-low', '#f4f0e6')],
      prop: 'tray',
    }),
  apron: () => work('shirt', '#c9784a', '#4a4e5c', { shoes: 'shoes', trims: [trim('apron', '#5b7a5e')] }),
  postman: () =>
    work('uniform', '#3d64a0', '#2f4a78', {
      shoes: 'shoes',
      trims: [trim('satchel', '#8a5a32')],
      wears: [trim('peaked-cap', '#2f4a78')],
      prop: 'letter',
    }),
  driver: () => work('jacket', '#3d4454', '#2c303c', { shoes: 'shoes', wears: [trim('peaked-cap', '#2c303c')] }),
  photographer: () => work('vest', '#8a7a5a', '#4a4e5c', { sleeves: 'long', shirtColour: '#d8dde2', prop: 'camera' }),
  writer: () => work('sweater', '#8a6a4a', '#4a4652', { shoes: 'shoes', wears: [trim('glasses', '#3a3a44')], prop: 'book' }),
  programmer: () =>
    work('hoodie', '#4a5568', '#33415c', {
      shoes: 'shoes',
      wears: [trim('headphones', '#33333d'), trim('glasses', '#33333d')],
      prop: 'laptop',
    }),
  cowboy: () =>
    work('vest', '#7d5230', '#46618c', {
      sleeves: 'long',
      shirtColour: '#c9443a',
      trims: [trim('neckerchief', '#d9b44a'), trim('belt', '#4a2f1c')],
      wears: [trim('cowboy-hat', '#8a5a32')],
    }),
  monk: () => robe('#d9822b', { hairStyle: 'bald', trims: [trim('sash', '#a33b22'), trim('beads', '#5a3420')] }),
  nun: () => robe('#2a2a33', { trims: [trim('collar', '#ffffff')], wears: [trim('wimple', '#2a2a33')] }),
  hiker: () =>
    work('jacket', '#d9673a', '#5b6448', {
      trims: [trim('backpack', '#3f7a6a')],
      wears: [trim('bucket-hat', '#b59a62')],
      prop: 'hiking-stick',
    }),
  athlete: () => ({
    top: 't-shirt',
    topColour: '#e0483e',
    sleeves: 'short',
    legs: 'short',
    legColour: '#2f3e5c',
    shoes: 'shoes',
    shoeColour: '#f4f4f4',
    trims: [trim('number', '#ffffff')],
  }),
  skier: () =>
    work('jacket', '#2f7fc4', '#2f3442', {
      trims: [trim('skis', '#e0483e')],
      wears: [trim('beanie', '#e0483e'), trim('goggles', '#f2a63a')],
    }),
  surfer: () => ({
    top: 'bare',
    topColour: '#2f7fa8',
    sleeves: 'none',
    legs: 'short',
    legColour: '#ef7f3a',
    shoes: 'bare',
    hairColour: '#d8a65c',
    prop: 'surfboard',
  }),
  swimmer: gender => ({
    top: 'bare',
    topColour: '#2f6fc4',
    sleeves: 'none',
    legs: gender === 'woman' ? 'bare' : 'short',
    legColour: '#2f6fc4',
    shoes: 'bare',
    trims: [trim('swimwear', '#2f6fc4')],
    wears: [trim('swim-cap', '#2f6fc4'), trim('goggles', '#33333d')],
  }),
  diver: () =>
    work('uniform', '#26303c', '#26303c', {
      shoes: 'fins',
      shoeColour: '#e9c62e',
      trims: [trim('tank', '#e9c62e')],
      wears: [trim('diving-mask', '#7cc8e0')],
    }),
  cyclist: () => ({
    top: 't-shirt',
    topColour: '#f2c230',
    sleeves: 'short',
    legs: 'short',
    legColour: '#22252f',
    shoes: 'shoes',
    shoeColour: '#f0f0f0',
    wears: [trim('bike-helmet', '#e0483e')],
  }),
  boxer: () => ({
    top: 'bare',
    topColour: '#b3262f',
    sleeves: 'none',
    legs: 'short',
    legColour: '#b3262f',
    shoes: 'boots',
    shoeColour: '#22252f',
    trims: [trim('gloves', '#c8202a')],
  }),
  superhero: () => ({
    top: 'uniform',
    topColour: '#2554a8',
    legs: 'long',
    legColour: '#2554a8',
    shoes: 'boots',
    shoeColour: '#c8262f',
    trims: [trim('cape', '#c8262f'), trim('emblem', '#f2c230'), trim('belt', '#f2c230')],
    wears: [trim('eye-mask', '#c8262f')],
  }),
  angel: () =>
    robe('#fbf8ef', {
      hairStyle: 'curly',
      hairColour: '#e3bf73',
      trims: [trim('wings', '#ffffff'), trim('halo', '#f7d75a'), trim('belt', '#e8c65a')],
    }),
  fairy: () =>
    gown('#8fcf6a', {
      skirt: { length: 0.42, flare: 1.9, colour: '#8fcf6a' },
      isElf: true,
      trims: [trim('fairy-wings', '#a9e4f5')],
      wears: [trim('flower-crown', '#f08fb8')],
      prop: 'magic-wand',
    }),
  vampire: () =>
    suit('#221c26', {
      skin: '#e3dde0',
      hairColour: '#16131a',
      face: 'vampire',
      trims: [trim('cape', '#8c1522'), trim('bow-tie', '#8c1522')],
    }),
  zombie: () => work('shirt', '#7a7f6a', '#4a4a40', { skin: '#93b57a', face: 'zombie', hairColour: '#3a3a30' }),
  santa: () =>
    work('coat', '#c8262f', '#c8262f', {
      skirt: { length: 0.3, flare: 1.35, colour: '#c8262f' },
      hairColour: '#f2f0ec',
      beard: true,
      shoeColour: '#22201f',
      trims: [trim('fur', '#fbfaf6'), trim('belt', '#1d1a1a')],
      wears: [trim('santa-hat', '#c8262f')],
      prop: 'sack',
    }),
  viking: () =>
    work('vest', '#6b4a2e', '#5a4a3a', {
      sleeves: 'long',
      shirtColour: '#8a7a5a',
      hairColour: '#b5682c',
      beard: true,
      trims: [trim('fur', '#8a6a4a'), trim('belt', '#3b2a1c')],
      wears: [trim('viking-helmet', '#9aa3ae')],
      prop: 'axe',
    }),
  archer: () =>
    work('vest', '#4a6b3a', '#5a4a34', {
      sleeves: 'long',
      shirtColour: '#8a9a5a',
      trims: [trim('cape', '#3a5a34'), trim('belt', '#3b2a1c')],
      wears: [trim('feather-cap', '#4a6b3a')],
      prop: 'bow',
    }),
  geisha: () => ({
    top: 'kimono',
    topColour: '#c23a5a',
    sleeves: 'wide',
    legs: 'bare',
    skirt: { length: 0.94, flare: 1.15, colour: '#c23a5a' },
    hairStyle: 'bun',
    hairColour: '#1d1a20',
    trims: [trim('sash', '#e8c65a'), trim('blossoms', '#f9d6de')],
    wears: [trim('hair-flower', '#f5a3b8')],
    prop: 'fan',
  }),
  dwarf: () =>
    work('vest', '#7a3f2a', '#4f4a5a', {
      sleeves: 'long',
      shirtColour: '#4a7a4a',
      beard: true,
      trims: [trim('belt', '#3b2a1c')],
      wears: [trim('gnome-hat', '#c8352f')],
    }),
}
