import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { loadConfigFile, pricesPath } from '../config/config-file.ts'
import { usualCurrency } from '../config/config-schema.ts'
import { readBoundedText } from '../config/prices/bounded-json.ts'
import { type ImportPlan, planImport } from '../config/prices/import-plan.ts'
import { priceOrigins } from '../config/prices/origins.ts'
import { readPriceList } from '../config/prices/price-list.ts'
import { type PricesFile, parsePrices, writePrices } from '../config/prices/prices-file.ts'
import { shown } from '../config/prices/shown.ts'
import { readConfig } from '../config/settings.ts'
import { drivers as upstreamDrivers } from '../drivers/index.ts'
import { knownEngines } from '../engine-runs/known-engines.ts'
import { families } from '../families/index.ts'
import { withFileFaults } from './file-faults.ts'
import { print, table } from './terminal.ts'

const pricesHelp = `gateway prices import FILE
  Shows what the prices in FILE would change, and puts them into the file that prices_file names in
  the configuration file, once you agree. FILE is LiteLLM's public price list
  (model_prices_and_context_window.json, in USD). Prices that stand in the configuration file stay.
    --yes               Agrees beforehand. Without it, and without a terminal, nothing is changed.
    --rate N            Amount of the configuration file's currency for 1 USD.

gateway prices list
  Lists the prices of the models in the configuration file, and where each is from.`

/** Runs `gateway prices`. When the configuration file or the list is wrong, changes nothing and
 *  throws `invalid_request`. */
