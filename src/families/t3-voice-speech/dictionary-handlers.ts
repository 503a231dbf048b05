/** Serves pronunciation dictionaries (family T3) as ElevenLabs' clients create and read them. */

import type { CallContext } from '../../contract/context.ts'
import type { StoredFile } from '../../core/ports/files.ts'
import { unixSeconds } from '../shared/task-answers.ts'
import { addDictionary, dictionaryOf, listDictionaries, rulesOf } from './dictionaries.ts'
import type { DictionaryRule } from './dictionary-schema.ts'
import { rulesIn } from './lexicon.ts'

interface About {
  name: string
  description?: string
}

export const dictionaryHandlers = {
  addDictionary: async (context: CallContext<'files'>, { body }: { body: About & { rules: DictionaryRule[] } }) => {
    const { name, description, rules } = body
    const source = { text: JSON.stringify(rules), mediaType: 'application/json' }
    return presentAdded(await addDictionary(context, { name, description, rules, source, field: 'rules' }))
  },
  addDictionaryFile: async (context: CallContext<'files'>, { body }: { body: About & { file: string } }) => {
    const { name, description, file } = body
    const source = { text: file, mediaType: 'application/pls+xml' }
    return presentAdded(await addDictionary(context, { name, description, rules: rulesIn(file), source, field: 'file' }))
  },
  dictionaries: async (context: CallContext<'files'>, { query }: { query: { page_size: number; cursor?: string } }) => {
    const { page, next } = await listDictionaries(context, { size: query.page_size, before: query.cursor })
    return { pronunciation_dictionaries: page.map(presentFacts), next_cursor: next ?? null, has_more: next !== undefined }
  },
  dictionary: async (context: CallContext<'files'>, { params }: { params: Readonly<Record<string, string>> }) => {
    const file = await dictionaryOf(context, params.pronunciation_dictionary_id ?? '')
    return { ...presentFacts(file), rules: rulesOf(file) }
  },
  deleteDictionary: async (context: CallContext<'files'>, { params }: { params: Readonly<Record<string, string>> }) => {
    const { id } = await dictionaryOf(context, params.pronunciation_dictionary_id ?? '')
    await context.files.remove(id)
    return { id, deleted: true as const }
  },
}

function headOf({ id, name, detail, accountId, createdAt }: StoredFile) {
  return {
    id,
    name: name ?? '',
    created_by: accountId,
    creation_time_unix: unixSeconds(createdAt),
    description: typeof detail?.description === 'string' ? detail.description : null,
    permission_on_resource: 'admin' as const,
  }
}

/** Returns the id of a dictionary's version. Every dictionary has exactly one version, whose id is
 *  that of the dictionary with `-1`. */
function versionOf({ id }: StoredFile): string {
  return `${id}-1`
}

function presentAdded(file: StoredFile) {
  return { ...headOf(file), version_id: versionOf(file), version_rules_num: rulesOf(file).length }
}

function presentFacts(file: StoredFile) {
  return { ...headOf(file), latest_version_id: versionOf(file), latest_version_rules_num: rulesOf(file).length, archived_time_unix: null }
}
