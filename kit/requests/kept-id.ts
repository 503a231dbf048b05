/** Ids under which something is kept: ours, and whatever an upstream gives. LiteLLM's ids of responses have 473 characters and end in `=`, xAI's are UUIDs. */

/** What is longer is never handed out, since it could not be taken back. */
export const mostIdCharacters = 1_024
const visible = new RegExp(`^[\\x21-\\x7e]{1,${mostIdCharacters}}$`)

/** Whether something can be kept under this id: up to 1,024 visible ASCII characters, and no step to another folder when it stands in a path. */
export function isKeptId(id: string): boolean {
  return visible.test(id) && !id.split(/[/\\]/).some(step => step === '.' || step === '..')
}
