import { gown, type RoleOutfit, robe, suit, trim, work } from './uniforms.ts'

/** Functions that return the costumes of tales, ceremonies, sports and further trades, by the
 *  name of the role. */
export const characters: Record<string, RoleOutfit> = {
  thief: () =>
    work('sweater', '#3a3d4a', '#2b2d38', {
      shoes: 'shoes',
      trims: [trim('satchel', '#6b4a32')],
      wears: [trim('beanie', '#2b2d38'), trim('eye-mask', '#22222a')],
      prop: 'sack',
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
  legionary: () => ({
    top: 'armour',
    topColour: '#c2a15a',
    sleeves: 'short',
    legs: 'short',
    legColour: '#a8322c',
    skirt: { length: 0.24, flare: 1.25, colour: '#7a4326' },
    shoes: 'boots',
    shoeColour: '#7a4326',
    trims: [trim('cape', '#a8322c'), trim('belt', '#5a3520')],
    wears: [trim('knight-helmet', '#c9a24a')],
    prop: 'sword',
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
