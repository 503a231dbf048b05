/** Reads LiteLLM's public list of prices (model_prices_and_context_window.json), a JSON object
 *  whose members are models, each with its prices in USD for one unit. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type NameList, nameList } from '@generation-gateway/kit/near-names.ts'
import { parseBoundedJson, readBoundedText } from './bounded-json.ts'
import { providerIds } from './providers.ts'
import { shown } from './shown.ts'

/** Largest number of models in a list. LiteLLM's list had 4,900 in November 2026. */
const mostModels = 100_000
/** Name of the member of the list that is no model, but explains the fields. */
const sample = 'sample_spec'

/** One model of the list: its prices and other facts, under LiteLLM's names. */
export type ListEntry = Readonly<Record<string, unknown>>

export interface PriceList {
  name: string
  sha256: string
  entries: ReadonlyMap<string, ListEntry>
}

/** Returns the list in a file. Throws `invalid_request` when the file cannot be read, exceeds a
 *  limit of `parseBoundedJson` or 16 MiB, is not JSON, has no models or more than 100,000, or has a
 *  model that is not an object. */
export function readPriceList(path: string): PriceList {
  const text = readBoundedText(path)
  const members = Object.entries(parseBoundedJson(text, path)).filter(([name]) => name !== sample)
  if (members.length > mostModels) throw wrong(`${path} has ${members.length} models; at most ${mostModels}.`)
  const entries = new Map<string, ListEntry>()
  for (const [name, entry] of members) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      throw wrong(`${path}: ${shown(name)} must be an object with the prices of a model.`)
    entries.set(name, { ...entry })
  }
  if (entries.size === 0) throw wrong(`${path} has no models.`)
  return { name: basename(path), sha256: createHash('sha256').update(text).digest('hex'), entries }
}

/** The name of a model in the list. `variants` are the names of the same model at the same provider
 *  for other regions, sizes or qualities. */
export interface ListMatch {
  name: string
  variants: string[]
}

/** Finds the models of targets in a list. */
export class PriceIndex {
  readonly #entries: ReadonlyMap<string, ListEntry>
  /** The names in the list, by their part after the last slash. */
  readonly #byEnd = new Map<string, string[]>()
  #names: NameList | undefined

  constructor({ entries }: PriceList) {
    this.#entries = entries
    for (const name of entries.keys()) {
      const end = endOf(name)
      const same = this.#byEnd.get(end)
      if (same) same.push(name)
      else this.#byEnd.set(end, [name])
    }
  }

  /** Returns the name that a model at a provider (an id of `providers.ts`) has in the list.
   *  Without a provider, only an equal name is a match, because providers have different prices. */
  find(model: string, provider: string | undefined): ListMatch | undefined {
    if (provider === undefined) return this.#entries.has(model) ? { name: model, variants: [] } : undefined
    const isOfProvider = (name: string): boolean => {
      const { litellm_provider: own } = this.#entries.get(name) ?? {}
      if (name.startsWith(`${provider}/`)) return true
      return typeof own === 'string' ? providerIds(provider).includes(own.split('-')[0] ?? '') : name === model
    }
    const name = [`${provider}/${model}`, model].find(each => this.#entries.has(each) && isOfProvider(each))
    if (name === undefined) return undefined
    const variants = (this.#byEnd.get(endOf(model)) ?? []).filter(each => each !== name && each.endsWith(`/${model}`) && isOfProvider(each))
    return { name, variants }
  }

  /** Returns up to 3 names in the list that resemble this one. Names with the same part after the
   *  last slash come first. */
  near(model: string): string[] {
    const same = this.#byEnd.get(endOf(model)) ?? []
    this.#names ??= nameList(this.#entries.keys())
    return [...new Set([...same, ...this.#names.near(model)])].slice(0, 3)
  }
}

function endOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

function wrong(message: string): GatewayError {
  return new GatewayError('invalid_request', message)
}
