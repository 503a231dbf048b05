/** Options of `startGateway`. */
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import type { FamilyEntry } from '../contract/family.ts'
import type { Clock } from '../core/ports/store.ts'
import type { SharedMetrics } from '../http/metrics/metric-sums.ts'
import type { Config } from './settings.ts'

export interface GatewayOptions {
  config: Config
  env: Record<string, string | undefined>
  /** Drivers in addition to those of the gateway; tests add fakes of upstream services here. */
  extraDrivers?: readonly DriverSpec[]
  /** Families in addition to those of the gateway. */
  extraFamilies?: readonly FamilyEntry[]
  clock?: Clock
  /** Interval in ms at which the gateway checks its connections to callers; default 5 s. */
  checkEveryMs?: number
  /** Returns the number of free bytes on the disk of the data folder; by default, the real
   *  number. */
  freeBytes?: () => number
  /** Destination of the log lines; by default stdout. */
  logTo?: NodeJS.WritableStream
  /** True when the gateway is the only program in this process. Output of libraries on the
   *  console and warnings of Node.js are then written to the gateway's log. */
  ownsProcess?: boolean
  /** The other processes of this machine that listen on the same port; absent when there are
   *  none. */
  siblings?: Siblings
}

/** The functions with which one of several gateway processes on a machine reaches the others. */
export interface Siblings {
  /** Number of processes, including this one. */
  count: number
  metrics: SharedMetrics
  /** Makes the other processes read the configuration file again. */
  reload(): void
}
