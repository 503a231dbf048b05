import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { memberName, type RelaySpec } from '../../contract/relay.ts'
import { NormalChat } from './normal-answer.ts'

const noChoices = /"choices"\s*:\s*\[\s*\]/
/** Some services say null in chunks that carry something else. */
const counts = /"usage"\s*:\s*\{/

/** What a relay has to know of chat completions. */
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
