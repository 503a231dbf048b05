/** What is spoken and read back. Ours, so that no voice or recogniser was trained on it. */

/** Plain prose, about 100 words. */
export const prose = [
  'The harbor was quiet when the first boats came home.',
  'An old woman sat on the wall and watched the men unload their baskets, one after another, until the tide had turned.',
  'Nobody had told her that the lighthouse would be closed, but she knew it from the way the captain looked at the ground.',
  'In the kitchen her grandson was peeling apples for a cake, and the radio played a song that everyone in the village could sing.',
  'Later, when the rain began, they moved the chairs closer to the stove and talked about the summer they had spent in the mountains.',
] as const

/** Numbers, names, dates, money, units and abbreviations. */
export const hard = [
  'Dr. Elizabeth Carter paid $1,250.75 for 12 tickets on March 3rd, 2024.',
  'The train from Boston to Philadelphia leaves at 7:45 a.m. and arrives at 12:30 p.m.',
  'In 1969, 600 million people watched Neil Armstrong walk on the moon.',
  'The recipe needs 250 g of flour, 3 eggs and 1/2 cup of milk.',
  'Mr. Johnson lives at 221 Baker Street and works for NASA.',
  'Queen Elizabeth II reigned for 70 years, until September 8, 2022.',
  'About 37% of the 4,500 students study chemistry or biology.',
  'Michael and Jennifer drove 85 miles to San Francisco in 2 hours.',
] as const

/** Sentences of other languages, without numerals. */
export const foreign = {
  es: [
    'La biblioteca abre todos los días por la mañana y cierra cuando se pone el sol.',
    'Mi hermana compró pan, queso y una botella de vino en el mercado.',
    'El tren llegó tarde porque había mucha nieve en las montañas.',
  ],
  fr: [
    'La bibliothèque ouvre tous les matins et ferme quand le soleil se couche.',
    'Ma sœur a acheté du pain, du fromage et une bouteille de vin au marché.',
    'Le train est arrivé en retard parce que la neige couvrait les montagnes.',
  ],
  it: [
    'La biblioteca apre ogni mattina e chiude quando tramonta il sole.',
    'Mia sorella ha comprato il pane, il formaggio e una bottiglia di vino al mercato.',
    "Il treno è arrivato in ritardo perché c'era molta neve sulle montagne.",
  ],
  pt: [
    'A biblioteca abre todas as manhãs e fecha quando o sol se põe.',
    'Minha irmã comprou pão, queijo e uma garrafa de vinho no mercado.',
    'O trem chegou atrasado porque havia muita neve nas montanhas.',
  ],
  zh: ['图书馆每天早上开门，太阳下山的时候关门。', '我妹妹在市场上买了面包、水果和一瓶牛奶。', '火车来晚了，因为山上下了很大的雪。'],
} as const

/** 1,200 characters or a little more. */
export const longText = [...prose, ...prose, ...prose].join(' ').slice(0, 1200)

/** Sentences of `human/`, with what is said in them. */
export const human = [
  {
    file: '0870.ogg',
    said: 'and mister john dashwood had then leisure to consider how much there might be prudently in his power to do for them',
  },
  { file: '0880.ogg', said: 'he was not an ill disposed young man' },
  { file: '0890.ogg', said: 'unless to be rather cold hearted and rather selfish is to be ill disposed' },
  { file: '0920.ogg', said: 'had he married a more amiable woman he might have been made still more respectable than he was' },
  { file: '0930.ogg', said: 'he might even have been made amiable himself' },
] as const
