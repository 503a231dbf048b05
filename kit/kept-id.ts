/** Rules for ids under which something is stored: the gateway's own, and those that an upstream
 *  assigns. LiteLLM's ids of responses have 473 characters and end in `=`, xAI's are UUIDs. */

/** Longest id. A longer one is never sent to a client, since the gateway could not accept it
 *  back. */
export const mostIdCharacters = 1_024
const visible = new RegExp(`^[\\x21-\\x7e]{1,${mostIdCharacters}}$`)

/** Returns true for a valid id: up to 1,024 visible ASCII characters that, used in a path, do not
 *  lead to another folder. */
export function isKeptId(id: string): boolean {
  return visible.test(id) && !id.split(/[/\\]/).some(step => step === '.' || step === '..')
}
