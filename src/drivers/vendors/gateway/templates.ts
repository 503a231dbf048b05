/** Lists the slide templates that another gateway offers for a model. */
import { type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { TemplateEntry, TemplateListRequest, TemplatePage } from '@generation-gateway/kit/requests/slide-templates.ts'
import { askJson } from '../../shared/upstream/ask-json.ts'
import { countOf, textsOf } from '../../shared/upstream/read-json.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { lacking, maxAnswerBytes, quickAddress } from './offers.ts'
import type { RunTools } from './task-run.ts'

export async function remoteTemplates({ upstream }: RunTools, requested: TemplateListRequest): Promise<TemplatePage> {
  const { page, pageSize, ...filter } = requested.query
  const query = new URLSearchParams({ model: requested.model, page: String(page), page_size: String(pageSize), ...filter })
  const question = { path: `/gateway/templates?${query}`, isStored: false, maxBytes: maxAnswerBytes, signal: requested.signal }
  try {
    const { total, list } = objectOf(await askJson(upstream, quickAddress(requested), question))
    return { total: countOf(total), list: objectsOf(list).flatMap(templateIn) }
  } catch (error) {
    if (answerBehind(error)?.status !== 404) throw error
    throw lacking(error, requested)
  }
}

function templateIn({ id, cover, title, category, style, colour, scenes }: JsonObject): TemplateEntry[] {
  const link = textOf(cover)
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1 || link === undefined || !/^https?:\/\//.test(link)) return []
  const { name, hex } = objectOf(colour)
  const [named, bright] = [textOf(name), textOf(hex)]
  const words = Object.entries({ title, category, style }).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []))
  return [
    {
      ...{ id, name: String(id), cover: link },
      ...Object.fromEntries(words),
      ...(named !== undefined && bright !== undefined ? { colour: { name: named, hex: bright } } : {}),
      ...(Array.isArray(scenes) ? { scenes: textsOf(scenes) } : {}),
    },
  ]
}
