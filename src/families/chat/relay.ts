import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { memberName, type RelaySpec } from '../../contract/relay.ts'
import { NormalChat } from './normal-answer.ts'

const noChoices = /"choices"\s*:\s*\[\s*\]/
/** Matches `usage` with counts. Some services send a null `usage` in chunks that carry something
 *  else. */
const counts = /"usage"\s*:\s*\{/

/** The facts about chat completions that a relay needs. */
export const chatRelay: RelaySpec = {
  protocol: 'chat',
  capability: 'text.respond',
  splice: { member: 'stream_options', value: optionsWithUsage, isAdded: isUsageAlone },
  normalizer: model => new NormalChat(model),
  scan: { said: 'choices', whole: { in: memberName('message') } },
}

function optionsWithUsage({ stream, stream_options: options }: JsonObject): JsonObject | undefined {
  return stream === true && Object(options).include_usage !== true ? { ...Object(options), include_usage: true } : undefined
}

function isUsageAlone(event: Buffer): boolean {
  if (!event.includes('"usage"')) return false
  const text = event.toString('latin1')
  return noChoices.test(text) && counts.test(text)
}
