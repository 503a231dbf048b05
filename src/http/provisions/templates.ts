import type { TemplateListRequest } from '@generation-gateway/kit/requests/slide-templates.ts'
import { isWanted } from '@generation-gateway/kit/requests/slide-templates.ts'
import type { ListedTemplate } from '../../contract/needs/templates.ts'
import type { Route } from '../../core/routing/router.ts'
import type { Provision } from './provision.ts'

/** Returns the slide templates of the first target of the call's model that has templates. An
 *  engine declares its templates; a service lists them on request. */
export const templates: Provision<'templates'> = ({ deps, call }) => {
  const source = (): Route | undefined => {
    if (!call.model) throw new TypeError('this operation does not choose a model')
    const routes = deps.router.callRoutes(call.model, 'slides.render')
    return routes.find(({ target, driver }) => deps.templates.has(target.driver) || driver.templates)
  }
  return {
    list: async query => {
      const route = source()
      if (!route) return { total: 0, list: [] }
      const { driver, target } = route
      const declared = deps.templates.get(target.driver)
      if (!declared) {
        const requested: TemplateListRequest = { query, model: target.model, settings: target.settings, signal: call.signal() }
        const { total, list } = (await driver.templates?.(requested)) ?? { total: 0, list: [] }
        return { total, list: list.map(({ name: _name, ...facts }) => facts) }
      }
      const wanted = declared.filter(each => isWanted(each, query)).toSorted((a, b) => a.id - b.id)
      const from = (query.page - 1) * query.pageSize
      const list = wanted
        .slice(from, from + query.pageSize)
        .map(({ name: _name, ...facts }): ListedTemplate => ({ ...facts, cover: { engine: target.driver } }))
      return { total: wanted.length, list }
    },
    nameOf: id => {
      const declared = deps.templates.get(source()?.target.driver ?? '')
      if (declared) return declared.find(isNamed(id))?.name
      return /^[1-9]\d{0,14}$/.test(id) ? id : undefined
    },
    coverOf: (engine, id) => deps.templates.get(engine)?.find(isNamed(id))?.cover,
  }
}

function isNamed(digits: string): (template: { id: number }) => boolean {
  return ({ id }) => String(id) === digits
}
