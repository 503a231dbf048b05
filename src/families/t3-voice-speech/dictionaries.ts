/** Stores the pronunciation dictionaries of an account (family T3) as its files, and finds the
 *  rules that a text uses. */

import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { dayMs } from '@generation-gateway/kit/units.ts'
import type { CallContext } from '../../contract/context.ts'
import type { StoredFile } from '../../core/ports/files.ts'
import { pageOf } from '../shared/task-answers.ts'
import type { DictionaryRule } from './dictionary-schema.ts'

const purpose = 'pronunciation dictionary'
/** Lifetime of the files in milliseconds. A dictionary never expires, but a stored file has to
 *  have an end: ten years. */
const lifetimeMs = 10 * 365 * dayMs
const mostDictionaries = 100
/** Largest number of bytes of a dictionary's rules as JSON. It is small, because a page with many
 *  dictionaries is read as a whole. */
const mostBytes = 64 * 1024

interface NewDictionary {
  name: string
  description: string | undefined
  rules: DictionaryRule[]
  /** The text of the dictionary as sent. */
  source: { text: string; mediaType: string }
  /** The request field that held the rules. */
  field: string
}

/** Stores a dictionary. Throws `invalid_request` for too many dictionaries or rules, and the errors
 *  of the file store. */
export async function addDictionary(
  context: CallContext<'files'>,
  { name, description, rules, source, field }: NewDictionary,
): Promise<StoredFile> {
  const bytes = Buffer.byteLength(JSON.stringify(rules))
  if (bytes > mostBytes) throw invalidField(field, `${field} has rules of ${bytes} bytes as JSON; at most ${mostBytes}.`, 'length')
  await assertRoom(context)
  const detail: JsonObject = { rules, ...defined({ description }) }
  const file = await context.files.keepText(source, { purpose, name, detail, lifetimeMs })
  try {
    // The number of dictionaries is checked again, because concurrent calls may have added some;
    // the earlier ones stay.
    await assertRoom(context, file.id)
  } catch (error) {
    await context.files.remove(file.id)
    throw error
  }
  return file
}

/** Throws when the account has too many dictionaries. Counts all of them, or only those created
 *  before the given id. */
async function assertRoom(context: CallContext<'files'>, before?: string): Promise<void> {
  const there = await context.files.list({ purpose, limit: mostDictionaries, ...defined({ before }) })
  if (there.length >= mostDictionaries)
    throw new GatewayError(
      'invalid_request',
      `The account has ${there.length} pronunciation dictionaries; at most ${mostDictionaries}. Delete one first.`,
    )
}

/** Returns a page of dictionaries, newest first, and the cursor of the next page. */
export async function listDictionaries(
  context: CallContext<'files'>,
  { size, before }: { size: number; before: string | undefined },
): Promise<{ page: StoredFile[]; next: string | undefined }> {
  const { page, hasMore } = await pageOf(size, limit => context.files.list({ purpose, limit, ...defined({ before }) }))
  return { page, next: hasMore ? page.at(-1)?.id : undefined }
}

/** Returns the dictionary with this id. Throws `not_found` when there is none. */
export async function dictionaryOf(context: CallContext<'files'>, id: string): Promise<StoredFile> {
  const file = await ownDictionary(context, id)
  if (file) return file
  throw new GatewayError('not_found', `There is no pronunciation dictionary ${JSON.stringify(id.slice(0, 64))}.`)
}

export function rulesOf({ detail }: StoredFile): DictionaryRule[] {
  // The cast is safe: `addDictionary` has checked and written the rules.
  return (detail?.rules ?? []) as DictionaryRule[]
}

async function ownDictionary(context: CallContext<'files'>, id: string): Promise<StoredFile | undefined> {
  const file = await context.files.get(id)
  return file?.purpose === purpose ? file : undefined
}

type Configured = Record<string, { word: string; say: string }[]>
type Locators = readonly { pronunciation_dictionary_id: string }[]

/** Returns the rules of the dictionaries that a body names: the account's own, and those of the
 *  configuration file. Throws `invalid_request` for an unknown one. */
export async function pronunciationsOf(
  context: CallContext<'files' | 'section'>,
  locators: Locators = [],
): Promise<Pick<SpeechRequest, 'pronunciations'>> {
  if (locators.length === 0) return {}
  const configured = new Map(Object.entries(context.section<Configured>('pronunciation_dictionaries') ?? {}))
  const pronunciations: { word: string; say: string }[] = []
  for (const [index, { pronunciation_dictionary_id: id }] of locators.entries()) {
    const own = configured.get(id) ?? (await entriesOf(context, id))
    if (own) pronunciations.push(...own)
    else throw unknownDictionary(`pronunciation_dictionary_locators[${index}].pronunciation_dictionary_id`, id, [...configured.keys()])
  }
  return { pronunciations }
}

async function entriesOf(context: CallContext<'files'>, id: string): Promise<{ word: string; say: string }[] | undefined> {
  const file = await ownDictionary(context, id)
  if (!file) return undefined
  const rules = rulesOf(file)
  if (rules.some(({ type }) => type === 'phoneme')) context.warn('pronunciation_dictionary_locators: rules with phonemes are not followed.')
  return rules.flatMap(rule => (rule.type === 'alias' ? [{ word: rule.string_to_replace, say: rule.alias }] : []))
}

function unknownDictionary(field: string, id: string, configured: readonly string[]): GatewayError {
  const there = configured.length === 0 ? 'the account has no such dictionary' : `there are ${configured.join(', ')}`
  return invalidField(field, `${field} is ${JSON.stringify(id)}; ${there}.`, 'dictionary')
}
