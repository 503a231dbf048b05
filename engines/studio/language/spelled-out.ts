import { senseOf } from './lexicon/lexicon.ts'
import { isClosed, isNounLike, isPlainAdjective } from './token-roles.ts'
import type { Token } from './tokens.ts'

/** Returns the tokens with the nouns that the sentence omits, as after "green" in "two red apples
 *  and a green one", after "red" in "two red and one blue balloon", and in "five kites, four red
 *  and one blue". */
export function spellOut(tokens: readonly Token[]): readonly Token[] {
  const isLeftOut = tokens.some((_, at) => isOne(tokens, at) || itemAt(tokens, at))
  if (!isLeftOut) return tokens
  const out: Token[] = []
  for (let at = 0; at < tokens.length; ) {
    const list = listAt(tokens, at)
    if (list) {
      const after = tokens[list.end]
      const noun = after && isThing(after) ? after : (dropped(out) ?? lastThing(out))
      if (noun) pushItems(out, tokens.slice(at, list.end), { noun, isLastWhole: noun === after })
      else out.push(...tokens.slice(at, list.end))
      at = list.end
      continue
    }
    const token = tokens[at]
    const single = isLastItem(tokens, at) ? lastThing(out) : undefined
    if (single) {
      pushItems(out, tokens.slice(at, at + 2), { noun: single, isLastWhole: false })
      at += 2
      continue
    }
    const noun = isOne(tokens, at) ? lastThing(out) : undefined
    if (token) out.push(noun ? copyOf(noun, token.key === 'ones') : token)
    at++
  }
  return out
}

/** True for "one" in place of a noun, as in "a green one"; false in "one of them" and "one
 *  blue". */
function isOne(tokens: readonly Token[], at: number): boolean {
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]]
  return (
    /^ones?$/.test(token?.key ?? '') &&
    before !== undefined &&
    isPlainAdjective(before) &&
    !(after && (isNounLike(after) || isPlainAdjective(after)))
  )
}

/** True for a number followed by a colour: "four red". */
function itemAt(tokens: readonly Token[], at: number): boolean {
  const [count, colour] = [tokens[at], tokens[at + 1]]
  if (!count || !colour || !senseOf(colour.senses, 'colour') || colour.match) return false
  return senseOf(count.senses, 'number') !== undefined || senseOf(count.senses, 'group') !== undefined
}

/** Returns the list that begins here and has at least two items of a number and a colour, such as
 *  "four red and one blue". `end` is the index after its last token. Undefined when there is no
 *  such list. */
function listAt(tokens: readonly Token[], from: number): { end: number } | undefined {
  let [at, items] = [from, 0]
  while (itemAt(tokens, at)) {
    items++
    let next = at + 2
    while (tokens[next]?.text === ',' || senseOf(tokens[next]?.senses ?? [], 'and')) next++
    if (next === at + 2 || !itemAt(tokens, next)) return items > 1 ? { end: at + 2 } : undefined
    at = next
  }
  return undefined
}

/** True for a number and a colour that end a list and have no noun: "one black" in "two white cats
 *  and one black". */
function isLastItem(tokens: readonly Token[], at: number): boolean {
  const after = tokens[at + 2]
  const isEnd = after === undefined || after.kind === 'punctuation' || isClosed(after)
  return isEnd && itemAt(tokens, at) && senseOf(tokens[at - 1]?.senses ?? [], 'and') !== undefined
}

function pushItems(out: Token[], items: readonly Token[], { noun, isLastWhole }: { noun: Token; isLastWhole: boolean }): void {
  for (const [at, token] of items.entries()) {
    out.push(token)
    if (!itemAt(items, at - 1) || (isLastWhole && at === items.length - 1)) continue
    const count = senseOf(items[at - 1]?.senses ?? [], 'number')?.value
    out.push(copyOf(noun, count !== 1))
  }
}

/** Removes the words "five kites," before a list that gives the colours of these kites, and returns
 *  their noun. The kites would otherwise be drawn twice. Undefined when no such words come
 *  before. */
function dropped(out: Token[]): Token | undefined {
  const noun = out.at(-2)
  if (!noun || !isThing(noun) || !noun.isPlural || !/^[,:(]$/.test(out.at(-1)?.text ?? '')) return undefined
  let from = out.length - 2
  while (from > 0 && isOfPhrase(out[from - 1])) from--
  out.splice(from)
  return noun
}

function isOfPhrase(token: Token | undefined): boolean {
  return (
    token !== undefined &&
    (isPlainAdjective(token) || ['number', 'group', 'article'].some(kind => token.senses.some(sense => sense.kind === kind)))
  )
}

/** Number of earlier tokens among which an omitted noun is searched. */
const mostBack = 40

function lastThing(out: readonly Token[]): Token | undefined {
  return out.slice(-mostBack).findLast(isThing)
}

function isThing(token: Token): boolean {
  return token.kind === 'word' && token.match !== undefined && !isClosed(token) && !isPlainAdjective(token)
}

function copyOf(noun: Token, isPlural: boolean): Token {
  const { size: _size, age: _age, colour: _colour, ...token } = noun
  return { ...token, isPlural, isPossessive: false }
}
