import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { applyConfigFile } from './apply-config.ts'
import { type LoadedConfig, loadConfigFile } from './config-file.ts'
import type { DriverSpec } from './contract/driver.ts'
import type { FamilyEntry } from './contract/family.ts'
import { buildCatalogue, type Catalogue, type Target } from './core/catalogue.ts'
import type { AccountStore, Clock } from './core/ports.ts'
import type { TargetHealth } from './core/target-health.ts'
import type { WorkerLog } from './core/worker.ts'
import { type FileWatch, watchFile } from './watch-file.ts'

/** The configuration file as it is in force. */
export interface LiveConfig {
  catalogue(): Catalogue
  /** Of prices and budgets: the file's, else USD. */
  currency(): string
  /** Reads the file again and puts it in force; resolves with what to tell the operator. Throws when it is not valid: then nothing has changed. */
  reload(): Promise<string[]>
  /** From now on a change of the file is put in force by itself, within about 200 ms (2 s on file systems that tell nothing).
   *  A file that is not valid is refused in the log, once, and the old one stays in force. Does nothing without a file. */
  watch(): void
  /** Ends the watch and a reload under way. */
  close(): Promise<void>
}

export interface LiveConfigDeps {
  /** Path of the file; undefined when there is none. */
  path: string | undefined
  families: readonly FamilyEntry[]
  drivers: readonly DriverSpec[]
  accounts: AccountStore
  env: Record<string, string | undefined>
  clock: Clock
  log: WorkerLog
  /** Forgets targets that a reload takes out or changes: a new key or address begins with a clean record. */
  health: Pick<TargetHealth, 'retain'>
}

const usualCurrency = 'USD'

/** Reads the file, if there is one, and puts it in force. Throws `invalid_request` with the line and the reason. */
export async function openLiveConfig(deps: LiveConfigDeps): Promise<LiveConfig> {
  const { path, families, drivers, accounts, env, clock, log, health } = deps
  let catalogue = catalogueOf(deps, undefined)
  let currency = usualCurrency
  let lastReload: Promise<unknown> = Promise.resolve()
  /** What was last tried, in force or refused. */
  let lastText: string | undefined
  let watching: FileWatch | undefined

  const load = async (): Promise<string[]> => {
    if (path === undefined) return []
    lastText = textOf(path)
    const next = loadConfigFile(path, { families, drivers }, env)
    const warnings = [...next.warnings, ...(await applyConfigFile(accounts, next, { env, now: clock.now() }))]
    const before = catalogue
    catalogue = catalogueOf(deps, next)
    currency = next.file.currency ?? usualCurrency
    health.retain(unchangedTargets(before, catalogue))
    for (const warning of warnings) log.warn({ file: path }, warning)
    log.info({ file: path }, 'configuration file in force')
    return warnings
  }
  // One after the other: two at once would revoke each other's keys.
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const reload = lastReload.then(work)
    lastReload = reload.catch(() => {})
    return reload
  }
  const loadIfChanged = async (file: string): Promise<void> => {
    const text = textOf(file)
    if (text === lastText) return
    const problem = await problemOf(text, load)
    lastText = text
    if (problem !== undefined) log.error({ file }, `configuration file refused, the old one stays in force: ${problem}`)
  }
  const live: LiveConfig = {
    catalogue: () => catalogue,
    currency: () => currency,
    reload: () => inTurn(load),
    watch: () => {
      if (path === undefined || watching) return
      const look = () => void inTurn(() => loadIfChanged(path))
      watching = watchFile(path, { log, onChange: look })
      // What changed since it was read at the start.
      look()
    },
    close: async () => {
      watching?.close()
      await lastReload
    },
  }
  await live.reload()
  return live
}

/** The file's text; undefined while it cannot be read. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Why a changed file was not put in force; undefined when it was. */
async function problemOf(text: string | undefined, load: () => Promise<unknown>): Promise<string | undefined> {
  // An empty file is valid, and what a file that is being written looks like first: taken at its word it would revoke every key.
  if (text?.trim() === '') return 'it is empty; ask for a reload if that is meant.'
  try {
    await load()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function unchangedTargets(before: Catalogue, now: Catalogue): string[] {
  const known = new Map<string, Target>()
  for (const model of before.all()) for (const target of model.targets) known.set(target.id, target)
  const targets = now.all().flatMap(model => model.targets)
  return targets.filter(target => isDeepStrictEqual(known.get(target.id), target)).map(target => target.id)
}

function catalogueOf({ families, drivers }: Pick<LiveConfigDeps, 'families' | 'drivers'>, loaded: LoadedConfig | undefined): Catalogue {
  const engines = drivers.filter(spec => spec.kind === 'engine').map(({ id, capabilities }) => ({ id, capabilities }))
  return buildCatalogue(
    families.map(entry => entry.family),
    engines,
    loaded?.models ?? [],
  )
}
