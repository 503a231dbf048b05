import { type Draft, isPerson, type Mention, note } from './draft.ts'
import { senseOf } from './lexicon/lexicon.ts'
import type { Token } from './tokens.ts'

const bearers =
  /sign|billboard|poster|banner|book|shirt|board|flag|paper|newspaper|label|card|menu|screen|plate|wall|door|note|letter|scroll|cake|mug|bottle|hat|cap|balloon|store|shop|truck|bus|window|envelope|map|notice|placard|wood|tombstone|headstone|stone|signpost|heart|box|neon/

/** Texts in one picture, at most: each is set and drawn by itself. */
const mostLetterings = 24

/** Reads lettering at `at`: a word such as "says" and what follows it, or a quote. Returns the number of tokens used; 0 when there is none. */
export function readLettering(tokens: readonly Token[], at: number, draft: Draft, bearer: Mention | undefined): number {
  let next = at
  let leads = 0
  while (leads < 4 && isLead(tokens[next])) {
    next++
    leads++
  }
  const token = tokens[next]
  if (token?.kind === 'quote') {
    push(draft, token.text, bearer)
    return next - at + 1
  }
  if (leads === 0 || !token || !speaks(tokens[next - 1]) || isReader(tokens, next, bearer)) return 0
  return readUnquoted(tokens, { at, next }, draft, bearer)
}

function isLead(token: Token | undefined): boolean {
  return token !== undefined && (senseOf(token.senses, 'lettering') !== undefined || /^[:：]$/.test(token.text))
}

/** Words after which the lettering may stand without quotes. */
function speaks(token: Token | undefined): boolean {
  return (
    token !== undefined &&
    (/^[:：]$/.test(token.text) ||
      /(says|saying|reads|words?|text|spelling|spells|lettering|写着|写有|刻着|印着|题着|标着|写上|文字|字样)/.test(token.key))
  )
}

/** "she reads in the library", "a man reading a book": somebody reads, nothing is written. */
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
  const text = words.map(token => token.text).join(words.some(token => token.language === 'zh') ? '' : ' ')
  if (words.length === 0 || text.length > 40) return 0
  push(draft, text, bearer)
  return range.next - range.at + words.length
}

function push(draft: Draft, text: string, bearer: Mention | undefined): void {
  const words = text.trim().replace(/[.,，。]$/, '')
  if (words === '') return
  if (draft.letterings.length >= mostLetterings) {
    note(draft, words)
    return
  }
  const noun = `${bearer?.match?.noun ?? ''} ${bearer?.match?.entry.noun ?? ''} ${bearer?.garment ?? ''}`
  const carries = bearer?.match !== undefined && bearers.test(noun)
  draft.letterings.push({ text: words, ...(carries ? { on: bearer } : {}) })
}
