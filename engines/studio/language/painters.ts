/** Painters whose names stand for a style, each with the style that is drawn. Only phrases such as
 *  "in the style of" are matched, so that a portrait of a painter stays a portrait. */
const manners: readonly (readonly [names: string, manner: string])[] = [
  ['salvador dal[ií]|dal[ií]|ren[ée] magritte|magritte|max ernst', 'surrealist oil painting'],
  ['leonardo da vinci|leonardo|da vinci|albrecht d[üu]rer|d[üu]rer', 'pencil drawing'],
  ["frida kahlo|kahlo|diego rivera|paul gauguin|gauguin|georgia o[’']keeffe|o[’']keeffe|henri rousseau", 'vivid oil painting'],
  [
    'vermeer|johannes vermeer|caravaggio|botticelli|sandro botticelli|michelangelo|raphael|titian|goya|francisco goya|vel[áa]zquez|diego vel[áa]zquez|bosch|hieronymus bosch|bruegel|pieter bruegel|jan van eyck|van eyck|edward hopper|hopper|norman rockwell|grant wood|american gothic|bob ross|thomas kinkade|gustave courbet|courbet|manet|[ée]douard manet|john constable|constable|ingres|delacroix|el greco|whistler|sargent|the mona lisa|a? ?renaissance masters?',
    'oil painting',
  ],
  ['edvard munch|munch|the scream|kirchner|kokoschka', 'van gogh'],
  ["(?:van gogh['’]s )?(?:the )?starry night", 'van gogh, starry night sky'],
  ['henri matisse|matisse', 'paper cut-out'],
  ['gustav klimt|klimt', 'golden mosaic'],
  ['kandinsky|wassily kandinsky|juan gris|fernand l[ée]ger|franz marc|robert delaunay', 'cubism'],
  ['banksy|jean-michel basquiat|basquiat|david hockney|hockney|takashi murakami|yayoi kusama|kusama', 'pop art'],
  ['beatrix potter|winslow homer|william blake', 'watercolor'],
  ['dr\\.? seuss|maurice sendak|quentin blake|richard scarry|eric carle', 'children’s book illustration'],
  ['m\\.? ?c\\.? escher|escher|gustave dor[ée]|dor[ée]|utamaro|kuniyoshi|the great wave', 'woodcut'],
  ['alphonse mucha|mucha|toulouse-lautrec|art nouveau', 'vintage poster'],
  ['qi baishi|zhang daqian|xu beihong|bada shanren|fan kuan', 'chinese ink painting'],
]

const styleOf =
  '(?:,? ?(?:painted |drawn |rendered |done |made )?(?:in|after) the (?:style|manner|spirit) of|,? ?(?:in )?(?:a )?painting by|,? ?(?:as )?(?:painted|drawn) by|,? ?inspired by|,? ?à la)'

const names = manners.map(([list], index) => `(?<m${index}>${list})`).join('|')
/** One pattern for all painters, so that a long text is searched once. */
const inStyle = new RegExp(
  `${styleOf} (?:the )?(?:painting |artist |painter )?(?:${names})(?:['’]s (?:paintings?|works?))?\\b(?:,? (?:a )?(?:painting|style))?`,
  'giu',
)
const version = new RegExp(
  `(?<=^|[,.] ?)(?:an? |the )?(?:${names})(?:['’]s (?:version|painting|drawing|take|rendition) of|[- ]style (?:painting|drawing|picture|portrait) of|[- ](?:esque|like) (?:painting|drawing|picture) of)\\b`,
  'giu',
)

/** Returns the style of the painter whose named group (`m0`, `m1`, ...) has matched. */
function mannerOf(groups: Record<string, string | undefined>): string {
  return manners.find((_, index) => groups[`m${index}`] !== undefined)?.[1] ?? ''
}

/** Replaces "in the style of" a painter by words for that style. The run time grows linearly with
 *  the text. */
export function readPainters(text: string): string {
  return text.replace(inStyle, (...found) => `, ${mannerOf(found.at(-1))}`).replace(version, (...found) => `a ${mannerOf(found.at(-1))} of`)
}
