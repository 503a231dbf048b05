import { statSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import { errorMessage } from '@generation-gateway/kit/errors.ts'
import type { FamilyEntry } from '../contract/family.ts'
import type { AccountStore, Clock } from '../core/ports/store.ts'
import type { Catalogue, Target } from '../core/routing/catalogue.ts'
import type { TargetHealth } from '../core/routing/target-health.ts'
import { isStoreUnavailable } from '../core/store-alarm.ts'
import type { WorkerLog } from '../core/work/worker-deps.ts'
import type { MissingEngine } from '../engines.ts'
import { applyConfigFile } from './apply-config.ts'
import { catalogueOf } from './catalogue-of.ts'
import { type LoadedConfig, loadConfigFile } from './config-file.ts'
import { type FileText, readConfigText, usualCurrency } from './config-schema.ts'
import { readPricesText } from './prices/prices-file.ts'
import { afterMs, type Schedule, type SettledFileWatch, watchSettledFile } from './settled-file.ts'

export interface LiveConfigDeps {
  /** Path of the configuration file; undefined when there is none. */
  path: string | undefined
  families: readonly FamilyEntry[]
  drivers: readonly DriverSpec[]
  /** Engines that are not installed. */
  missingEngines: readonly MissingEngine[]
  accounts: AccountStore
  /** Name of this node. */
  node: string
  env: Record<string, string | undefined>
  clock: Clock
  log: WorkerLog
  /** The circuit breakers of the targets. A reload resets those of targets that it removes or
   *  changes, so that a target with a new key or address starts without failures. */
  health: Pick<TargetHealth, 'retain'>
  /** Called with the contents of each configuration file that comes into force. */
  onLoad?(file: Readonly<Record<string, unknown>>): void
  /** Runs work after a delay; by default with a timer. A changed file is applied only when a
   *  second read after this delay finds the same text. */
  later?: Schedule
}

/** The configuration file that is in force, and its reloads. */
export class LiveConfig {
  readonly #deps: LiveConfigDeps
  #catalogue: Catalogue
  #currency = usualCurrency
  #inForce: Readonly<Record<string, unknown>> = {}
  /** Hash of the accounts, keys and endpoints in the file as it was last read. */
  #accessHash: string | undefined
  #lastReload: Promise<unknown> = Promise.resolve()
  /** The text that was last read, whether it was applied or refused. */
  #lastRead: FileText | undefined
  /** The latest text that could not be applied because the store did not answer; it is tried
   *  again. */
  #lastDelayed: FileText | undefined
  #steady: SettledFileWatch | undefined
  /** The prices file that the configuration file names, and the text that was last read of it. */
  #prices: { path: string; read: FileText } | undefined
  #steadyPrices: (SettledFileWatch & { path: string }) | undefined

  private constructor(deps: LiveConfigDeps) {
    this.#deps = deps
    this.#catalogue = catalogueOf(deps, undefined)
  }

  /** Reads the file, if there is one, and applies it. Throws `invalid_request` with the line and
   *  the reason, and `store_unavailable`. */
  static async open(deps: LiveConfigDeps): Promise<LiveConfig> {
    const live = new LiveConfig(deps)
    await live.reload()
    return live
  }

  catalogue(): Catalogue {
    return this.#catalogue
  }

  /** Returns the currency of prices and budgets: the one in the file, else USD. */
  currency(): string {
    return this.#currency
  }

  /** Returns the section with this name, which a family has declared; undefined when the file
   *  does not contain it. */
  section(name: string): unknown {
    return this.#inForce[name]
  }

  /** Reads the file again and applies it at once, without waiting for a second read, because the
   *  operator has requested it. Resolves with warnings for the operator. Throws when the file is
   *  not valid; nothing has changed then. */
  reload(): Promise<string[]> {
    const { path } = this.#deps
    return this.#inTurn(async () => {
      if (path === undefined) return []
      this.#lastRead = readConfigText(path)
      return this.#load(path, this.#lastRead)
    })
  }

  /** Watches the file from now on. A changed file is applied when two reads, 2 s apart, have
   *  found the same text (docs/decisions/0013). A file that is not valid is logged once, and the
   *  previous one stays in force. Does nothing when there is no file. */
  watch(): void {
    const { path, log, later = afterMs } = this.#deps
    if (path === undefined || this.#steady) return
    const onSteady = (read: FileText) => void this.#inTurn(() => this.#loadSteady(path, read))
    const isKnown = (read: FileText) => isDeepStrictEqual(read, this.#lastRead)
    this.#steady = watchSettledFile(path, { read: readConfigText, log, later, isKnown, onSteady })
    this.#watchPrices()
    // This check finds changes that were made between the read at the start and the beginning of
    // the watch.
    this.#steady.check()
  }

  /** Ends the watch and waits for a reload in progress. */
  async close(): Promise<void> {
    this.#steady?.close()
    this.#steadyPrices?.close()
    // Prevents a reload in progress from starting to watch a prices file.
    this.#steady = undefined
    await this.#lastReload
  }

  async #load(file: string, text: FileText): Promise<string[]> {
    const { accounts, node, env, clock, log, health } = this.#deps
    const modifiedAt = modificationTimeOf(file)
    const next = this.#read(file, text)
    const reading = { env, now: clock.now(), node, modifiedAt, earlierHash: this.#accessHash }
    const applied = await applyConfigFile(accounts, next, reading)
    this.#accessHash = applied.sha256
    const warnings = [...next.warnings, ...applied.warnings]
    const before = this.#catalogue
    this.#catalogue = catalogueOf(this.#deps, next)
    this.#currency = next.file.currency ?? usualCurrency
    this.#inForce = next.file
    this.#deps.onLoad?.(next.file)
    health.retain(unchangedTargets(before, this.#catalogue))
    for (const warning of warnings) log.warn({ file }, warning)
    log.info({ file }, 'configuration file in force')
    return warnings
  }

  /** Reads the configuration file, and the prices file that it names. The prices file is watched
   *  from then on, even when it is missing or wrong now. */
  #read(file: string, text: FileText): LoadedConfig {
    this.#prices = undefined
    const readPrices = (path: string): FileText => {
      this.#prices = { path, read: readPricesText(path) }
      return this.#prices.read
    }
    try {
      return loadConfigFile(file, this.#deps, this.#deps.env, { text, readPrices })
    } finally {
      this.#watchPrices()
    }
  }

  /** Watches the prices file, once the configuration file is watched. When the prices file changes,
   *  the last text of the configuration file is applied again. */
  #watchPrices(): void {
    const path = this.#prices?.path
    const { path: file, log, later = afterMs } = this.#deps
    if (file === undefined || this.#steady === undefined || path === this.#steadyPrices?.path) return
    this.#steadyPrices?.close()
    this.#steadyPrices = undefined
    if (path === undefined) return
    const isKnown = (read: FileText) => isDeepStrictEqual(read, this.#prices?.read)
    // `#lastRead` is undefined when the configuration file has to be read again. That reading also
    // reads the prices file, so nothing is done here.
    const onSteady = () => void this.#inTurn(async () => this.#lastRead && this.#loadLogged(file, this.#lastRead))
    this.#steadyPrices = { path, ...watchSettledFile(path, { read: readPricesText, log, later, isKnown, onSteady }) }
    this.#steadyPrices.check()
  }

  /** Runs reloads one after the other. Two simultaneous reloads could each revoke keys that the
   *  other one has just created. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const reload = this.#lastReload.then(work)
    this.#lastReload = reload.catch(() => {})
    return reload
  }

  async #loadSteady(file: string, read: FileText): Promise<void> {
    // The text was read before, by a reload that the operator has requested.
    if (isDeepStrictEqual(read, this.#lastRead)) return
    this.#lastRead = read
    await this.#loadLogged(file, read)
  }

  /** Applies a text, or logs the reason why it cannot be applied. */
  async #loadLogged(file: string, read: FileText): Promise<void> {
    const { log } = this.#deps
    const problem = await problemOf(read, () => this.#load(file, read))
    const isPassing = problem?.isPassing === true
    if (problem && !isPassing) log.error({ file }, `configuration file refused, the old one stays in force: ${problem.says}`)
    if (problem && isPassing && !isDeepStrictEqual(read, this.#lastDelayed))
      log.error({ file }, `configuration file not in force yet, it is tried again: ${problem.says}`)
    this.#lastDelayed = isPassing ? read : undefined
    if (!isPassing) return
    this.#lastRead = undefined
    this.#steady?.check()
  }
}

/** Returns the modification time of the file in Unix milliseconds; 0 when the file has just been
 *  deleted. */
function modificationTimeOf(file: string): number {
  return Math.floor(statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
}

/** Returns the reason why a changed file was not applied; undefined when it was. */
async function problemOf(read: FileText, load: () => Promise<unknown>): Promise<{ says: string; isPassing: boolean } | undefined> {
  // An empty file is valid, but it is more often the result of a failed write, and applying it
  // would revoke every key. So it is applied only when the operator requests a reload.
  if ('text' in read && read.text.trim() === '') return { says: 'it is empty; ask for a reload if that is meant.', isPassing: false }
  try {
    await load()
    return undefined
  } catch (error) {
    return { says: errorMessage(error), isPassing: isStoreUnavailable(error) }
  }
}

function unchangedTargets(before: Catalogue, now: Catalogue): string[] {
  const known = new Map<string, Target>()
  for (const model of before.all()) for (const target of model.targets) known.set(target.id, target)
  const targets = now.all().flatMap(model => model.targets)
  return targets.filter(target => isDeepStrictEqual(known.get(target.id), target)).map(target => target.id)
}
