import type { Provision } from './provision.ts'

export const responses: Provision<'responses'> = ({ deps, call: { key, endpoint } }) => deps.responses.at(key.accountId, endpoint.name)
