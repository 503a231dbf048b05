/** Token counts of responses that upstreams store. A background response has no counts when it is
 *  created, so the reserved amount is counted first; the upstream's counts replace it when a later
 *  read shows how the response ended. Any other response is counted by the call that creates it.
 *  While that call is open, the tokens that a read shows are counted separately (`openReadingId`);
 *  the end of the call replaces them. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import { unitsOfUsage } from '@generation-gateway/kit/requests/text.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import { larger, type Price, priced, type QuotaShare } from '../../core/records/ledger.ts'
import { openReadingId, usageLines } from '../../core/records/lines.ts'
import type { Call } from '../call/call.ts'
import { expectedLines, isUsed } from '../call/call-counts.ts'
import type { HttpDeps } from '../deps.ts'
import type { RelayEnd } from './relay-types.ts'

/** A background response whose tokens may still have to be counted, the key that pays for them,
 *  and the quotas towards which they count. */
export interface OwedResponse {
  id: string
  accountId: string
  keyId: string
  model: string
  price: Price | undefined
  quotas: QuotaShare[]
  /** Tokens that were already counted by the call that created the response. */
  counted?: { inputTokens: number; outputTokens: number }
  /** True when the call that creates the response, and will count it, is still open. */
  isOpen?: true
}

/** Returns the details with which the tokens of a background response are counted later: the
 *  account and key that pay, the price, and the quotas. */
export function owedBy({ key, model, hold }: Call): Omit<OwedResponse, 'id'> {
  return { accountId: key.accountId, keyId: key.id, model: model?.id ?? '', price: model?.price, quotas: hold?.quotas ?? [] }
}

/** Returns the members that are stored with a response so that a later read can count its
 *  tokens. */
export function owedContent({ keyId, price, quotas, counted, isOpen }: Omit<OwedResponse, 'id'>): JsonObject {
  return {
    owedBy: keyId,
    ...(price ? { price: { ...price } } : {}),
    // The cast is safe: quotas are plain data, strings and numbers.
    quotas: structuredClone(quotas) as unknown as JsonObject[],
    ...(counted ? { counted: { ...counted } } : {}),
    ...(isOpen ? { isOpen } : {}),
  }
}

/** Returns the response if its tokens still have to be counted; undefined when the call that
 *  created it has counted them. */
export function owedOf({ id, accountId, model, content }: ResponseRecord): OwedResponse | undefined {
  const keyId = content?.owedBy
  if (typeof keyId !== 'string') return undefined
  // The cast is safe: `owedContent` wrote these members.
  const { price, quotas, counted, isOpen } = content as unknown as Pick<OwedResponse, 'price' | 'quotas' | 'counted' | 'isOpen'>
  return { id, accountId, keyId, model, price, quotas: quotas ?? [], ...(counted ? { counted } : {}), ...(isOpen ? { isOpen } : {}) }
}

/** Counts the usage of a call that creates a background response. The usage is stored under the id
 *  of that response, in the same commit as the record of the call. When the answer reports no
 *  usage, the larger of two amounts is counted: the output so far, or the reserved amount (the
 *  expected one when nothing was reserved). When reads of the response have already counted more,
 *  their amount is kept. */
export function oweCall({ clock }: Pick<HttpDeps, 'clock'>, call: Call, { owed, end }: { owed: OwedResponse; end: RelayEnd }): void {
  const { expected = { inputTokens: 0, outputTokens: 0 }, hold } = call
  const said = expectedLines({ inputTokens: expected.inputTokens, outputTokens: end.said })
  const lines = end.usage ? priced(owed.price, unitsOfUsage(end.usage)) : larger(owed.price, hold?.lines ?? expectedLines(expected), said)
  // The tokens are recorded under the id of the response, so the record of the call itself counts
  // none.
  call.runs = []
  call.owed = { lines: usageLines(owed, lines.filter(isUsed), clock.now()), isLeast: end.usage === undefined }
}

/** Counts the usage that a read of the response has shown, at the price from its creation. Counts
 *  of the upstream replace the earlier estimate. Without such counts, the counted output tokens are
 *  raised to `said`, and never lowered. A second call with the same usage changes nothing. */
export function countOwed(
  deps: Pick<HttpDeps, 'store' | 'clock' | 'log'>,
  owed: OwedResponse,
  { usage, said }: Pick<RelayEnd, 'usage' | 'said'>,
): void {
  const units = usage ? unitsOfUsage(usage) : expectedLines({ inputTokens: 0, outputTokens: said })
  const lines = usageLines(
    owed.isOpen ? { ...owed, id: openReadingId(owed.id) } : owed,
    priced(
      owed.price,
      units.map(line => beyond(line, owed.counted)),
    ),
    deps.clock.now(),
  )
  write(deps, owed, () => deps.store.recountUsage({ lines, quotas: owed.quotas, isLeast: usage === undefined }))
}

/** Returns the units without those that were already counted when the response was created. */
function beyond({ unit, units }: UsageUnits, counted: OwedResponse['counted']): UsageUnits {
  const known = unit === 'input_tokens' ? counted?.inputTokens : unit === 'output_tokens' ? counted?.outputTokens : 0
  return { unit, units: Math.max(0, units - (known ?? 0)) }
}

function write({ log }: Pick<HttpDeps, 'log'>, { id }: OwedResponse, work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    log.error({ err: error, response: id }, 'tokens of a background response could not be counted; its next reading tries again')
  })
}
