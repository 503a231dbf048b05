/** Finds out where the prices of the models in the configuration file come from. */
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import type { LoadedConfig } from '../config-file.ts'
import { paidTargets } from './import-plan.ts'
import { importedPrice, type NamedPrice } from './prices-file.ts'

export interface PriceOrigin {
  model: string
  price: NamedPrice
  /** `configuration file`; `list: ` and the model's name in the imported list; `engine` for a model
   *  without a price that runs only on engines, which cost nothing; or `none`. */
  origin: string
  isUnknown: boolean
}

/** Returns the price of each model in the configuration file, and its origin. */
export function priceOrigins({ file, prices }: LoadedConfig, drivers: readonly DriverSpec[]): PriceOrigin[] {
  return (file.models ?? []).map(entry => {
    const { id: model, price } = entry
    if (price !== undefined) return { model, price, origin: 'configuration file', isUnknown: false }
    const imported = importedPrice(prices, model)
    if (imported) return { model, price: imported.price, origin: `list: ${imported.from}`, isUnknown: false }
    const isFree = paidTargets(entry, drivers).length === 0
    return { model, price: {}, origin: isFree ? 'engine' : 'none', isUnknown: !isFree }
  })
}

/** Returns the text of `gateway doctor` about prices; undefined when the configuration file has
 *  neither models of services, nor prices, nor imported prices. */
export function pricesSentence(loaded: LoadedConfig, drivers: readonly DriverSpec[]): string | undefined {
  const { prices } = loaded
  const origins = priceOrigins(loaded, drivers)
  const byHand = origins.filter(({ origin }) => origin === 'configuration file').length
  const imported = origins.filter(({ origin }) => origin.startsWith('list: ')).length
  const unknown = origins.filter(({ isUnknown }) => isUnknown).map(({ model }) => model)
  const extra = Object.keys(prices?.models ?? {}).filter(id => !origins.some(({ model }) => model === id))
  if (byHand + imported + unknown.length === 0 && prices === undefined) return undefined
  return [
    `${byHand} of the configuration file`,
    ...(prices ? [`${imported} imported (${prices.list.name}, ${prices.imported_at.slice(0, 10)})`] : []),
    ...(unknown.length > 0 ? [`no price, so its costs count as 0: ${unknown.join(', ')}`] : []),
    ...(extra.length > 0 ? [`imported prices of models that are not configured: ${extra.join(', ')}`] : []),
  ].join('; ')
}
