import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** Returns the text that a command prints for an error: one sentence when the user can fix the
 *  cause, and a stack trace for a bug in the program. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isTyping = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  // An error of the file system names the file or folder that cannot be read or written, so the
  // user can fix the cause.
  const isOfFiles = 'syscall' in error && 'path' in error
  return error instanceof GatewayError || isTyping || isOfFiles ? error.message : (error.stack ?? error.message)
}
