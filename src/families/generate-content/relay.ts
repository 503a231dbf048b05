import { memberName, type RelaySpec } from '../../contract/relay.ts'
import { googleFailure } from '../shared/google-failure.ts'

/** Declares how whole answers are relayed; most of it also holds for streams, in which each event
 *  may have the token counts up to this event. */
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
      read: usage => ({
        inputTokens: sum(usage.promptTokenCount, usage.toolUsePromptTokenCount),
        cachedInputTokens: usage.cachedContentTokenCount,
        outputTokens: sum(usage.candidatesTokenCount, usage.thoughtsTokenCount),
        reasoningTokens: usage.thoughtsTokenCount,
      }),
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

/** Returns the sum of the counts that are numbers above 0. */
function sum(...counts: readonly unknown[]): number {
  return counts.reduce<number>((total, count) => total + (typeof count === 'number' && count > 0 ? count : 0), 0)
}
