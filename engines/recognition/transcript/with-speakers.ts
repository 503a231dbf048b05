/** Adds speakers to a transcript: segments are split where the speaker changes. */
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import type { TranscribeRequest } from '@generation-gateway/kit/requests/transcript.ts'
import { decodeInTurn, type Recogniser, type Recognition, type RecordingChannel, type WindowTranscript } from '../recognise.ts'
import type { SoundFile } from '../speakers/identify-job.ts'
import { sampleRate } from '../voice/frames.ts'
import type { SpokenSegment } from './words.ts'

/** Longest sample of a known speaker, in seconds: family R1 accepts samples of 10.1 s, and an
 *  encoder may make a file slightly longer. */
const mostSampleSeconds = 10.5

interface SpeakerRequest {
  request: TranscribeRequest
  inputs: readonly InputFile[]
  scratch: string
  signal: AbortSignal
}

/** Returns the windows of a recording with their segments split by speaker. Throws the errors of
 *  the recogniser's `identify` and of decoding a sample. */
export async function withSpeakers(
  recogniser: Recogniser,
  hearing: Recognition,
  windows: readonly WindowTranscript[],
  { request, inputs, scratch, signal }: SpeakerRequest,
): Promise<WindowTranscript[]> {
  const { names = [], most } = request.speakers ?? {}
  const known: (SoundFile & { name: string })[] = []
  for (const [index, input] of inputs.filter(({ role }) => role === 'speaker').entries()) {
    const { seconds, channels } = await decodeInTurn(recogniser, input.path, {
      ...{ scratch, sampleRate, signal },
      ...{ channels: 'mixed', field: 'speaker', name: `speaker-${index}`, mostSeconds: mostSampleSeconds },
    })
    const [sound] = channels
    if (sound) known.push({ name: names[index] ?? `speaker ${index + 1}`, path: sound.path, seconds })
  }
  const speakers = new Map<number, string[]>()
  for (const channel of hearing.channels) {
    const words = wordsOf(windows, channel)
    const sound = { path: channel.path, seconds: hearing.seconds }
    const limit = most === undefined ? {} : { most }
    speakers.set(channel.number, await recogniser.identify({ sound, voiced: channel.stretches, words, known, ...limit }, signal))
  }
  return windows.map(recognised => ({
    ...recognised,
    segments: recognised.segments.flatMap(segment => partedBy(segment, speakers.get(recognised.channel) ?? [])),
  }))
}

function wordsOf(windows: readonly WindowTranscript[], { number }: RecordingChannel): { startSeconds: number; endSeconds: number }[] {
  const words = windows.filter(({ channel }) => channel === number).flatMap(({ segments }) => segments.flatMap(segment => segment.words))
  return words.map(({ startSeconds, endSeconds }) => ({ startSeconds, endSeconds }))
}

/** Splits a segment where the speaker changes. Removes one name for each word from the start of
 *  `speakers`; the first name that remains is that of the next segment's first word. */
function partedBy({ words }: SpokenSegment, speakers: string[]): SpokenSegment[] {
  const parts: SpokenSegment[] = []
  for (const word of words) {
    const speaker = speakers.shift() ?? 'A'
    const last = parts.at(-1)
    if (last?.speaker === speaker) last.words.push(word)
    else parts.push({ speaker, words: [word] })
  }
  return parts
}
