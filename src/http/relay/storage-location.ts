import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { StoredReference } from '../../contract/operation.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import type { AccountResponses, ResponseOwner } from '../../core/responses.ts'
import type { HttpDeps } from '../deps.ts'
import { tokensBefore } from './response-note.ts'
import { originalOf } from './response-recording.ts'

/** The places at which the responses and items that a body refers to are stored. */
export interface StorageLocation {
  /** True when the gateway itself stores one of these responses, or when one of them is unknown
   *  or deleted. The family's handler then serves or refuses the request. */
  isHere: boolean
  /** The targets that store the other responses. `of` is the model that created the response, and
   *  `field` is the request field that contains the response's id. */
  targets: { target: string; of: string; field: string }[]
  /** Number of tokens in the part of the conversation that an upstream stores. */
  tokens: number
}

/** Looks up every stored response and item to which a body refers. Throws `invalid_request` for
 *  items that the gateway does not store for this account, and for ids that another service issued:
 *  the upstream would not refuse them, because it does not know the accounts of this gateway. */
export async function locateStored(
  { responses }: Pick<HttpDeps, 'responses'>,
  owner: ResponseOwner,
  references: readonly StoredReference[],
): Promise<StorageLocation> {
  const place: StorageLocation = { isHere: false, targets: [], tokens: 0 }
  if (references.length === 0) return place
  const stored = responses.at(owner)
  for (const reference of references) {
    const record = await recordOf(stored, reference)
    const { field } = reference
    if (record?.target === undefined || record.isDeleted) place.isHere = true
    else place.targets.push({ target: record.target, of: record.model, field })
    if (record && reference.kind === 'response') place.tokens += tokensBefore(await originalOf(stored, record))
  }
  return place
}

/** Returns the record of the response or item that a reference names; undefined when it is not
 *  stored, or no longer. Throws `invalid_request` for an id that another service issued and for
 *  an unknown item. */
async function recordOf(stored: AccountResponses, { kind, id, field, response }: StoredReference): Promise<ResponseRecord | undefined> {
  switch (kind) {
    case 'foreign':
      throw notOwned(
        field,
        `${field} is ${JSON.stringify(id.slice(0, 100))}, which is not kept for this account; send its contents instead.`,
        'unsupported',
      )
    case 'response':
      return stored.find(id)
    case 'item':
    case 'container': {
      const record = (response === undefined ? undefined : await stored.find(response)) ?? (await stored.ofItem(id))
      if (record) return record
      const what = kind === 'item' ? `the item '${id.slice(0, 100)}', which` : `the container '${id.slice(0, 100)}', whose response`
      throw notOwned(field, `${field} names ${what} is not stored.`, 'value')
    }
  }
}

function notOwned(field: string, message: string, rule: string): GatewayError {
  return new GatewayError('invalid_request', message, { field, issues: [{ path: ['body', field], message, rule }] })
}
