/** Replies of a fake upstream for Gemini's generateContent (docs/vendors/gemini.md). */
import type { FakeFrame } from './fake-upstream.ts'
import type { FakeSpeech } from './fake-upstream-text.ts'

/** The signature of thoughts and calls in these replies. */
export const fakeThoughtSignature = 'CiQBsignedByTheUpstream+/w=='

/** Returns a whole answer. */
export function geminiAnswer(speech: FakeSpeech): object {
  return piece(partsOf(speech), speech, true)
}

/** Returns the events of a streamed answer: one for each word, thought and call. Every event has
 *  the counts of input and reasoning tokens. The output tokens are counted only in the last one. */
export function geminiFrames(speech: FakeSpeech): FakeFrame[] {
  const parts = partsOf(speech).flatMap(part => {
    const words = 'text' in part && !('thought' in part) ? String(part.text).match(/\S+\s*|\s+/g) : null
    return words ? words.map(text => ({ text })) : [part]
  })
  return parts.map((part, index) => piece([part], speech, index === parts.length - 1))
}

function piece(parts: object[], { usage, finish = 'STOP' }: FakeSpeech, isLast: boolean): object {
  const { input = 0, cached, output = 0, reasoning } = usage ?? {}
  return {
    candidates: [{ content: { parts, role: 'model' }, ...(isLast ? { finishReason: finish } : {}), index: 0 }],
    usageMetadata: {
      promptTokenCount: input,
      ...(isLast ? { candidatesTokenCount: output - (reasoning ?? 0) } : {}),
      totalTokenCount: input + (isLast ? output : 0),
      ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
      ...(reasoning === undefined ? {} : { thoughtsTokenCount: reasoning }),
    },
    modelVersion: 'up-1',
    responseId: 'gemini-up',
  }
}

function partsOf({ text, reasoning, calls = [] }: FakeSpeech): object[] {
  return [
    ...(reasoning === undefined ? [] : [{ text: reasoning, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id, name, input }, index) => ({
      functionCall: { ...(id === undefined ? {} : { id }), name, args: JSON.parse(input) },
      ...(index === 0 ? { thoughtSignature: fakeThoughtSignature } : {}),
    })),
  ]
}
