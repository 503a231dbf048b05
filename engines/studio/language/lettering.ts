import { type Draft, isAnimate, isPerson, type Mention, note } from './draft.ts'
import type { EnglishState } from './english-state.ts'
import { senseOf } from './lexicon/lexicon.ts'
import type { Token } from './tokens.ts'

/** Nouns of things that are made to be written on. A text right after such a noun is written on
 *  that thing. */
const bearers =
  /sign|billboard|mailbox|letterbox|poster|banner|book|shirt|board|flag|paper|newspaper|label|card|menu|screen|plate|wall|door|note|letter|scroll|cake|mug|bottle|hat|cap|balloon|store|shop|truck|bus|window|envelope|map|notice|placard|wood|tombstone|headstone|stone|signpost|heart|box|neon|post|van|boat|bag|building|marquee|television|monitor|laptop|phone|cup|jar|can|tank|barrel|crate|coin|trophy|medal|pillow|blanket|towel|rug|mat|kite|blimp|airship|ball|drum|helmet|painting|magazine|cereal|candle|cookie|pizza|sandwich|ice cream/

/** Largest number of texts in a picture. The limit bounds the work, because each text is laid out
 *  and drawn separately. */
const mostLetterings = 24

/** Reads a text to write at token `at`: a quote, or a word such as "says" and the words after it.
 *  `bearer` is the thing named before. Returns the number of tokens that were read; 0 when there is
 *  no such text. */
export function readLettering(tokens: readonly Token[], at: number, draft: Draft, bearer: Mention | undefined): number {
  let next = at
  let leads = 0
  while (leads < 4 && isLead(tokens[next])) {
    next++
    leads++
  }
  const token = tokens[next]
  if (token?.kind === 'quote') {
    const isSaid = leads > 0 && claims.test(tokens[next - 1]?.key ?? '')
    const isOn = isOnIt(tokens, next + 1)
    // In "a mailbox with the number '27' on it", the text is on the mailbox, because "number" is
    // not a thing that can be drawn.
    const named = isOn && !bearer?.match ? draft.mentions.findLast(({ match }) => match !== undefined) : bearer
    push(draft, token.text.replace(/[,，]$/, ''), isOn && named?.match ? named : bearerOf(named, isSaid))
    return next - at + 1
  }
  if (leads === 0 || !token || !speaks(tokens[next - 1]) || isReader(tokens, next, bearer)) return 0
  return readUnquoted(tokens, { at, next }, draft, bearer)
}

/** Words after which the text follows that is written on the thing before them, such as "says" in
 *  "a sign that says OPEN". */
const claims = /(says|saying|reads|reading|labell?ed|titled|inscribed|spell|which|that|written on it|with the name|with the title)/

/** True when words such as "painted on it" or "written on top" follow: the text is then on the
 *  thing that was named before. */
function isOnIt(tokens: readonly Token[], from: number): boolean {
  const words = tokens.slice(from, from + 5).map(token => token.key)
  return /\b(on|across|above|over|in) (it|them|its|their|top)\b|\bon (the )?(front|side|top|label|cover|back)\b/.test(words.join(' '))
}

function isLead(token: Token | undefined): boolean {
  return token !== undefined && (senseOf(token.senses, 'lettering') !== undefined || /^[:：]$/.test(token.text))
}

/** True for words after which a text may follow without quotes. */
function speaks(token: Token | undefined): boolean {
  return (
    token !== undefined &&
    (/^[:：]$/.test(token.text) ||
      /(says|saying|reads|words?|text|spelling|spells|lettering|写着|写有|刻着|印着|题着|标着|写上|文字|字样)/.test(token.key))
  )
}

/** True when "reads" or "reading" means the activity, as in "she reads in the library" and "a man
 *  reading a book"; nothing is written then. */
function isReader(tokens: readonly Token[], next: number, bearer: Mention | undefined): boolean {
  const [lead, token] = [tokens[next - 1], tokens[next]]
  if (!lead || !token || !/^(reads|reading)$/.test(lead.key)) return false
  return (bearer !== undefined && isPerson(bearer)) || /^(a|an|the|in|on|at|by|to|his|her|their)$/.test(token.key)
}

function readUnquoted(tokens: readonly Token[], range: { at: number; next: number }, draft: Draft, bearer: Mention | undefined): number {
  const words: Token[] = []
  for (let index = range.next; index < tokens.length && words.length < 8; index++) {
    const token = tokens[index]
    if (token?.kind !== 'word') break
    if (words.length > 0 && token.language === 'en' && /^[a-z]/.test(token.text) && /^[A-Z]/.test(words[0]?.text ?? '')) break
    words.push(token)
  }
  const end = tokens[range.next + words.length]
  const mark = end && /^[!?！？]$/.test(end.text) ? end.text : ''
  const text = words.map(token => token.text).join(words.some(token => token.language === 'zh') ? '' : ' ') + mark
  if (words.length === 0 || text.length > 40) return 0
  const isOn = isOnIt(tokens, range.next + words.length) && bearer?.match
  push(draft, text, isOn ? bearer : bearerOf(bearer, claims.test(tokens[range.next - 1]?.key ?? '')))
  return range.next - range.at + words.length
}

/** Returns the thing that carries a text: a thing that is made to be written on, or any other thing
 *  if the prompt says that the text is on it. Undefined when the text stands by itself. */
function bearerOf(bearer: Mention | undefined, isSaidOfIt: boolean): Mention | undefined {
  if (!bearer) return undefined
  const noun = `${bearer.match?.noun ?? ''} ${bearer.match?.entry.noun ?? ''} ${bearer.garment ?? ''}`
  if (bearer.match !== undefined && (bearers.test(noun) || (isSaidOfIt && !isAnimate(bearer)))) return bearer
  return undefined
}

function push(draft: Draft, said: string, bearer: Mention | undefined): void {
  const text = said.trim()
  if (text === '') return
  if (draft.letterings.length >= mostLetterings) {
    note(draft, text)
    return
  }
  const colour = draft.textColour
  delete draft.textColour
  draft.letterings.push({ text, ...(bearer ? { on: bearer } : { isOpen: true }), ...(colour ? { colour } : {}) })
}

/** Assigns a text whose thing is not known yet to the mention that follows it: "the words 'KEEP
 *  OUT' on a sign", "written in the sand". */
export function takeBearer({ draft, pending }: EnglishState, mention: Mention): void {
  const lettering = draft.letterings.at(-1)
  if (!lettering?.isOpen || !pending) return
  const isOn =
    pending.relation === 'on' ||
    pending.via === 'verb' ||
    pending.via === 'locative' ||
    (pending.relation === 'in' && mention.setting !== undefined)
  if (!isOn || isAnimate(mention) || (!mention.match && !mention.setting)) return
  lettering.on = mention
  delete lettering.isOpen
}

/** Reads adjectives that give the colour of a text: "a blue '5'", "in red letters". Returns false
 *  when the adjectives describe something else. */
export function takeTextColour(state: EnglishState, mention: Mention): boolean {
  const [colour] = mention.colours
  const next = state.tokens[state.at]
  if (!colour || !next) return false
  const last = state.draft.letterings.at(-1)
  if (next.kind === 'quote') state.draft.textColour = colour
  else if (last && /^(letters?|lettering|text|words?|font|paint|ink|chalk|characters|writing)$/.test(next.key)) last.colour = colour
  else if (senseOf(next.senses, 'lettering')) state.draft.textColour = colour
  else return false
  delete state.pending
  return true
}
