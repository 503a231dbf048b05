import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** Returns the text that a command prints for an error: one sentence when the user can fix the
 *  cause, and a stack trace for a bug in the program. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isTyping = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  // The user can fix a file or folder that cannot be read or written, and the message names it.
  const isOfFiles = 'syscall' in error && 'path' in error
  return error instanceof GatewayError || isTyping || isOfFiles ? error.message : (error.stack ?? error.message)
}