export async function runPrices(args: string[]): Promise<void> {
  const options = { yes: { type: 'boolean' }, rate: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [verb, list, ...rest] = positionals
  if (values.help || verb === undefined) return print(pricesHelp)
  if (verb === 'list' && list === undefined) return print(await priceTable())
  if (verb === 'import' && list !== undefined && rest.length === 0)
    return importPrices(list, { rate: rateOf(values.rate), isAgreed: values.yes === true })
  throw new GatewayError('invalid_request', `There is no command gateway prices ${positionals.join(' ')}.\n\n${pricesHelp}`)
}

async function importPrices(path: string, { rate, isAgreed }: { rate: number | undefined; isAgreed: boolean }): Promise<void> {
  const { config, loaded, drivers } = await readModels({ withPrices: false })
  const place = pricesPath(config, loaded.file)
  if (place === undefined) {
    const sentence = `${config} does not say where imported prices are kept. Add a line such as\n  prices_file: prices.json`
    throw new GatewayError('invalid_request', `${sentence}\nto it: a path, relative to the folder of that file.`)
  }
  const { file, models } = loaded
  const before = earlierPrices(place, loaded.file.currency ?? usualCurrency)
  const plan = planImport(readPriceList(path), { file, models, drivers, before, rate, now: Date.now() })
  print(planText(plan))
  if (plan.changes.length === 0 && before !== undefined) return print('\nNothing changes.')
  if (!isAgreed && !(await isConfirmed(place))) return print('\nNothing was changed. Repeat the command with --yes to write these prices.')
  await withFileFaults(place, writePrices(place, plan.prices))
  print(`\nWritten to ${place}. A running gateway takes the prices in a few seconds.`)
}

/** Returns the prices of the last import; undefined when there are none, or when they are in
 *  another currency. Throws `invalid_request` for a file that cannot be read or is not a prices
 *  file; otherwise the import would overwrite this file. */
function earlierPrices(place: string, currency: string): PricesFile | undefined {
  if (!existsSync(place)) return undefined
  let prices: PricesFile
  try {
    const text = readBoundedText(place)
    if (text.trim() === '') return undefined
    prices = parsePrices(place, { text })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause
    const sentence = `${reason} It is not overwritten: remove it, or name another file in prices_file.`
    throw new GatewayError('invalid_request', sentence, { cause })
  }
  if (prices.currency === currency) return prices
  print(`The prices of the last import are in ${prices.currency}, and are not used any more.\n`)
  return undefined
}

async function isConfirmed(place: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await terminal.question(`\nWrite these prices to ${place}? [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}

async function priceTable(): Promise<string> {
  const { loaded, drivers } = await readModels()
  const rows = priceOrigins(loaded, drivers).flatMap(({ model, origin, price }) => {
    const amounts = Object.entries(price)
    return amounts.length === 0 ? [[model, '', '', origin]] : amounts.map(([unit, amount]) => [model, unit, amountText(amount), origin])
  })
  return table(['model', 'unit', `price in ${loaded.file.currency ?? usualCurrency}`, 'from'], rows)
}

/** Reads the configuration file. With `withPrices: false`, the prices file that it names is not
 *  read, because it does not exist before the first import. */
async function readModels({ withPrices = true } = {}) {
  const { config, roles } = readConfig(process.env)
  if (config === undefined)
    throw new GatewayError('invalid_request', 'Prices belong to the models of the configuration file: set GATEWAY_CONFIG to its path.')
  const { engines, missingEngines } = await knownEngines(roles)
  const drivers = [...engines, ...upstreamDrivers]
  const loaded = loadConfigFile(config, { families, drivers, missingEngines }, process.env, { withPrices })
  return { config, loaded, drivers }
}

function planText({ changes, unchanged, setByHand, unknown, left, notes, prices }: ImportPlan): string {
  const { list, currency } = prices
  const parts = [
    `Prices of ${shown(list.name)} (sha256 ${list.sha256.slice(0, 12)}) in ${currency}${list.rate === undefined ? '' : `, ${list.rate} for 1 USD`}`,
  ]
  const rows = changes.map(({ model, unit, before, after, from }) => [model, unit, amountText(before), amountText(after), shown(from)])
  if (rows.length > 0) parts.push(table(['model', 'unit', 'old price', 'new price', 'name in the list'], rows))
  if (unchanged > 0) parts.push(`${unchanged} ${unchanged === 1 ? 'price stays' : 'prices stay'} as before.`)
  if (setByHand.length > 0) parts.push(`Priced in the configuration file, which counts: ${setByHand.join(', ')}.`)
  if (unknown.length > 0) {
    const rows = unknown.map(({ model, wanted, near, kept }) => [
      model,
      wanted,
      near.map(shown).join(', '),
      kept ? 'its earlier price' : 'no price',
    ])
    const says = 'Not in the list (price_list_name in the configuration file gives a model its name there):'
    parts.push(`${says}\n${table(['model', 'sought as', 'similar names', 'keeps'], rows)}`)
  }
  if (left.length > 0) {
    const rows = left.map(({ model, from, fields }) => [model, shown(from), ...leftColumns(fields)])
    parts.push(
      `Prices of the list that this gateway cannot count, and leaves out:\n${table(['model', 'name in the list', 'tiers', 'other prices'], rows)}`,
    )
  }
  if (notes.length > 0) parts.push(notes.join('\n'))
  return parts.join('\n\n')
}

/** Matches fields whose prices hold only for certain requests: long ones, batches, a service level
 *  or a size. */
const tierField = /_(above_.*|batches|priority|flex|balanced|ultrafast|decisions|[0-9].*)$/

/** Splits the names of price fields into two texts: the tiers that occur in the names, and the
 *  names that belong to no tier. */
function leftColumns(fields: readonly string[]): [tiers: string, others: string] {
  const tiers = new Set(fields.flatMap(field => tierField.exec(field)?.[1] ?? []))
  const others = fields.filter(field => !tierField.test(field))
  return [[...tiers].map(shown).join(', '), others.map(shown).join(', ')]
}

/** Returns an amount as text without an exponent; `-` when there is no price. */
function amountText(amount: number | undefined): string {
  if (amount === undefined) return '-'
  const text = String(amount)
  return text.includes('e') ? amount.toFixed(20).replace(/0+$/, '') : text
}

function rateOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const rate = Number(text)
  if (/^[0-9]+(\.[0-9]+)?$/.test(text) && rate > 0 && rate <= 1_000_000) return rate
  throw new GatewayError('invalid_request', `--rate is ${JSON.stringify(text)}; it must be a decimal number above 0, at most 1000000.`)
}
