import type { TranscriptResult, TranscriptToken } from '@generation-gateway/kit/requests/transcript.ts'
import type { Static } from 'typebox'
import type { ReplyFrame } from '../../contract/replies.ts'
import { type InlinePart, resultOf } from '../../core/records/task.ts'
import type { transcriptionEvent } from './schema.ts'
import { diarized } from './segments.ts'
import { tokenUsage } from './usage.ts'

interface StreamInput {
  prompt: string | undefined
  tellsSpeakers: boolean
}

type Event = Static<typeof transcriptionEvent>

/** Yields the text in deltas while it is recognized, and then the whole text. When the target
 *  does not stream, the whole text is sent as a delta as well, so that the deltas add up to the
 *  text. */
export async function* framesOf(parts: AsyncIterable<InlinePart<'audio.transcribe'>>, requested: StreamInput): AsyncGenerator<ReplyFrame> {
  let said = ''
  let segments = 0
  const sent = new Set<number>()
  for await (const part of parts) {
    if (part.type === 'event' && part.event.type === 'text') {
      said += part.event.delta
      yield frame(delta(part.event.delta, part.event.logprobs))
    }
    // A segment whose speaker is not known yet is sent at the end.
    if (part.type === 'event' && part.event.type === 'segment') {
      const index = segments++
      if (requested.tellsSpeakers && part.event.segment.speaker !== undefined) {
        sent.add(index)
        yield frame(diarized(part.event.segment, index))
      }
    }
    if (part.type !== 'finish') continue
    const result = resultOf(part.task, 'audio.transcribe')
    // Sends the rest of the text that no delta covered, such as the whole text when a call with the
    // same Idempotency-Key is repeated.
    if (result.text.startsWith(said) && result.text !== said)
      yield frame(delta(result.text.slice(said.length), said === '' ? result.logprobs : undefined))
    if (requested.tellsSpeakers)
      for (const [index, segment] of result.segments.entries()) if (!sent.has(index)) yield frame(diarized(segment, index))
    yield frame(done(result, requested.prompt))
    yield { data: '[DONE]' }
  }
}

function delta(text: string, logprobs: TranscriptToken[] | undefined): Event {
  return { type: 'transcript.text.delta', delta: text, ...(logprobs ? { logprobs } : {}) }
}

function done(result: TranscriptResult, prompt: string | undefined): Event {
  const { text, logprobs } = result
  return { type: 'transcript.text.done', text, ...(logprobs ? { logprobs } : {}), usage: tokenUsage(result, prompt) }
}

function frame(data: Event): ReplyFrame {
  return { data }
}
