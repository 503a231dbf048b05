/** The file of imported prices. `prices_file` in the configuration file names it, and
 *  `gateway prices import` writes it. */
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import Type, { type Static } from 'typebox'
import { checkObject } from '../../contract/validate.ts'
import { type PriceName, priceNames } from '../../core/records/ledger.ts'
import { syncFolder } from '../../stores/files/folders.ts'
import { type FileText, priceSchema } from '../config-schema.ts'
import { parseBoundedJson, readBoundedText } from './bounded-json.ts'

/** Amounts of money, by the names that prices have in the configuration file. */
export type NamedPrice = Partial<Record<PriceName, number>>

const strict = { additionalProperties: false } as const

const pricesSchema = Type.Object(
  {
    format: Type.Literal('gateway-prices-1'),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    imported_at: Type.String(),
    list: Type.Object({ name: Type.String(), sha256: Type.String(), rate: Type.Optional(Type.Number()) }, strict),
    models: Type.Record(Type.String(), Type.Object({ from: Type.String(), price: priceSchema }, strict)),
  },
  strict,
)

/** Imported prices. Contains the list from which they were imported and, for the id of each model,
 *  its price and the name under which the list has the model (`from`). */
export type PricesFile = Static<typeof pricesSchema>
export type ImportedPrice = { from: string; price: NamedPrice }

/** Returns the text of the file, or the problem that prevented reading it. */
export function readPricesText(path: string): FileText {
  try {
    return { text: readBoundedText(path) }
  } catch (error) {
    return {
      problem: `${error instanceof Error ? error.message : error} Import prices (gateway prices import), or remove prices_file from the configuration file.`,
    }
  }
}

/** Returns the checked prices. Throws `invalid_request` with the path and the reason. */
export function parsePrices(path: string, read: FileText): PricesFile {
  if ('problem' in read) throw new GatewayError('invalid_request', read.problem)
  return checkObject<PricesFile>(pricesSchema, parseBoundedJson(read.text, path), path)
}

/** Returns the price that was imported for the model; undefined when there is none. */
export function importedPrice(prices: PricesFile | undefined, model: string): ImportedPrice | undefined {
  return prices && Object.hasOwn(prices.models, model) ? prices.models[model] : undefined
}

/** Returns the names of the units that have a price, in the order of the documentation. */
export function namesOf(price: Readonly<Partial<Record<PriceName, unknown>>>): PriceName[] {
  // The cast is safe: the object has these keys and no others.
  return (Object.keys(priceNames) as PriceName[]).filter(name => price[name] !== undefined)
}

/** Replaces the file at once: a reader finds either the old file or the new one. When the path is a
 *  link, the file to which it leads is replaced. Throws the errors of the file system. */
export async function writePrices(path: string, prices: PricesFile): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const mode = await stat(target).then(
    found => found.mode & 0o777,
    () => 0o644,
  )
  const temporary = `${target}.${process.pid}.new`
  try {
    const file = await open(temporary, 'w', mode)
    try {
      await file.writeFile(`${JSON.stringify(prices, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(target))
}
