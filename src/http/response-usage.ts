/** Tokens of background responses that an upstream makes. The answer to the create has none yet: until a reading shows how it ended, it counts as it was held, and then by the upstream's count. */
import { larger, type Price, priced, type QuotaShare, usageLines } from '../core/ledger.ts'
import type { ResponseRecord } from '../core/ports.ts'
import type { UsageUnits } from '../core/requests/job.ts'
import type { TextUsage } from '../core/requests/text.ts'
import type { JsonObject } from '../core/task.ts'
import type { Call } from './call.ts'
import { expectedLines } from './call-counts.ts'
import type { HttpDeps } from './deps.ts'
import type { RelayEnd } from './relay.ts'

/** A background response, the key its tokens are counted for, and the quotas they are counted in. */
export interface OwedResponse {
  id: string
  accountId: string
  keyId: string
  model: string
  price: Price | undefined
  quotas: QuotaShare[]
}

/** What the create of such a response owes. */
export function owedBy({ key, model, hold }: Call): Omit<OwedResponse, 'id'> {
  return { accountId: key.accountId, keyId: key.id, model: model?.id ?? '', price: model?.price, quotas: hold?.quotas ?? [] }
}

/** What the note about such a response keeps beside its target. */
export function owedContent({ keyId, price, quotas }: Omit<OwedResponse, 'id'>): JsonObject {
  // Both are plain data: a price is a record of numbers, a quota's share of texts and numbers.
  return { owedBy: keyId, ...(price ? { price: { ...price } } : {}), quotas: structuredClone(quotas) as unknown as JsonObject[] }
}

/** Undefined for a response whose tokens came with the answer to its create. */
export function owedOf({ id, accountId, model, content }: ResponseRecord): OwedResponse | undefined {
  const keyId = content?.owedBy
  if (typeof keyId !== 'string') return undefined
  // As `owedContent` has written them.
  const { price, quotas } = content as unknown as Pick<OwedResponse, 'price' | 'quotas'>
  return { id, accountId, keyId, model, price, quotas: quotas ?? [] }
}

/** The end of a create, in the commit of its record and under the id of the response: it counts as the answer says, else the larger of what was held and what was said. */
export function oweCall({ clock }: Pick<HttpDeps, 'clock'>, call: Call, { owed, end }: { owed: OwedResponse; end: RelayEnd }): void {
  const said = end.said > 0 ? expectedLines({ inputTokens: call.expected?.inputTokens ?? 0, outputTokens: end.said }) : []
  const lines = end.usage ? priced(owed.price, unitsOf(end.usage)) : larger(owed.price, call.hold?.lines ?? [], said)
  // Its record has no tokens of its own.
  call.runs = []
  call.owed = usageLines(owed, lines.filter(isUsed), clock.now())
}

function isUsed({ units }: UsageUnits): boolean {
  return units > 0
}

/** Counts the tokens at the price of the create, in place of what stood for them; once, however often it is called for a response. */
export function countOwed(deps: Pick<HttpDeps, 'store' | 'clock' | 'log'>, owed: OwedResponse, usage: TextUsage): void {
  const lines = usageLines(owed, priced(owed.price, unitsOf(usage)), deps.clock.now())
  write(deps, owed, () => deps.store.recountUsage({ lines, quotas: owed.quotas }))
}

function write({ log }: Pick<HttpDeps, 'log'>, { id }: OwedResponse, work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    log.error({ err: error, response: id }, 'tokens of a background response could not be counted; its next reading tries again')
  })
}

function unitsOf(usage: TextUsage): UsageUnits[] {
  return [
    { unit: 'input_tokens', units: usage.inputTokens },
    { unit: 'cached_input_tokens', units: usage.cachedInputTokens },
    { unit: 'output_tokens', units: usage.outputTokens },
    { unit: 'reasoning_tokens', units: usage.reasoningTokens },
  ]
}
