import type { CatalogueModel, Target } from './catalogue.ts'
import { GatewayError } from './errors.ts'
import type { Capability, Driver } from './requests/job.ts'

export interface Route {
  target: Target
  driver: Driver
}

export interface Router {
  /** Usable targets of the model for the capability, in the order to try. Throws `capability_unavailable` with what would enable one. */
  routes(model: CatalogueModel, capability: Capability): Route[]
  /** The target an earlier run was started on, as long as it is still configured. */
  pinned(model: CatalogueModel, targetId: string): Route | undefined
}

/** `random` gives numbers in [0, 1): the share of equal targets follows their weights. */
export function createRouter(drivers: ReadonlyMap<string, Driver>, random: () => number): Router {
  const routeOf = (target: Target): Route | undefined => {
    const driver = drivers.get(target.driver)
    return driver ? { target, driver } : undefined
  }
  return {
    routes: (model, capability) => {
      const reasons: string[] = []
      const usable: Route[] = []
      for (const target of model.targets) {
        const route = routeOf(target)
        const reason = reasonAgainst(route, target, capability)
        if (reason === undefined && route) usable.push(route)
        else if (reason !== undefined) reasons.push(reason)
      }
      if (usable.length > 0) return inOrder(usable, random)
      const why =
        reasons.length > 0
          ? reasons.join(' ')
          : `No target is configured; add one for ${model.id} under models in the file that GATEWAY_CONFIG names.`
      throw new GatewayError('capability_unavailable', `${model.id} cannot be used now. ${why}`)
    },
    pinned: (model, targetId) => {
      const target = model.targets.find(candidate => candidate.id === targetId)
      return target ? routeOf(target) : undefined
    },
  }
}

function reasonAgainst(route: Route | undefined, target: Target, capability: Capability): string | undefined {
  if (!route) return `The driver ${target.driver} does not exist.`
  if (!route.driver.offers[capability]) return `The driver ${target.driver} does not offer ${capability}.`
  return target.unusable ?? route.driver.unusable?.(target.settings, target.model)
}

function inOrder(routes: Route[], random: () => number): Route[] {
  return routes
    .map(route => ({ route, draw: random() ** (1 / Math.max(route.target.weight, 1e-9)) }))
    .sort((a, b) => a.route.target.order - b.route.target.order || b.draw - a.draw)
    .map(({ route }) => route)
}
