/** Tokens of background responses that an upstream makes. The answer to the create has none yet: until a reading shows how it ended, it counts as it was held, and then by the upstream's count. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import { unitsOfUsage } from '@generation-gateway/kit/requests/text.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import { larger, type Price, priced, type QuotaShare } from '../../core/records/ledger.ts'
import { usageLines } from '../../core/records/lines.ts'
import type { Call } from '../call/call.ts'
import { expectedLines } from '../call/call-counts.ts'
import type { HttpDeps } from '../deps.ts'
import type { RelayEnd } from './relay-types.ts'

/** A background response, the key its tokens are counted for, and the quotas they are counted in. */
export interface OwedResponse {
  id: string
  accountId: string
  keyId: string
  model: string
  price: Price | undefined
  quotas: QuotaShare[]
  /** What the record of its create has counted already. */
  counted?: { inputTokens: number; outputTokens: number }
}

/** What the create of such a response owes. */
export function owedBy({ key, model, hold }: Call): Omit<OwedResponse, 'id'> {
  return { accountId: key.accountId, keyId: key.id, model: model?.id ?? '', price: model?.price, quotas: hold?.quotas ?? [] }
}

/** What the note about such a response keeps beside its target. */
export function owedContent({ keyId, price, quotas, counted }: Omit<OwedResponse, 'id'>): JsonObject {
  return {
    owedBy: keyId,
    ...(price ? { price: { ...price } } : {}),
    // Plain data: texts and numbers.
    quotas: structuredClone(quotas) as unknown as JsonObject[],
    ...(counted ? { counted: { ...counted } } : {}),
  }
}

/** Undefined for a response whose tokens came with the answer to its create. */
export function owedOf({ id, accountId, model, content }: ResponseRecord): OwedResponse | undefined {
  const keyId = content?.owedBy
  if (typeof keyId !== 'string') return undefined
  // As `owedContent` has written them.
  const { price, quotas, counted } = content as unknown as Pick<OwedResponse, 'price' | 'quotas' | 'counted'>
  return { id, accountId, keyId, model, price, quotas: quotas ?? [], ...(counted ? { counted } : {}) }
}

/** The end of a background create, in the commit of its record and under the id of the response: it counts as the answer says, else the larger of what was said and what is held, or would be, for it. */
export function oweCall({ clock }: Pick<HttpDeps, 'clock'>, call: Call, { owed, end }: { owed: OwedResponse; end: RelayEnd }): void {
  const { expected = { inputTokens: 0, outputTokens: 0 }, hold } = call
  const said = expectedLines({ inputTokens: expected.inputTokens, outputTokens: end.said })
  const lines = end.usage ? priced(owed.price, unitsOfUsage(end.usage)) : larger(owed.price, hold?.lines ?? expectedLines(expected), said)
  // Its record has no tokens of its own.
  call.runs = []
  call.owed = usageLines(owed, lines.filter(isUsed), clock.now())
}

function isUsed({ units }: UsageUnits): boolean {
  return units > 0
}

/** Counts what a reading has shown, at the price of the create: the upstream's count in place of what stood for it, else no less than was said. Once, however often it is called for a response. */
export function countOwed(
  deps: Pick<HttpDeps, 'store' | 'clock' | 'log'>,
  owed: OwedResponse,
  { usage, said }: Pick<RelayEnd, 'usage' | 'said'>,
): void {
  const units = usage ? unitsOfUsage(usage) : expectedLines({ inputTokens: 0, outputTokens: said })
  const lines = usageLines(
    owed,
    priced(
      owed.price,
      units.map(line => beyond(line, owed.counted)),
    ),
    deps.clock.now(),
  )
  write(deps, owed, () => deps.store.recountUsage({ lines, quotas: owed.quotas, isLeast: usage === undefined }))
}

/** Without what the record of the create has. */
function beyond({ unit, units }: UsageUnits, counted: OwedResponse['counted']): UsageUnits {
  const known = unit === 'input_tokens' ? counted?.inputTokens : unit === 'output_tokens' ? counted?.outputTokens : 0
  return { unit, units: Math.max(0, units - (known ?? 0)) }
}

function write({ log }: Pick<HttpDeps, 'log'>, { id }: OwedResponse, work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    log.error({ err: error, response: id }, 'tokens of a background response could not be counted; its next reading tries again')
  })
}
