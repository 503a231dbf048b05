/** Stores the last successful answer to each search. While none of the model's sources can be
 *  reached, this answer is returned together with its age (docs/interface/text.md#search). */
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { RequestOf, ResultOf } from '@generation-gateway/kit/requests/capabilities.ts'
import { dayMs } from '@generation-gateway/kit/units.ts'
import type { CallContext } from '../../contract/context.ts'
import { upstreamFailures } from '../../contract/description/error-answers.ts'
import { resultOf } from '../../core/records/task.ts'
import { runToEnd } from '../shared/run-end.ts'

type Search = 'search.keyword' | 'search.vertical' | 'search.top'
type SearchResult = ResultOf<Search>

const longestMs = dayMs
const mostKept = 1_000
/** Error codes of a failed search that mean that none of the model's sources could be reached. */
const down: ReadonlySet<ErrorCode> = new Set(upstreamFailures)

/** The stored answers by model. Each reload of the configuration creates new model objects, so the
 *  answers under the old ones are discarded. */
const kept = new WeakMap<object, Map<string, { found: SearchResult; at: number }>>()

/** Returns the answer to a search, and stores it in this process. While no source can be reached,
 *  returns an answer of the last day, marked as stale. Throws the error when there is no such
 *  answer. */
export async function searchOrLastGood<C extends Search>(context: CallContext, capability: C, request: RequestOf<C>): Promise<ResultOf<C>> {
  const answers = kept.get(context.model) ?? new Map<string, { found: SearchResult; at: number }>()
  kept.set(context.model, answers)
  const key = JSON.stringify([capability, request])
  try {
    const found = resultOf(await runToEnd(context, { capability, request }), capability)
    answers.delete(key)
    answers.set(key, { found, at: context.now() })
    // Drops the oldest answers first.
    for (const [oldest] of answers) {
      if (answers.size <= mostKept) break
      answers.delete(oldest)
    }
    return found
  } catch (error) {
    const held = answers.get(key)
    const isDown = error instanceof GatewayError && down.has(error.code)
    if (!held || !isDown || context.now() - held.at > longestMs) throw error
    // The cast is safe: the key contains the capability and the request, so the stored answer has
    // this type.
    return { ...held.found, age: { ...held.found.age, isStale: true } } as ResultOf<C>
  }
}
