import { normalForm } from '@generation-gateway/kit/normal-form.ts'

/** Returns the form in which words are stored and looked up: lower case, no accents or apostrophes,
 *  hyphens replaced by spaces, single spaces. */
export function normaliseWord(word: string): string {
  return normalForm(word, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replace(/[-_\s]+/g, ' ')
    .trim()
}

const irregulars: ReadonlyMap<string, string> = new Map(
  `men man|women woman|children child|people person|persons person|feet foot|teeth tooth|geese goose|mice mouse|lice louse|oxen ox|dice die|pence penny|
leaves leaf|wolves wolf|knives knife|wives wife|lives life|loaves loaf|shelves shelf|bookshelves bookshelf|halves half|calves calf|elves elf|dwarves dwarf|thieves thief|
scarves scarf|hooves hoof|wharves wharf|selves self|sheaves sheaf|staves staff|cacti cactus|fungi fungus|octopi octopus|hippopotami hippopotamus|nuclei nucleus|
larvae larva|algae alga|antennae antenna|nebulae nebula|bacteria bacterium|aquaria aquarium|planetaria planetarium|stadia stadium|data datum|media medium|
axes axe|oases oasis|crises crisis|bases base|heroes hero|potatoes potato|tomatoes tomato|mangoes mango|volcanoes volcano|tornadoes tornado|buffaloes buffalo|
mosquitoes mosquito|dominoes domino|torpedoes torpedo|echoes echo|cargoes cargo|shoes shoe|canoes canoe|toes toe|horseshoes horseshoe|movies movie|cookies cookie|zombies zombie|
genies genie|pixies pixie|smoothies smoothie|brownies brownie|selfies selfie|calories calorie|ties tie|pies pie|magpies magpie|bowties bowtie|monkeys monkey|
buses bus|gases gas|lenses lens|irises iris|crocuses crocus|walruses walrus|busses bus|quizzes quiz|
fishermen fisherman|firemen fireman|policemen policeman|policewomen policewoman|snowmen snowman|businessmen businessman|businesswomen businesswoman|gentlemen gentleman|
cavemen caveman|postmen postman|mailmen mailman|milkmen milkman|kinsmen kinsman|mermen merman|spacemen spaceman|grandchildren grandchild|
passersby passerby|matrices matrix|vertices vertex|appendices appendix|phenomena phenomenon|criteria criterion|alumni alumnus|stimuli stimulus|
scissorss scissors|skiss skis|tvs tv|
caves cave|waves wave|graves grave|olives olive|hives hive|beehives beehive|gloves glove|doves dove|stoves stove|sleeves sleeve|curves curve|valves valve|natives native|
houses house|horses horse|roses rose|noses nose|vases vase|bases base|cases case|suitcases suitcase|bookcases bookcase|causes cause|purses purse|nurses nurse|geniuses genius|
geese goose|mooses moose|cheeses cheese|blouses blouse|greenhouses greenhouse|lighthouses lighthouse|treehouses treehouse|warehouses warehouse|tortoises tortoise|mongooses mongoose|
axes axe|caches cache|headaches headache|moustaches moustache|avalanches avalanche|creches creche|quiches quiche`
    .replace(/\n/g, '')
    .split('|')
    .map((pair): [string, string] => {
      const [plural = '', singular = ''] = pair.split(' ')
      return [plural, singular]
    }),
)

/** Singular words that end in s. Without the s they would be another word or no word. */
const notPlural = new Set(
  'glass bus gas grass dress compass cactus octopus walrus hippopotamus princess goddess waitress actress class brass cross boss moss chess canvas lens iris atlas circus virus campus species series news tennis dais bass abyss albatross mattress fortress lioness tigress mistress hostess jewellers tyrannosaurus brontosaurus stegosaurus triceratops asparagus crocus hibiscus lotus eucalyptus platypus rhinoceros venus mars santa claus christmas uranus trellis cypress mantis pancreas ibis trapeze'.split(
    ' ',
  ),
)

/** Returns the possible dictionary forms (singulars) of a normalised word or phrase, the most
 *  likely first, without the word itself. Only the last word of a phrase is changed. */
export function singularForms(word: string): string[] {
  const cut = word.lastIndexOf(' ') + 1
  const head = word.slice(0, cut)
  const last = word.slice(cut)
  return singularsOf(last).map(form => head + form)
}

function singularsOf(word: string): string[] {
  const irregular = irregulars.get(word)
  if (irregular !== undefined) return [irregular]
  if (!word.endsWith('s') || word.length < 4 || word.endsWith('ss') || notPlural.has(word)) return []
  if (word.endsWith('ies')) return [`${word.slice(0, -3)}y`, word.slice(0, -1)]
  if (/(s|x|z|ch|sh)es$/.test(word)) return [word.slice(0, -2), word.slice(0, -1)]
  if (word.endsWith('oes')) return [word.slice(0, -1), word.slice(0, -2)]
  if (word.endsWith('ves')) return [word.slice(0, -1), `${word.slice(0, -3)}f`, `${word.slice(0, -3)}fe`]
  return [word.slice(0, -1)]
}
