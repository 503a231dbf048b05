import { gown, type RoleOutfit, suit, trim, work } from './uniforms.ts'

/** Functions that return the uniforms and props of trades and services, by the name of the role. */
export const trades: Record<string, RoleOutfit> = {
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
  lumberjack: () =>
    work('shirt', '#b3342f', '#40507a', { beard: true, trims: [trim('belt', '#3b2a1c')], wears: [trim('beanie', '#3a4a3f')], prop: 'axe' }),
  band: gender =>
    work(gender === 'woman' ? 't-shirt' : 'jacket', '#33293f', '#26232f', { shirtColour: '#d8343f', shoes: 'shoes', prop: 'guitar' }),
  tourist: () =>
    work('t-shirt', '#f2a24a', '#c9b48a', {
      sleeves: 'short',
      legs: 'short',
      shoes: 'shoes',
      trims: [trim('backpack', '#3f7cac'), trim('blossoms', '#fff4d8')],
      wears: [trim('straw-hat', '#e6c46e')],
      prop: 'camera',
    }),
  cricketer: () =>
    work('sweater', '#f7f5ee', '#f7f5ee', { shoes: 'shoes', shoeColour: '#ffffff', wears: [trim('cap', '#2b4a7d')], prop: 'bat' }),
  'tennis player': gender =>
    work('t-shirt', '#f7f5ee', '#f7f5ee', {
      sleeves: 'short',
      shoes: 'shoes',
      shoeColour: '#ffffff',
      ...(gender === 'woman'
        ? { legs: 'bare' as const, skirt: { length: 0.34, flare: 1.6, colour: '#f7f5ee' } }
        : { legs: 'short' as const }),
      wears: [trim('headband', '#d8343f')],
      prop: 'racket',
    }),
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
}
