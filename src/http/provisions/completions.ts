import type { Provision } from './provision.ts'

export const completions: Provision<'completions'> = ({ deps, call: { key, endpoint } }) =>
  deps.responses.completionsAt(key.accountId, endpoint.name)
