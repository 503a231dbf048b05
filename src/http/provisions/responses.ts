import type { Provision } from './provision.ts'

export const responses: Provision<'responses'> = ({ deps, call }) =>
  deps.responses.at(call.key.accountId, call.endpoint.name, () => call.signal())
