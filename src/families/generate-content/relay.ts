import { objectsOf } from '@generation-gateway/kit/json.ts'
import { geminiUsage } from '@generation-gateway/kit/requests/usage/reported-usage.ts'
import { contentSearches } from '@generation-gateway/kit/requests/usage/searches.ts'
import { memberName, type RelaySpec } from '../../contract/relay.ts'
import { googleFailure } from '../shared/google-failure.ts'
import { endOfBroken } from './json-array.ts'
import { hasClip } from './parts.ts'
import { needsGemini } from './tools.ts'

/** Declares how whole answers are relayed. The declaration for streams is derived from this one; in
 *  a stream, each event may contain the token counts up to that event. */
export const contentRelay: RelaySpec = {
  protocol: 'generate-content',
  capability: 'text.respond',
  modelIn: 'path',
  needsRelay: body => needsGemini(body) || hasClip(body),
  isStreamed: () => false,
  streamError: (error, requestId) => `\n\ndata: ${JSON.stringify(googleFailure(error, requestId).body)}\n\n`,
  scan: {
    said: 'candidates',
    whole: { in: memberName('parts') },
    model: 'modelVersion',
    searches: {
      marks: [memberName('groundingMetadata')],
      members: { modelVersion: true, candidates: { groundingMetadata: { webSearchQueries: true, imageSearchQueries: true } } },
      in: contentSearches,
    },
    counts: {
      in: memberName('usageMetadata'),
      read: geminiUsage,
      ofEvent: ({ usageMetadata, candidates, promptFeedback }) => {
        const isEnd =
          Object(promptFeedback).blockReason !== undefined || objectsOf(candidates).some(each => each.finishReason !== undefined)
        return usageMetadata === undefined ? undefined : { counts: usageMetadata, isLast: isEnd }
      },
    },
  },
}

/** Declares how streams of events are relayed. */
export const eventsRelay: RelaySpec = { ...contentRelay, isStreamed: () => true }

/** Declares how a stream is relayed to a caller that wants a JSON array. The gateway requests
 *  events from the upstream in this case, too, so that the same code reads both kinds of stream. */
export const arrayRelay: RelaySpec = { ...eventsRelay, isArray: true, streamError: endOfBroken }

/** Declares how counts of input tokens are relayed. The body may contain a whole request for
 *  content. Google's service requires that this inner request names the same model as the path. */
export const countRelay: RelaySpec = {
  ...contentRelay,
  minor: 'count',
  modelWithin: { members: ['generateContentRequest', 'generate_content_request'], name: model => `models/${model}` },
}
