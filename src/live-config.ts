import { applyConfigFile } from './apply-config.ts'
import { type LoadedConfig, loadConfigFile } from './config-file.ts'
import type { DriverSpec } from './contract/driver.ts'
import type { FamilyEntry } from './contract/family.ts'
import { buildCatalogue, type Catalogue } from './core/catalogue.ts'
import type { AccountStore, Clock } from './core/ports.ts'
import type { WorkerLog } from './core/worker.ts'

/** The configuration file as it is in force. */
export interface LiveConfig {
  catalogue(): Catalogue
  /** Reads the file again and puts it in force; resolves with what to tell the operator. Throws when it is not valid: then nothing has changed. */
  reload(): Promise<string[]>
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
}

/** Reads the file, if there is one, and puts it in force. Throws `invalid_request` with the line and the reason. */
export async function openLiveConfig(deps: LiveConfigDeps): Promise<LiveConfig> {
  const { path, families, drivers, accounts, env, clock, log } = deps
  let catalogue = catalogueOf(deps, undefined)
  let lastReload: Promise<unknown> = Promise.resolve()

  const load = async (): Promise<string[]> => {
    if (path === undefined) return []
    const next = loadConfigFile(path, { families, drivers }, env)
    const warnings = [...next.warnings, ...(await applyConfigFile(accounts, next, { env, now: clock.now() }))]
    catalogue = catalogueOf(deps, next)
    for (const warning of warnings) log.warn({ file: path }, warning)
    log.info({ file: path }, 'configuration file in force')
    return warnings
  }
  const live: LiveConfig = {
    catalogue: () => catalogue,
    // One after the other: two at once would revoke each other's keys.
    reload: () => {
      const reload = lastReload.then(load)
      lastReload = reload.catch(() => {})
      return reload
    },
  }
  await live.reload()
  return live
}

function catalogueOf({ families, drivers }: Pick<LiveConfigDeps, 'families' | 'drivers'>, loaded: LoadedConfig | undefined): Catalogue {
  const engines = drivers.filter(spec => spec.kind === 'engine').map(({ id, capabilities }) => ({ id, capabilities }))
  return buildCatalogue(
    families.map(entry => entry.family),
    engines,
    loaded?.models ?? [],
  )
}
