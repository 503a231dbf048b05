/** What `startGateway` is started with. */
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import type { FamilyEntry } from '../contract/family.ts'
import type { Clock } from '../core/ports/store.ts'
import type { Config } from './settings.ts'

export interface GatewayOptions {
  config: Config
  env: Record<string, string | undefined>
  /** Drivers beside the shipped ones; tests add fakes of upstream services here. */
  extraDrivers?: readonly DriverSpec[]
  /** The same for families. */
  extraFamilies?: readonly FamilyEntry[]
  clock?: Clock
  /** Between two looks at the connections of callers; default 5 s. */
  lookMs?: number
  /** Free bytes of the disk of the data folder; those that it has when absent. */
  freeBytes?: () => number
  /** Where log lines go; default stdout. */
  logTo?: NodeJS.WritableStream
  /** The process is the gateway's alone: what libraries print and node warns of goes into its log. */
  ownsProcess?: boolean
}
