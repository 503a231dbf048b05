import { tmpdir } from 'node:os'
import type { DriverTools } from '@generation-gateway/kit/driver.ts'

/** What a driver is opened with outside of the program: no packs, one core, guarded addresses, a log that nobody reads. */
export function driverTools(changes: Partial<DriverTools> = {}): DriverTools {
  return {
    packs: { file: () => undefined, howToGet: pack => pack },
    scratchDirectory: tmpdir(),
    dataDirectory: tmpdir(),
    cores: 1,
    allowPrivateUrls: false,
    log: { info: () => {}, warn: () => {} },
    ...changes,
  }
}
