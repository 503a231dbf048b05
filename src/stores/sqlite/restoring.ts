import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** Name of the file that marks a data folder into which a backup is being restored. */
export const restoringName = 'RESTORING'

/** Throws `store_unavailable` when a restore into the data folder has not been completed. */
export function assertRestored(directory: string): void {
  if (existsSync(join(directory, restoringName)))
    throw new GatewayError(
      'store_unavailable',
      `A restore into ${directory} has not ended. Run gateway restore again, or empty the folder.`,
    )
}
