import { countOf } from './counts.ts'
import { addMention, isAnimate, type Mention } from './draft.ts'
import type { EnglishState } from './english-state.ts'
import { senseOf } from './lexicon/lexicon.ts'
import { isNounLike, isPlainAdjective } from './token-roles.ts'
import type { Token } from './tokens.ts'

/** Reads words for one member of a group of beings, or for the rest of the group: "one" in "three
 *  women, one wearing a crown", "the taller one", "the others". The next words then describe this
 *  member or the rest. Returns false for other words. */
export function takeMember(state: EnglishState): boolean {
  const herd = state.herd ?? [...state.earlier, ...state.group].findLast(mention => isAnimate(mention) && countOf(mention) > 1)
  const named = herd && !state.isNegating ? memberAt(state, herd) : undefined
  if (!herd || !named) return false
  const isRest = named.kind === 'rest'
  if (!isRest && countOf(herd) < 2) return false
  state.herd = herd
  const member = isRest ? herd : parted(state, herd, named.size)
  state.at = named.next
  if (posesNext(state)) delete member.pose
  delete state.pending
  delete state.chain
  delete state.anchor
  state.group = [member]
  state.last = member
  state.isJoined = false
  state.atClauseStart = false
  state.isSentenceStart = false
  state.followsSubject = true
  return true
}

interface NamedMember {
  kind: 'one' | 'rest'
  next: number
  /** Height of the member relative to the others. */
  size?: number
}

function memberAt({ tokens, at }: EnglishState, herd: Mention): NamedMember | undefined {
  const isThe = tokens[at]?.key === 'the'
  const from = isThe ? at + 1 : at
  const key = tokens[from]?.key ?? ''
  if (isThe && /^others?$|^rest$/.test(key))
    return alone(tokens, key === 'rest' ? skipOf(tokens, from + 1) : skipOne(tokens, from + 1), 'rest')
  if (key === 'one' || (!isThe && key === 'another')) return alone(tokens, skipOf(tokens, skipOne(tokens, from + 1)), 'one')
  const size = isThe ? comparatives[key] : undefined
  if (size === undefined) return undefined
  const next = tokens[from + 1]
  const isSame = next?.key === 'one' || (next?.match !== undefined && next.match.entry.key === herd.match?.entry.key)
  return isSame ? { kind: 'one', next: from + 2, size } : undefined
}

/** Returns the member if no noun of its own follows; undefined for "the other dog" and "one
 *  man". */
function alone(tokens: readonly Token[], next: number, kind: NamedMember['kind']): NamedMember | undefined {
  const after = tokens[next]
  const isVerb = after !== undefined && senseOf(after.senses, 'verb') !== undefined && /ing$/.test(after.key)
  return after && !isVerb && (isNounLike(after) || isPlainAdjective(after) || after.key === 'by') ? undefined : { kind, next }
}

function skipOne(tokens: readonly Token[], at: number): number {
  return tokens[at]?.key === 'one' ? at + 1 : at
}

/** Returns the index after "of them" or "of the girls"; `at` when there is no such phrase. */
function skipOf(tokens: readonly Token[], at: number): number {
  if (tokens[at]?.key !== 'of') return at
  if (/^(them|whom|which)$/.test(tokens[at + 1]?.key ?? '')) return at + 2
  return tokens[at + 1]?.key === 'the' && tokens[at + 2]?.isPlural ? at + 3 : at
}

const comparatives: Record<string, number> = {
  taller: 1.14,
  bigger: 1.14,
  larger: 1.14,
  tallest: 1.14,
  shorter: 0.86,
  smaller: 0.82,
  shortest: 0.86,
}

/** Splits one member off a group as a mention of its own. The member keeps everything that the
 *  prompt has said about the group so far; `size` is its height relative to the others. */
function parted(state: EnglishState, herd: Mention, size = 1): Mention {
  const count = countOf(herd)
  const member: Mention = {
    ...herd,
    count: 1,
    isPlural: false,
    colours: [...herd.colours],
    parts: [...herd.parts],
    looks: [...herd.looks],
    details: [...herd.details],
    clothes: [...herd.clothes],
    wears: [...herd.wears],
    relations: [...herd.relations],
    compound: [...herd.compound],
  }
  if (member.match) member.match = { ...member.match, heightMetres: member.match.heightMetres * size }
  herd.count = count - 1
  herd.isPlural = count > 2
  addMention(state.draft, member)
  return member
}

/** True when the next word is a verb with a pose. The member then has this pose instead of that of
 *  the group. */
function posesNext({ tokens, at }: EnglishState): boolean {
  const token = tokens[at]
  const verb = token && senseOf((senseOf(token.senses, 'be') ? tokens[at + 1] : token)?.senses ?? [], 'verb')
  return verb?.pose !== undefined
}
