import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** Returns a sentence for errors that the person at the terminal can fix, and the stack for
 *  errors in the program. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isTyping = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  // The person can fix a file or folder that cannot be read or written; the message names it.
  const isOfFiles = 'syscall' in error && 'path' in error
  return error instanceof GatewayError || isTyping || isOfFiles ? error.message : (error.stack ?? error.message)
}
