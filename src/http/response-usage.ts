/** Tokens of background responses that an upstream makes: the answer to the create has none yet, and every later reading shows them. */
import { priced, usageLines } from '../core/ledger.ts'
import type { ResponseRecord } from '../core/ports.ts'
import type { UsageUnits } from '../core/requests/job.ts'
import type { TextUsage } from '../core/requests/text.ts'
import type { JsonObject } from '../core/task.ts'
import type { HttpDeps } from './deps.ts'

/** A background response and the key its tokens are counted for. */
export interface OwedResponse {
  id: string
  accountId: string
  keyId: string
  model: string
}

/** What the note about such a response keeps beside its target. */
export function owedContent(keyId: string): JsonObject {
  return { owedBy: keyId }
}

/** Undefined for a response whose tokens came with the answer to its create. */
export function owedOf({ id, accountId, model, content }: ResponseRecord): OwedResponse | undefined {
  const keyId = content?.owedBy
  return typeof keyId === 'string' ? { id, accountId, keyId, model } : undefined
}

/** Counts the tokens at the model's price, once however often it is called for a response. An upstream tells them when the response has ended, and null until then. */
export function countOwed(
  { store, catalogue, clock, log }: Pick<HttpDeps, 'store' | 'catalogue' | 'clock' | 'log'>,
  { id, accountId, keyId, model }: OwedResponse,
  usage: TextUsage,
): void {
  const at = clock.now()
  const lines = usageLines({ id, accountId, keyId, model }, priced(catalogue().find('responses', model)?.price, unitsOf(usage)), at)
  store.recordUsage(lines).catch((error: unknown) => {
    log.error({ err: error, response: id }, 'tokens of a background response could not be counted; its next reading tries again')
  })
}

function unitsOf(usage: TextUsage): UsageUnits[] {
  const all = [
    { unit: 'input_tokens', units: usage.inputTokens },
    { unit: 'cached_input_tokens', units: usage.cachedInputTokens },
    { unit: 'output_tokens', units: usage.outputTokens },
    { unit: 'reasoning_tokens', units: usage.reasoningTokens },
  ]
  return all.filter(({ units }) => units > 0)
}
