import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { StoredReference } from '../../contract/operation.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import type { AccountResponses } from '../../core/responses.ts'
import type { CatalogueModel } from '../../core/routing/catalogue.ts'
import type { HttpDeps } from '../deps.ts'
import { tokensBefore } from './response-note.ts'
import { originalOf } from './response-recording.ts'

/** The places where the responses and items are stored that a body refers to. */
export interface StorageLocation {
  /** True when the gateway stores one of these responses, or when none is stored anywhere: the
   *  family's handler serves or refuses the request. */
  isHere: boolean
  /** Targets that store the other responses, the model that created each, and the request field
   *  that names it. */
  targets: { target: string; of: string; field: string }[]
  /** Tokens of the continued conversation, as far as an upstream stores it. */
  tokens: number
}

interface LookupScope {
  account: string
  endpoint: string
  model: CatalogueModel
}

/** Looks up every stored response and item that a body refers to. Throws `invalid_request` for
 *  those that the account does not own: an upstream cannot tell the accounts of this gateway
 *  apart. */
export async function locateStored(
  { responses }: Pick<HttpDeps, 'responses'>,
  { account, endpoint }: LookupScope,
  references: readonly StoredReference[],
): Promise<StorageLocation> {
  const place: StorageLocation = { isHere: false, targets: [], tokens: 0 }
  if (references.length === 0) return place
  const stored = responses.at(account, endpoint)
  for (const reference of references) {
    const record = await recordOf(stored, reference)
    const { field } = reference
    if (record?.target === undefined || record.isDeleted) place.isHere = true
    else place.targets.push({ target: record.target, of: record.model, field })
    if (record && reference.kind === 'response') place.tokens += tokensBefore(await originalOf(stored, record))
  }
  return place
}

/** Returns the record of the response or item that a reference names; undefined for a response that
 *  is not stored, or no longer. Throws `invalid_request` for an id of another service and for an
 *  unknown item. */
async function recordOf(stored: AccountResponses, { kind, id, field, response }: StoredReference): Promise<ResponseRecord | undefined> {
  switch (kind) {
    case 'foreign':
      throw notOwned(
        field,
        `${field} is ${JSON.stringify(id.slice(0, 100))}, which is not kept for this account; send its contents instead.`,
        'unsupported',
      )
    case 'response':
      return stored.get(id)
    case 'item': {
      const record = (response === undefined ? undefined : await stored.get(response)) ?? (await stored.ofItem(id))
      if (record) return record
      throw notOwned(field, `${field} names the item '${id.slice(0, 100)}', which is not stored.`, 'value')
    }
  }
}

function notOwned(field: string, message: string, rule: string): GatewayError {
  return new GatewayError('invalid_request', message, { field, issues: [{ path: ['body', field], message, rule }] })
}
