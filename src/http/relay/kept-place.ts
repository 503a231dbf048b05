import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { KeptReference } from '../../contract/operation.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import type { AccountResponses } from '../../core/responses.ts'
import type { CatalogueModel } from '../../core/routing/catalogue.ts'
import type { HttpDeps } from '../deps.ts'
import { tokensBefore } from './response-note.ts'
import { originalOf } from './response-recording.ts'

/** Where the things are kept that a body names. */
export interface KeptPlace {
  /** One of them is kept here, or nowhere: the family's handler knows what to say. */
  isHere: boolean
  /** Targets that keep the others, the model they are of, and the field that names them. */
  targets: { target: string; of: string; field: string }[]
  /** Tokens of the conversation that is continued, as far as an upstream keeps it. */
  tokens: number
}

interface Asked {
  account: string
  endpoint: string
  model: CatalogueModel
}

/** Looks up everything a body names that is kept. Throws `invalid_request` for what the account does not own: at an upstream all accounts of this gateway are the same customer. */
export async function placeOf(
  { responses }: Pick<HttpDeps, 'responses'>,
  { account, endpoint }: Asked,
  references: readonly KeptReference[],
): Promise<KeptPlace> {
  const place: KeptPlace = { isHere: false, targets: [], tokens: 0 }
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

/** Undefined for one that nobody keeps, or no longer. */
async function recordOf(stored: AccountResponses, { kind, id, field, response }: KeptReference): Promise<ResponseRecord | undefined> {
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
