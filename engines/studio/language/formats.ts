import type { Format, FormatKind } from '../scene.ts'
import { motifOf, occasionOf } from './motifs.ts'

/** The result of reading a prompt for a printed object, such as a poster, a book cover or a comic:
 *  `text` describes the picture on the object, `letterings` are the texts on it. */
interface FormatReading {
  text: string
  format?: Format
  letterings: string[]
}

const kinds: readonly (readonly [words: string, kind: FormatKind])[] = [
  [
    "(?:front )?cover (?:of|for) (?:an? |the )?(?:[a-z’'-]+ ){0,3}?(?:book|novel|magazine|album|comic book|notebook)|(?:book|novel|magazine|album|textbook|comic book) cover",
    'cover',
  ],
  [
    '(?:comic|manga)(?: book)? (?:strip|page|panels?)|comic strip|(?:two|three|four|six|[2-6])[- ]panel (?:comic|cartoon|manga)(?: strip)?',
    'comic',
  ],
  [
    "(?:greeting|birthday|christmas|valentine(?:[’']s)?(?: day)?|thank[- ]you|get[- ]well|easter|halloween|wedding|invitation|holiday|mother[’']s day) card|(?:wedding|birthday|party) invitation|invitation|trading card|tarot card",
    'card',
  ],
  ['postage stamp', 'stamp'],
  ['polaroid(?: photo(?:graph)?| picture| snapshot)?', 'polaroid'],
  ['(?:app|application|mobile app|phone|software|desktop) icon', 'icon'],
  ['logo|emblem|mascot logo|crest', 'logo'],
  ['poster|flyer|playbill|advertisement', 'poster'],
]
const opening = new RegExp(
  `^\\s*(?:(?:an?|the|my|one)\\s+)?(?<adjectives>(?:(?!of\\b|with\\b|and\\b|in\\b|on\\b|holding\\b)[a-z0-9’'-]+,? ){0,4}?)(?:${kinds.map(([words], index) => `(?<k${index}>${words})`).join('|')})(?<tail>(?=$|[\\s,.:])[\\s\\S]*)$`,
  'i',
)
/** Matches what may follow the word for the object. Other words, which place a poster somewhere or
 *  give it to somebody, mean that the poster is a thing in the scene. */
const link =
  /^\s*(?:$|[,.:]\s*|(?:of|for|about|showing|with|depicting|featuring|advertising|announcing|promoting)\s+|(?=(?:that|which)\s+(?:says|reads|shows)\b|saying\b|reading\b|called\b|titled\b|named\b|by\b|in the style\b))/i
