/** Searches the list of voices (family T3). */
import type { VoiceFacts } from '@generation-gateway/kit/requests/voices.ts'
import type { Static } from 'typebox'
import type { searchQuery } from './service-schema.ts'

export interface VoiceSearchResult {
  page: VoiceFacts[]
  total: number
  /** Token of the next page. */
  next: string | undefined
}

/** Returns a page of the voices that match all filters. They are in the order of the list, or
 *  sorted by name on request; `sort_direction` desc reverses either order. */
export function searchVoices(voices: readonly VoiceFacts[], query: Static<typeof searchQuery>): VoiceSearchResult {
  const found = voices.filter(voice => isWanted(voice, query))
  if (query.sort === 'name') found.sort((a, b) => a.title.localeCompare(b.title))
  if (query.sort_direction === 'desc') found.reverse()
  const start = Number(query.next_page_token ?? 0)
  const end = start + (query.page_size ?? found.length)
  return { page: found.slice(start, end), total: found.length, next: end < found.length ? String(end) : undefined }
}

const noVoiceHere = new Set(['personal', 'community', 'workspace', 'non-default', 'non-community-saved'])

function isWanted(voice: VoiceFacts, query: Static<typeof searchQuery>): boolean {
  const { search, gender, age, language, accent, category, voice_type: type, voice_ids: ids } = query
  const { id, title, manner, language: locale, sex } = voice
  const text = [id, title, manner, locale, sex, voice.age].join(' ').toLowerCase()
  return (
    (search === undefined || words(search).every(word => text.includes(word))) &&
    (gender === undefined || gender.toLowerCase() === sex) &&
    (age === undefined || age.toLowerCase().replaceAll('_', '-') === voice.age.replaceAll('_', '-')) &&
    (accent === undefined || accent.toLowerCase() === locale.toLowerCase()) &&
    (language === undefined || language.split(',').some(tag => isIn(locale, tag.trim()))) &&
    (category === undefined || category === 'premade') &&
    !noVoiceHere.has(type ?? '') &&
    (ids === undefined || ids.split(',').some(each => each.trim() === id))
  )
}

function words(search: string): string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean)
}

/** Returns true when a locale matches a tag: `en` matches every locale of English. */
function isIn(locale: string, tag: string): boolean {
  const [a, b] = [locale.toLowerCase(), tag.toLowerCase().replaceAll('_', '-')]
  return a === b || (!b.includes('-') && a.split('-')[0] === b)
}
