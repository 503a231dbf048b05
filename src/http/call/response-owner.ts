import type { ResponseOwner } from '../../core/responses.ts'
import type { Call } from './call.ts'

/** Returns the account, the endpoint and the models whose stored responses the call may read. */
export function responseOwner({ key, endpoint }: Pick<Call, 'key' | 'endpoint'>): ResponseOwner {
  return { accountId: key.accountId, endpoint: endpoint.name, models: key.scopes.models }
}
