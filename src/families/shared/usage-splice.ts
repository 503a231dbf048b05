/** Makes an upstream send the token counts at the end of a stream of chunks (chat completions,
 *  legacy completions). Also recognizes the additional chunk with these counts, because the
 *  caller did not request that chunk. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Splice } from '../../contract/relay.ts'

const noChoices = /"choices"\s*:\s*\[\s*\]/
/** Matches a `usage` with counts. Some services send `usage: null` in chunks without counts. */
const counts = /"usage"\s*:\s*\{/

export const usageSplice: Splice = { member: 'stream_options', value: optionsWithUsage, isAdded: isUsageAlone }

function optionsWithUsage({ stream, stream_options: options }: JsonObject): JsonObject | undefined {
  return stream === true && Object(options).include_usage !== true ? { ...Object(options), include_usage: true } : undefined
}

function isUsageAlone(event: Buffer): boolean {
  if (!event.includes('"usage"')) return false
  const text = event.toString('latin1')
  return noChoices.test(text) && counts.test(text)
}
