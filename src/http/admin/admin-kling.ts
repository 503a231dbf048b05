/** The operator's actions on token secrets. Clients of Kling sign tokens with such a secret, and
 *  send the token in place of the access key (docs/decisions/0039). */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import { newSecret } from '../../core/records/id.ts'
import { type AdminDeps, type AdminOperation, action, keyOf } from './admin-action.ts'

export const klingOperations: readonly AdminOperation[] = [
  action({
    name: 'keys kling',
    method: 'POST',
    path: '/admin/keys/{id}/kling',
    says: 'Makes a secret with which clients of Kling sign tokens for this access key, and shows it once; an earlier one is no longer valid.',
    input: { id: Type.String({ description: 'Key id.' }) },
    run: makeTokenSecret,
  }),
  action({
    name: 'keys kling-revoke',
    method: 'DELETE',
    path: '/admin/keys/{id}/kling',
    says: 'Revokes the secret that signs tokens at once; the access key itself stays valid.',
    input: { id: Type.String({ description: 'Key id.' }) },
    run: async ({ store }, { id }) => {
      if (!(await store.accounts.removeTokenSecret(id)))
        throw new GatewayError('not_found', `The access key ${id} has no secret that signs tokens.`)
      return { revoked: id }
    },
  }),
]

/** Creates a secret with which a client signs tokens for this access key. Kling's clients are
 *  configured with a secret and an "access key". The id of the gateway's key takes the place of
 *  that "access key"; the clients send the id in their tokens as `iss`. */
async function makeTokenSecret({ store, clock }: AdminDeps, { id }: { id: string }): Promise<object> {
  const key = await keyOf(store.accounts, id)
  if (key.revokedAt !== undefined) throw new GatewayError('conflict', `The access key ${id} was revoked.`)
  const secret = newSecret(20)
  await store.accounts.putTokenSecret({ keyId: id, secret, createdAt: clock.now() })
  return { access_key: id, secret_key: secret }
}
