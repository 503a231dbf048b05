import type { TranscriptSegment } from '@generation-gateway/kit/requests/transcript.ts'

/** Returns a segment with its speaker; `index` counts from 0. Defaults to speaker A when
 *  diarization found no speakers. */
export function diarized({ startSeconds, endSeconds, text, speaker = 'A' }: TranscriptSegment, index: number) {
  const id = `seg_${String(index + 1).padStart(3, '0')}`
  return { type: 'transcript.text.segment' as const, id, start: rounded(startSeconds), end: rounded(endSeconds), text, speaker }
}

/** Returns seconds, rounded to the millisecond. */
export function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
