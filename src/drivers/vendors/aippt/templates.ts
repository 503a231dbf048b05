import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { TemplateEntry, TemplateListRequest, TemplatePage, TemplateQuery } from '@generation-gateway/kit/requests/slide-templates.ts'
import { countOf } from '../../shared/upstream/read-json.ts'
import { dataOf } from './codes.ts'
import type { Sessions } from './session.ts'
import { owner } from './settings.ts'

/** Filters for templates, and the names of the numeric parameters that the service uses for
 *  them. */
const filters = { style: 'style_id', colour: 'colour_id', scene: 'scene_id' } as const

/** Returns one page of the service's templates. */
export async function templatesOf(sessions: Sessions, { query, settings, signal }: TemplateListRequest): Promise<TemplatePage> {
  const reported = await sessions.ask({ settings, signal }, { path: `/template_component/suit/search?${searchOf(query)}` })
  const { pagination, list } = objectOf(dataOf(reported))
  return { total: countOf(objectOf(pagination).total), list: objectsOf(list).flatMap(templateIn) }
}

function searchOf({ page, pageSize, ...asked }: TemplateQuery): URLSearchParams {
  const search = new URLSearchParams({ page: String(page), page_size: String(pageSize) })
  if (asked.category !== undefined)
    throw new GatewayError('invalid_request', `category: ${owner} has no such filter.`, { field: 'category' })
  for (const name of ['style', 'colour', 'scene'] as const) {
    const value = asked[name]
    if (value === undefined) continue
    if (!/^\d{1,9}$/.test(value))
      throw new GatewayError('invalid_request', `${name}: is ${JSON.stringify(value)}; ${owner} has numbers for it.`, { field: name })
    search.set(filters[name], value)
  }
  return search
}

function templateIn({ id, cover_img: cover }: ReturnType<typeof objectOf>): TemplateEntry[] {
  const number = Number(id)
  const link = textOf(cover)
  if (!Number.isSafeInteger(number) || number < 1 || link === undefined || !/^https?:\/\//.test(link)) return []
  return [{ id: number, name: String(number), cover: link }]
}
