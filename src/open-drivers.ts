import type { DriverSpec, DriverTools } from '@generation-gateway/kit/driver.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import { createInspection } from '@generation-gateway/kit/media/open-inspection.ts'
import { Outbound } from '@generation-gateway/kit/outbound/outbound.ts'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { Logger } from 'pino'
import type { Config } from './config/settings.ts'
import type { Packs } from './packs/packs.ts'
import { engineFolderOf } from './stores/files/open.ts'

interface OpenDrivers {
  /** The drivers by id. */
  drivers: Map<string, Driver>
  /** The inspection of files, which the drivers and the rest of the program share. */
  inspection: Inspection
}

interface OpenParts {
  config: Config
  /** Folder for temporary files. */
  scratchDirectory: string
  log: Logger
  opened: AsyncDisposableStack
  packs: Packs
  outbound: Outbound
}

/** Returns the object that chooses the route of each outbound connection. Throws
 *  `invalid_request` for settings that cannot be used. */
export function openOutbound(config: Config, log: Logger): Outbound {
  const outbound = new Outbound(config.outbound)
  if (Object.keys(outbound.names).length > 0) log.info(outbound.names, 'outbound connections use a proxy')
  return outbound
}

/** Opens the drivers and the inspection of files that they share. `opened` closes them later.
 *  Opening a driver starts nothing. */
export function openDrivers(
  specs: readonly DriverSpec[],
  { config, scratchDirectory, log, opened, packs, outbound }: OpenParts,
): OpenDrivers {
  const inspection = createInspection({ scratchDirectory, onLog: message => log.warn({ process: 'inspection' }, message) })
  opened.defer(() => inspection.close())
  const tools: Omit<DriverTools, 'dataDirectory'> = {
    scratchDirectory,
    cores: config.engineWorkers,
    priority: config.enginePriority,
    allowPrivateUrls: config.allowPrivateUrls,
    outbound,
    packs,
    inspection,
    log,
  }
  const drivers = new Map<string, Driver>()
  for (const spec of specs) {
    const driver = spec.open({ ...tools, dataDirectory: engineFolderOf(config.dataDir, spec.id) })
    opened.defer(async () => driver.close?.())
    drivers.set(spec.id, driver)
  }
  return { drivers, inspection }
}
