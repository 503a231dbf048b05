/** Runs a speech request: from its text to the bytes of the sound file. */
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeSound, mediaTypeOf } from '@generation-gateway/kit/audio/encode.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import type { Job, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import {
  type SpeechEvent,
  type SpeechNotice,
  type SpeechRequest,
  type SpeechResult,
  spokenTexts,
} from '@generation-gateway/kit/requests/speech.ts'
import type { VoiceChoice } from './choose-voice.ts'
import type { SpeechHost } from './host.ts'
import { rateOf } from './makers.ts'
import { speakCues, speakPassages, speakText } from './speech-samples.ts'

/** Length in seconds of the file for a text without words (`...`, `***`). */
const silentSeconds = 0.5

/** Yields the bytes of the sound file while it is made, then the outcome. A slow reader limits how
 *  far the work runs ahead (back-pressure). Leaving the loop stops the work after the current
 *  chunk. Throws the errors of the host and the encoder. */
export async function* speakRequest(
  host: SpeechHost,
  speakers: readonly [VoiceChoice, ...VoiceChoice[]],
  { account, request, scratch, signal: left }: Job<SpeechRequest>,
): AsyncGenerator<StreamEvent<SpeechEvent>> {
  const [speaker] = speakers
  const sampleRate = Math.max(...new Set(speakers.map(({ voice }) => rateOf(voice.maker))))
  const stop = new AbortController()
  const signal = AbortSignal.any([left, stop.signal])
  const said = { characters: 0 }
  const notices = noticesOf(speakers, request)
  const work = { account, host, speaker, request, signal, said, rate: sampleRate }
  const passages = request.passages?.map(({ text, pauseMs }, index) => ({ text, pauseMs, speaker: speakers[index] ?? speaker }))
  const parts = passages ? speakPassages(work, passages) : request.cues ? speakCues(work, request.cues) : speakText(work)
  let count = 0
  const counted = async function* () {
    for await (const part of parts) {
      count += part.length
      yield part
    }
    // A text of punctuation only gives a short silent file. When the text has letters or digits but
    // the voice cannot speak any of them, that is an error.
    if (count === 0) {
      if (spokenTexts(request).some(text => /[\p{L}\p{N}]/u.test(text)))
        throw new GatewayError('invalid_request', about('text', `has nothing that the voice ${speaker.voice.id} can say.`), {
          field: 'text',
        })
      count = Math.round(silentSeconds * sampleRate)
      yield new Float32Array(count)
    }
  }
  const path = join(scratch, `speech.${request.format.container}`)
  const file = request.isPrivate ? undefined : await open(path, 'w+', 0o600)
  try {
    let hasBegun = false
    for await (const bytes of encodeSound(counted(), { sampleRate, format: request.format, signal })) {
      // Notices are sent together with the first sound. If the run fails before it, nothing has
      // been sent, so the gateway can fail over to another target.
      if (!hasBegun) for (const notice of notices) yield { type: 'event', event: { type: 'notice', ...notice } }
      hasBegun = true
      await file?.write(bytes)
      yield { type: 'event', event: { type: 'sound', bytes } }
    }
    if (file && request.format.container === 'wav') await tellWavSizes(file)
  } finally {
    stop.abort()
    await file?.close()
  }
  const seconds = count / sampleRate
  const { characters } = said
  const report: SpeechResult = { seconds, characters, ...leftOutBy(speakers, request, notices) }
  const files = file ? [{ path, mediaType: mediaTypeOf(request.format), durationSeconds: seconds }] : []
  // Only text that produced sound is charged.
  const usage = [
    { unit: 'characters', units: characters },
    { unit: 'seconds', units: characters > 0 ? seconds : 0 },
  ]
  yield { type: 'outcome', outcome: { state: 'done', files, report: { ...report }, usage } }
}

/** Writes the sizes into the WAV header. The sizes were not known when the header was written. */
async function tellWavSizes(file: FileHandle): Promise<void> {
  const { size } = await file.stat()
  const head = Buffer.alloc(256)
  await file.read(head, 0, head.length, 0)
  const data = head.indexOf('data', 12, 'latin1') + 4
  if (data < 16) return
  head.writeUInt32LE(size - 8, 4)
  head.writeUInt32LE(size - data - 4, data)
  await file.write(head, 0, data + 4, 0)
}

/** Returns notices for the caller: which voices replace requested ones, and which request fields
 *  the voices ignore. */
function noticesOf(speakers: readonly VoiceChoice[], request: SpeechRequest): SpeechNotice[] {
  const standIns = new Map(
    speakers.flatMap(({ isStandIn, requested, voice }) => (isStandIn && requested !== undefined ? [[requested, voice.id]] : [])),
  )
  const voices = [...standIns].map(([requested, own]) => ({
    field: 'voice' as const,
    says: `${requested} is spoken by ${own}.`,
  }))
  const left = new Set(speakers.flatMap(each => notFollowedBy(each, request)))
  left.delete('voice')
  return [...voices, ...[...left].map(field => ({ field, says: 'not followed by this voice.' }))]
}

/** Returns the members of the result that list what was not followed, and the notices; an empty
 *  object when there is nothing to report. */
function leftOutBy(
  speakers: readonly VoiceChoice[],
  request: SpeechRequest,
  notices: SpeechNotice[],
): Pick<SpeechResult, 'notFollowed' | 'notices'> {
  const notFollowed = [...new Set(speakers.flatMap(each => notFollowedBy(each, request)))]
  return { ...(notFollowed.length > 0 ? { notFollowed } : {}), ...(notices.length > 0 ? { notices } : {}) }
}

function notFollowedBy(
  { isStandIn, voice, requested }: VoiceChoice,
  { instructions, previousText, style = {}, pronunciations }: SpeechRequest,
): (keyof SpeechRequest)[] {
  const left: (keyof SpeechRequest)[] = []
  if (isStandIn && requested !== undefined) left.push('voice')
  if (instructions !== undefined) left.push('instructions')
  if (previousText !== undefined) left.push('previousText')
  // Flite and eSpeak NG analyse the text themselves; for the other models the engine does.
  const isPlain = voice.maker === 'Flite' || voice.maker === 'ESpeak'
  if (isPlain && pronunciations) left.push('pronunciations')
  const isFlat = isPlain && (style.stability !== undefined || style.exaggeration !== undefined)
  // `similarity` below 0.75 moves a voice towards the mean of all voices, and only Kokoro has
  // enough voices for a mean. From 0.75 on, nothing would change, so the field does not count as
  // ignored.
  if (isFlat || (voice.maker !== 'Kokoro' && (style.similarity ?? 1) < 0.75)) left.push('style')
  return left
}
