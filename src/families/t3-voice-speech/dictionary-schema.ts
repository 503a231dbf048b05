/** Schemas of pronunciation dictionaries (family T3), in the formats of ElevenLabs. */
import Type from 'typebox'
import { namedObject, optional, orNull } from '../../contract/schemas.ts'

export const mostRules = 1_000
/** Longest lexicon, in characters, that can be uploaded as a file. */
const mostLexiconCharacters = 256 * 1024
/** `longestWord` is the greatest length of a word or its pronunciation, `longestAlphabet` that
 *  of the name of an alphabet; both in characters. */
export const longestWord = 200
export const longestAlphabet = 40
const word = (description: string) => Type.String({ minLength: 1, maxLength: longestWord, description })
const flags = {
  case_sensitive: optional.boolean({ description: 'Kept; the target decides.' }),
  word_boundaries: optional.boolean({ description: 'Kept; only whole words are replaced.' }),
}

const aliasRule = namedObject('AliasRule', {
  type: Type.Literal('alias'),
  string_to_replace: word('The word.'),
  alias: word('What is said for it.'),
  ...flags,
})
const phonemeRule = namedObject(
  'PhonemeRule',
  {
    type: Type.Literal('phoneme'),
    string_to_replace: word('The word.'),
    phoneme: word('How it is said.'),
    alphabet: Type.String({ minLength: 1, maxLength: longestAlphabet, description: '`ipa` or `cmu-arpabet`.' }),
    ...flags,
  },
  { description: 'Kept, and left out when a text is spoken, which `x-gateway-warning` says.' },
)
export const rule = Type.Union([aliasRule, phonemeRule])
export type DictionaryRule = Type.Static<typeof rule>

const about = {
  name: Type.String({ minLength: 1, maxLength: 200, description: 'Its name.' }),
  description: optional.string({ maxLength: 1_000, description: 'What it is for.' }),
  workspace_access: optional.string({ maxLength: 40, description: 'Changes nothing: it is of the account.' }),
}

export const rulesBody = Type.Object({
  ...about,
  rules: Type.Array(rule, { minItems: 1, maxItems: mostRules, description: 'At most 64 KiB as JSON. The first of a word counts.' }),
})

export const lexiconBody = Type.Object({
  ...about,
  file: Type.String({
    minLength: 1,
    maxLength: mostLexiconCharacters,
    description: 'A lexicon in PLS (W3C Pronunciation Lexicon Specification), as a file or a text.',
  }),
})

export const dictionaryQuery = Type.Object({
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 30, description: 'Dictionaries of a page.' }),
  cursor: optional.string({ minLength: 1, maxLength: 100, description: 'The `next_cursor` of the page before.' }),
  sort: optional.string({ maxLength: 40, description: 'Changes nothing: the newest come first.' }),
  sort_direction: optional.string({ maxLength: 40, description: 'Changes nothing.' }),
  include_archived: optional.boolean({ description: 'Changes nothing: none is archived.' }),
})

const head = {
  id: Type.String({ description: 'What `pronunciation_dictionary_id` takes.' }),
  name: Type.String(),
  created_by: Type.String({ description: 'The account.' }),
  creation_time_unix: Type.Integer({ unit: 's' }),
  description: orNull<string>('string'),
  permission_on_resource: Type.Literal('admin'),
}
const latest = {
  latest_version_id: Type.String({ description: 'Of its one version.' }),
  latest_version_rules_num: Type.Integer(),
  archived_time_unix: orNull<number>('integer'),
}

export const addedDictionary = namedObject('AddedPronunciationDictionary', {
  ...head,
  version_id: Type.String({ description: 'Of its one version.' }),
  version_rules_num: Type.Integer(),
})
const dictionaryFacts = namedObject('PronunciationDictionaryFacts', { ...head, ...latest })
export const dictionaryReply = namedObject('PronunciationDictionary', { ...head, ...latest, rules: Type.Array(rule) })
export const dictionaryPage = namedObject('PronunciationDictionaryPage', {
  pronunciation_dictionaries: Type.Array(dictionaryFacts),
  next_cursor: orNull<string>('string'),
  has_more: Type.Boolean(),
})
export const deletedDictionary = namedObject('DeletedPronunciationDictionary', {
  id: Type.String({ description: 'Of the dictionary.' }),
  deleted: Type.Literal(true),
})
