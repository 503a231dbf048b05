import { geminiUsage } from '@generation-gateway/kit/requests/usage/reported-usage.ts'
import { memberName, type RelaySpec } from '../../contract/relay.ts'
import { googleFailure } from '../shared/google-failure.ts'

/** Declares how whole answers are relayed. Each event of a stream has the token counts so far. */
export const contentRelay: RelaySpec = {
  protocol: 'generate-content',
  capability: 'text.respond',
  modelIn: 'path',
  isStreamed: () => false,
  streamError: error => `\n\ndata: ${JSON.stringify(googleFailure(error, '').body)}\n\n`,
  scan: {
    said: 'candidates',
    whole: { in: memberName('parts') },
    model: 'modelVersion',
    counts: {
      in: memberName('usageMetadata'),
      read: geminiUsage,
      ofEvent: ({ usageMetadata, candidates, promptFeedback }) => {
        const isEnd =
          Object(promptFeedback).blockReason !== undefined || listOfObjects(candidates).some(each => each.finishReason !== undefined)
        return usageMetadata === undefined ? undefined : { counts: usageMetadata, isLast: isEnd }
      },
    },
  },
}

/** Declares how streams of events are relayed. */
export const eventsRelay: RelaySpec = { ...contentRelay, isStreamed: () => true }

function listOfObjects(value: unknown): { finishReason?: unknown }[] {
  return Array.isArray(value) ? value.map(Object) : []
}
