import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { memberName, type RelaySpec } from '../../contract/relay.ts'
import { NormalChat } from './normal-answer.ts'
import { keepMs } from './stored/expiry.ts'

const noChoices = /"choices"\s*:\s*\[\s*\]/
/** Matches a `usage` that contains counts. In chunks without usage, some services send `usage`
 *  as null. */
const counts = /"usage"\s*:\s*\{/

/** Declares how chat completions are relayed. */
export const chatRelay: RelaySpec = {
  protocol: 'chat',
  capability: 'text.respond',
  splice: { member: 'stream_options', value: optionsWithUsage, isAdded: isUsageAlone },
  normalizer: model => new NormalChat(model),
  scan: { said: 'choices', whole: { in: memberName('message') } },
  stores: {
    kind: 'completion',
    isWanted: body => body.store === true,
    previousOf: () => undefined,
    expiresAt: (_, now) => now + keepMs,
    isBackground: () => false,
  },
}

function optionsWithUsage({ stream, stream_options: options }: JsonObject): JsonObject | undefined {
  return stream === true && Object(options).include_usage !== true ? { ...Object(options), include_usage: true } : undefined
}

function isUsageAlone(event: Buffer): boolean {
  if (!event.includes('"usage"')) return false
  const text = event.toString('latin1')
  return noChoices.test(text) && counts.test(text)
}