/** Matches a text together with the words that introduce it. */
const written =
  /,?\s*(?:\b(?:and|with)\s+)?(?:\b(?:the|a)\s+)?(?:\b(?:that|which)\s+(?:says?|reads?)|\bsaying|\breading|\bcalled|\btitled|\bnamed|\bentitled|\b(?:text|title|words?|name|slogan|caption|headline|inscription|speech bubble)(?:\s+(?:that\s+)?(?:says?|saying|reads?|reading))?|:)\s*(?:["“]([^"“”]{1,60})["”]|['‘]([^'‘’]{1,60})['’])(?:\s+(?:written )?(?:on it|below(?: it)?|above(?: it)?|underneath|at the (?:top|bottom)))?/gi
const author = /\bby\s+((?:[A-Z][\p{L}.'’-]*\s?){1,4})/u
const panelCount = /\b(?:with|in|of|has|having)?\s*(?:an?\s+)?(two|three|four|six|[2346])[- ]panels?\b(?:\s+(?:of|about|showing|with))?/i
const counts: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4, six: 6 }
/** Words before "poster" that state its purpose rather than its appearance. */
const purposes =
  /^(?:travel|movie|film|advertising|advertisement|kids[’']?|children[’']?s|wanted|concert|event|new|promotional|simple|professional|modern|company|brand|team|club)$/i

/** Separates the words for a printed object from a prompt that begins with them. Returns the prompt
 *  unchanged, without `format`, when the prompt does not begin with such words. */
export function takeFormat(text: string): FormatReading {
  const grid = takeGrid(text)
  if (grid) return grid
  const found = opening.exec(text)
  const index = kinds.findIndex((_, at) => found?.groups?.[`k${at}`] !== undefined)
  const kind = kinds[index]?.[1]
  const tail = found?.groups?.tail ?? ''
  const joint = link.exec(tail)
  if (!found?.groups || !kind || !joint) return { text, letterings: [] }
  const word = found.groups[`k${index}`] ?? ''
  const letterings: string[] = []
  let body = tail.slice(joint[0].length).replace(written, (_, double: string | undefined, single: string | undefined) => {
    letterings.push((double ?? single ?? '').replace(/[,.]$/, ''))
    return ''
  })
  const by = kind === 'cover' ? author.exec(body) : null
  if (by) body = body.replace(by[0], '')
  const panels = kind === 'comic' ? panelCount.exec(`${word} ${body}`) : null
  if (panels) body = body.replace(panelCount, '').replace(/^\s*(?:about|of|showing|with|where|in which)\s+/i, '')
  const topic = /^(?:for|about|advertising|announcing|promoting)/i.test(joint[0].trim()) ? topicOf(body) : undefined
  // When the prompt says neither what a logo shows nor what is written on it, the logo is read as
  // an ordinary thing.
  if (body.trim() === '' && letterings.length === 0 && kind !== 'card') return { text, letterings: [] }
  const shown = shownOn(kind, { body, word: `${found.groups.adjectives} ${word}`, topic })
  if (topic && letterings.length === 0 && kind !== 'logo' && kind !== 'icon' && kind !== 'comic') letterings.push(titleCase(topic))
  if (by?.[1]) letterings.push(by[1].trim())
  const adjectives = (found.groups.adjectives ?? '')
    .split(/[\s,]+/)
    .filter(adjective => adjective !== '' && !purposes.test(adjective) && !occasionOf(adjective))
  const look = [
    adjectives.join(' '),
    ...(kind === 'polaroid' ? ['vintage photo'] : []),
    ...(kind === 'logo' || kind === 'icon' ? ['flat design', 'plain background'] : kind === 'comic' ? ['comic style'] : []),
  ]
  const manner =
    kind !== 'poster' ? undefined : /art[- ]deco/i.test(text) ? 'deco' : /art[- ]nouveau|mucha/i.test(text) ? 'nouveau' : undefined
  const count = counts[panels?.[1]?.toLowerCase() ?? ''] ?? (Number(panels?.[1]) || (/page/i.test(word) ? 4 : 3))
  return {
    text: [shown, ...look].filter(part => part.trim() !== '').join(', '),
    format: { kind, ...(kind === 'comic' ? { panels: count } : {}), ...(manner ? { manner } : {}) },
    letterings,
  }
}

/** Returns the prompt for the picture on the printed object. A topic that cannot be drawn, such as
 *  a bakery, is replaced by a motif that stands for it (a loaf of bread). */
function shownOn(kind: FormatKind, said: { body: string; word: string; topic: string | undefined }): string {
  const body = said.body
    .replace(/^(?:an? |the )?(?:illustration|picture|image|photo|photograph|drawing|painting) of\s+/i, '')
    .replace(/^(?:that |which )?shows\s+/i, '')
  const motif = said.topic === undefined || kind === 'comic' ? undefined : motifOf(said.topic)
  if (motif) {
    const rest = body
      .slice(body.indexOf(said.topic ?? '') + (said.topic ?? '').length)
      .replace(/^[\s,]*(?:with|showing|featuring|and)\s+/i, '')
    return rest.trim() !== '' ? rest : kind === 'poster' ? `${motif}, plain background` : motif
  }
  // In "a logo of a fox for a coffee shop", the shop is the customer and not a part of the picture.
  const plain =
    kind === 'logo' || kind === 'icon' ? body.replace(/\s*\bfor (?:an?|the|my|our) [^,.;]{2,40}?(?=$|[,.;]| with\b)/i, '') : body
  return plain.trim() === '' && kind === 'card' ? (occasionOf(said.word) ?? 'a bouquet of flowers') : plain
}

/** Returns the purpose or topic of the object: the words up to the first comma, or up to the words
 *  that describe the picture. */
function topicOf(body: string): string | undefined {
  const words =
    /^(?:an? |the |our |my )?([^,.;:"“]{2,40}?)(?=\s+(?:with|showing|featuring|that|in|on|at|by|depicting|called|named)\b|[,.;:"“]|\s*$)/i.exec(
      body,
    )
  return words?.[1]?.trim() || undefined
}

function titleCase(text: string): string {
  return text.replace(/(^|\s)(\p{Ll})/gu, (_, space: string, letter: string) => `${space}${letter.toUpperCase()}`)
}

const gridOpening =
  /^\s*(?:an? )?(?:set|grid|sheet|collection) of (?<columns>[2-4]) ?[x×] ?(?<rows>[2-4]) (?:emoji |emoticon )?(?:icons|emojis|pictures|portraits|faces|stickers)(?: with| of| showing)? (?<looks>[a-z, -]{3,80}?) (?:faces|expressions)\.?\s*(?<rest>[\s\S]*)$/i
const likeness =
  /\b(?:the )?(?:emoji |emoticon )?(?:icons|emojis|faces|stickers|they)(?: all)? (?:look like|are|are shaped like|resemble) (?<who>[a-z -]{3,30}?)[.,]\s*/i

/** Reads "a set of 2x2 emoji icons with happy, angry, surprised and sobbing faces. The icons look
 *  like pandas." as a grid of pictures of one subject with different looks. Undefined for other
 *  prompts. */
function takeGrid(text: string): FormatReading | undefined {
  const found = gridOpening.exec(text)?.groups
  if (!found) return undefined
  const looks = (found.looks ?? '').split(/,\s*|\s+and\s+/).flatMap(look => look.replace(/^and\s+/, '').trim() || [])
  const rest = found.rest ?? ''
  const who = likeness.exec(rest)?.groups?.who ?? 'smiley faces'
  const single = who.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
  const worn = /\b(?:are|is) (wearing|holding) ([^.]{3,60})/i.exec(rest)
  return {
    text: `a ${single}${worn ? ` ${worn[1]} ${worn[2]}` : ''}, plain background`,
    format: { kind: 'grid', panels: Number(found.columns) * Number(found.rows), looks },
    letterings: [],
  }
}
