/** Rules for the ids of stored objects, some of which the gateway assigns and some an upstream. For
 *  example, LiteLLM's response ids have 473 characters and end in `=`; xAI's are UUIDs. */

/** Largest number of characters of an id. The gateway refuses longer ids in requests, so it
 *  never sends a longer one to a client either. */
export const mostIdCharacters = 1_024
const visible = new RegExp(`^[\\x21-\\x7e]{1,${mostIdCharacters}}$`)

/** Returns true for a valid id: up to 1,024 visible ASCII characters. An id that contains `.` or
 *  `..` as a segment of a path is invalid, because a URL with it could lead elsewhere. */
export function isKeptId(id: string): boolean {
  return visible.test(id) && !id.split(/[/\\]/).some(step => step === '.' || step === '..')
}
