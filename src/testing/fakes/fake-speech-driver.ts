/** A fake driver for speech. Its voice is a tone whose length depends on the number of
 *  characters, as a valid WAV file or as raw samples. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import { type DriverSpec, defineDriver, streamed } from '@generation-gateway/kit/driver.ts'
import { type Job, type Offers, refusal, type StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import { type SpeechEvent, type SpeechRequest, spokenTexts } from '@generation-gateway/kit/requests/speech.ts'
import { namedVoices } from '@generation-gateway/kit/requests/voices.ts'
import Type from 'typebox'

type SpeechOffer = NonNullable<Offers['speech.synthesize']>
type Events = AsyncIterable<StreamEvent<SpeechEvent>>

/** Sample rate of the tone in Hz; the next constant is the number of samples per character. */
const toneRate = 8_000
export const samplesPerCharacter = 400

/** Returns a driver with this id that serves speech as `offer` says. By default it runs `speakTone`
 *  and accepts the voices that the interface names. */
export function fakeSpeechDriver(id: string, offer: SpeechOffer = toneOffer(), slots = 4): DriverSpec {
  const title = `Fake ${id}`
  const settings = Type.Object({})
  return defineDriver({
    id,
    title,
    kind: 'upstream',
    settings,
    open: () => ({ id, title, queue: { name: `fake:${id}`, slots }, offers: { 'speech.synthesize': offer } }),
  })
}

/** Declares that a driver serves speech by running `run` and supports every field. It refuses
 *  voices that the interface does not name. */
export function toneOffer(run: (job: Job<SpeechRequest>) => Events = speakTone): SpeechOffer {
  return streamed<SpeechRequest, SpeechEvent>(run, {
    isRepeatable: true,
    follows: ['isPrivate', 'instructions', 'style', 'pronunciations', 'previousText', 'nextText'],
    refuses: ({ request: { voice } }) => {
      const known = namedVoices.map(({ id }) => id)
      return voice === undefined || known.includes(voice)
        ? undefined
        : refusal('voice', `${JSON.stringify(voice)} is not known; there are ${known.join(', ')}.`)
    },
  })
}

/** Streams the sound of each character, then the whole file. */
export async function* speakTone(job: Job<SpeechRequest>): Events {
  const { format } = job.request
  const characters = [...spokenTexts(job.request).join('')]
  const header =
    format.container === 'wav'
      ? [wavHeader({ sampleRate: toneRate, channels: 1, dataBytes: characters.length * samplesPerCharacter * 2 })]
      : []
  const pieces = [...header, ...characters.map((_, index) => tone(index * samplesPerCharacter))]
  for (const bytes of pieces) {
    job.signal.throwIfAborted()
    yield { type: 'event', event: { type: 'sound', bytes } }
  }
  const seconds = (characters.length * samplesPerCharacter) / toneRate
  const path = join(job.scratch, 'speech')
  await writeFile(path, Buffer.concat(pieces))
  const mediaType = format.container === 'wav' ? 'audio/wav' : 'audio/mpeg'
  const usage = [
    { unit: 'characters', units: characters.length },
    { unit: 'seconds', units: seconds },
  ]
  const report = { seconds, characters: characters.length }
  yield { type: 'outcome', outcome: { state: 'done', files: [{ path, mediaType, durationSeconds: seconds }], report, usage } }
}

/** Returns the samples of one character: a tone of 440 Hz, signed 16 bit. `from` is the number
 *  of the first sample in the whole tone. */
function tone(from: number): Buffer {
  const bytes = Buffer.alloc(samplesPerCharacter * 2)
  for (let at = 0; at < samplesPerCharacter; at++)
    bytes.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * (from + at)) / toneRate)), at * 2)
  return bytes
}
