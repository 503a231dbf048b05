/** Reads lexicons in PLS (W3C Pronunciation Lexicon Specification), as callers of family T3 upload
 *  them. */
import { errorMessage, type GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { type DictionaryRule, longestAlphabet, longestWord, mostRules } from './dictionary-schema.ts'

/** Largest number of tags and attributes; one rule has about 6. The parser takes up to 0.12 s
 *  for this many (docs/decisions/0041). */
const mostMarks = 10_000
const longestReason = 120

/** Returns the rules of a lexicon: an alias or a phoneme for each spelling of a word. Throws
 *  `invalid_request` for a lexicon that is malformed, or has no rule or too many. */
export function rulesIn(lexicon: string): DictionaryRule[] {
  const root = rootOf(lexicon)
  const rules = lexemesOf(root).flatMap(lexeme => rulesOfLexeme(lexeme, root['@_alphabet'] ?? 'ipa'))
  if (rules.length === 0) throw problem('has no lexeme with a grapheme and an alias or a phoneme.')
  if (rules.length > mostRules) throw problem(`has ${rules.length} rules; at most ${mostRules}.`)
  for (const rule of rules) assertRule(rule)
  return rules
}

type Tag = string | { '#text'?: string; '@_alphabet'?: string }
interface Lexicon {
  '@_alphabet'?: string
  lexeme?: (Lexeme | string)[]
}

interface Lexeme {
  grapheme?: Tag[]
  alias?: Tag[]
  phoneme?: Tag[]
}

const lists = new Set(['lexeme', 'grapheme', 'alias', 'phoneme'])
const parser = new XMLParser({
  ignoreAttributes: false,
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  // This option also decodes numeric character references (`&#233;`).
  htmlEntities: true,
  isArray: name => lists.has(name),
})

/** Returns the root of the parsed lexicon. A lexicon with too many tags and attributes is refused
 *  before it is parsed, because the parser blocks the event loop. */
function rootOf(text: string): Lexicon {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw problem('has a document type, which a lexicon needs none of.')
  const marks = text.match(/[<=]/g)?.length ?? 0
  if (marks > mostMarks) throw problem(`has ${marks} tags and attributes; at most ${mostMarks}.`)
  const valid = XMLValidator.validate(text)
  if (valid !== true) throw problem(`is no XML: ${reasonOf(valid.err.msg)} (line ${valid.err.line}).`)
  const { lexicon }: { lexicon?: Lexicon | string } = parsed(text)
  if (lexicon === undefined) throw problem('has no lexicon.')
  return typeof lexicon === 'string' ? {} : lexicon
}

/** Parses a lexicon. The parser throws for tags nested too deeply, and for names that are special
 *  in JavaScript. */
function parsed(text: string): { lexicon?: Lexicon | string } {
  try {
    return parser.parse(text)
  } catch (error) {
    throw problem(`cannot be read: ${reasonOf(errorMessage(error))}.`)
  }
}

function lexemesOf({ lexeme = [] }: Lexicon): Lexeme[] {
  return lexeme.filter(each => typeof each !== 'string')
}

function rulesOfLexeme({ grapheme = [], alias: [alias] = [], phoneme: [phoneme] = [] }: Lexeme, alphabet: string): DictionaryRule[] {
  return grapheme.flatMap((word): DictionaryRule[] => {
    const string_to_replace = textOf(word)
    if (string_to_replace === '') return []
    if (alias !== undefined) return [{ type: 'alias', string_to_replace, alias: textOf(alias) }]
    if (phoneme === undefined) return []
    const own = typeof phoneme === 'object' ? phoneme['@_alphabet'] : undefined
    return [{ type: 'phoneme', string_to_replace, phoneme: textOf(phoneme), alphabet: own ?? alphabet }]
  })
}

function textOf(tag: Tag): string {
  return (typeof tag === 'string' ? tag : (tag['#text'] ?? '')).trim()
}

function assertRule(rule: DictionaryRule): void {
  const said = rule.type === 'alias' ? rule.alias : rule.phoneme
  if (said === '') throw problem(`has a word without a reading: ${reasonOf(rule.string_to_replace)}.`)
  if ([rule.string_to_replace, said].some(text => text.length > longestWord))
    throw problem(`has a word or a reading of more than ${longestWord} characters: ${rule.string_to_replace.slice(0, 40)}.`)
  if (rule.type === 'phoneme' && (rule.alphabet === '' || rule.alphabet.length > longestAlphabet))
    throw problem(`has an alphabet of ${rule.alphabet.length} characters; from 1 to ${longestAlphabet}.`)
}

function problem(says: string): GatewayError {
  return invalidField('file', `file ${says}`, 'lexicon')
}

/** Returns the parser's message, cut to one short line because it quotes the text. */
function reasonOf(message: string): string {
  return message.slice(0, longestReason).replace(/\s+/g, ' ').replace(/\.$/, '')
}
