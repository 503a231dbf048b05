import type { Provision } from './provision.ts'

export const completions: Provision<'completions'> = ({ deps, call }) =>
  deps.responses.completionsAt(call.key.accountId, call.endpoint.name, () => call.signal())
