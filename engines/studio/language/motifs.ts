/** Motifs that represent a trade, a topic or an occasion on a poster, a logo, a cover or a card.
 *  Each row has a pattern for the words and the motif as a prompt. */
const rows: readonly (readonly [words: RegExp, motif: string])[] = [
  [/\b(?:bakery|bread)\b/i, 'a loaf of bread'],
  [/\b(?:coffee|cafe|café|espresso)/i, 'a cup of coffee'],
  [/\b(?:tea ?(?:house|room|shop)?)\b/i, 'a teapot'],
  [/\b(?:pizza|pizzeria)/i, 'a pizza'],
  [/\b(?:burger)/i, 'a hamburger'],
  [/\b(?:sushi)/i, 'sushi'],
  [/\b(?:ice cream|gelato)/i, 'an ice cream cone'],
  [/\b(?:brewery|beer|pub)\b/i, 'a beer mug'],
  [/\b(?:wine|winery|vineyard)/i, 'a glass of red wine'],
  [/\b(?:restaurant|diner|food (?:festival|truck|fair))/i, 'a plate with spaghetti'],
  [/\b(?:cooking|cookbook|recipes|baking|chef)/i, 'a cooking pot'],
  [/\b(?:gardening|garden center|flower shop|florist|plants|botany)/i, 'a watering can and three sunflowers'],
  [/\b(?:football|soccer)/i, 'a soccer ball'],
  [/\b(?:basketball)/i, 'a basketball'],
  [/\b(?:tennis)/i, 'a tennis racket'],
  [/\b(?:gym|fitness|workout)/i, 'a dumbbell'],
  [/\b(?:jazz|saxophone|blues)/i, 'a saxophone'],
  [/\b(?:rock (?:concert|band|festival|music)|guitar)/i, 'an electric guitar'],
  [/\b(?:orchestra|classical music|symphony|violin)/i, 'a violin'],
  [/\b(?:piano)/i, 'a piano'],
  [/\b(?:music|concert|karaoke|choir|radio)/i, 'a musical note'],
  [/\b(?:film|cinema|movie)/i, 'a movie camera'],
  [/\b(?:theatre|theater|drama|opera)/i, 'performing arts masks'],
  [/\b(?:circus)/i, 'a circus tent'],
  [/\b(?:technology|tech|computer|software|programming|coding|artificial intelligence|machine learning|startup)/i, 'a laptop'],
  [/\b(?:space|astronomy|rocket)/i, 'a rocket and a planet'],
  [/\b(?:science|chemistry|biology)/i, 'a microscope'],
  [/\b(?:math|mathematics|geometry|algebra)/i, 'a ruler and a calculator'],
  [/\b(?:history|archaeology)/i, 'a greek temple'],
  [/\b(?:travel|tourism|geography|airline)/i, 'a globe and an airplane'],
  [/\b(?:sailing|yacht)/i, 'a sailboat'],
  [/\b(?:surf)/i, 'a surfboard'],
  [/\b(?:bike|bicycle|cycling)/i, 'a bicycle'],
  [/\b(?:hair|barber|salon)/i, 'a pair of scissors'],
  [/\b(?:bank|finance|money)/i, 'a gold coin'],
  [/\b(?:law|legal)/i, 'a balance scale'],
  [/\b(?:hospital|health|medicine|charity)/i, 'a red heart'],
  [/\b(?:photography|photo studio)/i, 'a camera'],
  [/\b(?:painting|art (?:show|exhibition|class))/i, 'an artist palette'],
  [/\b(?:magic)/i, 'a top hat and a magic wand'],
  [/\b(?:chess)/i, 'a chess pawn'],
  [/\b(?:fishing)/i, 'a fish'],
  [/\b(?:book ?(?:shop|store|club)|library|reading|literature|school|university|education|college)/i, 'an open book'],
  [/\b(?:recycling|environment|climate)/i, 'a globe and a green leaf'],
]

const occasions: readonly (readonly [words: RegExp, motif: string])[] = [
  [/\bbirthday\b/i, 'a birthday cake and two balloons'],
  [/\b(?:christmas|holiday)\b/i, 'a christmas tree'],
  [/\bvalentine/i, 'a red heart'],
  [/\beaster\b/i, 'three easter eggs'],
  [/\bhalloween\b/i, 'a jack-o-lantern'],
  [/\bwedding\b/i, 'a wedding cake'],
  [/\bget[- ]well\b/i, 'a teddy bear'],
  [/\b(?:thank[- ]you|mother[’']s day)\b/i, 'a bouquet of flowers'],
  [/\bparty\b/i, 'three balloons'],
]

/** Returns the motif for a topic; undefined for a topic that has none and is therefore drawn
 *  itself. */
export function motifOf(topic: string): string | undefined {
  return rows.find(([words]) => words.test(topic))?.[1]
}

/** Returns the motif for an occasion on a card, such as a birthday; undefined for other words. */
export function occasionOf(words: string): string | undefined {
  return occasions.find(([pattern]) => pattern.test(words))?.[1]
}
