import { GatewayError } from '@generation-gateway/kit/errors.ts'

const fullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])
const brokenCodes: ReadonlySet<string> = new Set(['EIO', 'EROFS', 'EUCLEAN'])

/** True for an error after which the disk cannot be trusted any more. */
export function isBroken(error: unknown): boolean {
  const code = systemCode(error)
  return code !== undefined && brokenCodes.has(code)
}

export function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT'
}

/** True when a file cannot be renamed because its new place is on another file system, or on
 *  another mount of the same one. */
export function isElsewhere(error: unknown): boolean {
  return systemCode(error) === 'EXDEV'
}

/** Returns the error that a caller sees for a failed write. */
export function writeFault(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  const code = systemCode(error)
  if (code !== undefined && fullCodes.has(code)) {
    return new GatewayError('disk_full', 'The disk is full; the file was not stored.', { cause: error })
  }
  return new GatewayError('store_unavailable', `The file could not be stored${code === undefined ? '' : ` (${code})`}.`, { cause: error })
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
