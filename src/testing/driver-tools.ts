import { tmpdir } from 'node:os'
import type { DriverTools } from '@generation-gateway/kit/driver.ts'
import { inlineInspection } from '@generation-gateway/kit/testing/inline-inspection.ts'

/** The tools of a driver outside the program: no packs, one core, guarded addresses, a discarded
 *  log, file inspection in the same process. */
export function driverTools(changes: Partial<DriverTools> = {}): DriverTools {
  return {
    packs: { file: () => undefined, howToGet: pack => pack },
    scratchDirectory: tmpdir(),
    dataDirectory: tmpdir(),
    cores: 1,
    allowPrivateUrls: false,
    inspection: inlineInspection,
    log: { info: () => {}, warn: () => {} },
    ...changes,
  }
}
