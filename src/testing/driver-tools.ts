import { tmpdir } from 'node:os'
import type { DriverTools } from '@generation-gateway/kit/driver.ts'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { inlineInspection } from '@generation-gateway/kit/testing/inline-inspection.ts'

/** Returns the tools that a driver gets when it is opened, for tests without the rest of the
 *  program: no packs, one core, the guard against private addresses, no log, and inspection of
 *  files in the same process. */
export function driverTools(changes: Partial<DriverTools> = {}): DriverTools {
  return {
    packs: { file: () => undefined, howToGet: pack => pack },
    scratchDirectory: tmpdir(),
    dataDirectory: tmpdir(),
    cores: 1,
    allowPrivateUrls: false,
    outbound: directOutbound,
    inspection: inlineInspection,
    log: { info: () => {}, warn: () => {} },
    ...changes,
  }
}
