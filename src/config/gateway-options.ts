/** Options of `startGateway`. */
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import type { FamilyEntry } from '../contract/family.ts'
import type { Clock } from '../core/ports/store.ts'
import type { SharedFigures } from '../http/metrics/figures.ts'
import type { Config } from './settings.ts'

export interface GatewayOptions {
  config: Config
  env: Record<string, string | undefined>
  /** Drivers beside the shipped ones; tests add fakes of upstream services here. */
  extraDrivers?: readonly DriverSpec[]
  /** Families beside the shipped ones. */
  extraFamilies?: readonly FamilyEntry[]
  clock?: Clock
  /** Milliseconds between two checks of the callers' connections; default 5 s. */
  checkEveryMs?: number
  /** Returns the free bytes on the disk of the data folder; absent: the real number. */
  freeBytes?: () => number
  /** Destination of log lines; default stdout. */
  logTo?: NodeJS.WritableStream
  /** The process belongs to the gateway alone: output of libraries and warnings of node go into
   *  its log. */
  ownsProcess?: boolean
  /** The processes of this machine that share the port; absent: this is the only one. */
  siblings?: Siblings
}

/** What one of several processes needs of the others. */
export interface Siblings {
  /** Number of processes, this one included. */
  count: number
  figures: SharedFigures
  /** Has the others read the configuration file again. */
  reload(): void
}
