/** The speaking voice from which singing is made: Hibari's network predicts the sound of each 12.5
 *  ms of a line and the duration of each phone. */
import { readFile } from 'node:fs/promises'
import { withGraph } from '@generation-gateway/kit/onnx/graph.ts'
import { floatsOf, sessionOptions } from '@generation-gateway/kit/onnx/session.ts'
import { type HibariFrames, hibariFrames } from '@generation-gateway/kit/voice/hibari-sound.ts'
import { tokensOf } from '@generation-gateway/kit/voice/phoneme-tokens.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { signsOf } from './phonemes.ts'
import { plain } from './phones.ts'

/** Frames a second. */
export const frameRate = 80

export interface SpokenPhone {
  /** Name of the phone without stress. */
  name: string
  /** Start and end in frames. */
  start: number
  end: number
}

export interface SpokenLine {
  frames: HibariFrames
  phones: SpokenPhone[]
}

export interface SpokenWord {
  /** Phones; vowels may have a stress digit. */
  phones: readonly string[]
}

export interface Speaker extends AsyncDisposable {
  /** Speaks the words. `pace` 1 is the usual pace, 2 is twice as fast. */
  speak(words: readonly SpokenWord[], pace: number): Promise<SpokenLine>
}

/** Number of frames by which the network's sounds come before the times that it reports. Measured
 *  in 24 lines at two paces: at this shift, vowels and voiceless sounds differ most. */
const early = 3

/** Words that are spoken after every line and cut off: at the end of an utterance a voice sinks and
 *  creaks, and such a sound cannot be held. */
const goingOn: readonly SpokenWord[] = [{ phones: ['ae0', 'n', 'd'] }, { phones: ['s', 'ow1'] }]

/** Name of the tensor with the duration of each token, in pairs of frames: the network computes it,
 *  but does not declare it as an output. */
const durations = '/Clip_output_0'

/** Opens the network at a path. Throws the errors of onnxruntime for an invalid file. */
export async function openSpeaker(path: string): Promise<Speaker> {
  const network = withGraph(await readFile(path), ({ outputs }) => {
    outputs.push(durations)
  })
  const session = await InferenceSession.create(network, sessionOptions(1))
  return {
    async speak(words, pace) {
      const { tokens, places } = tokensOfWords([...words, ...goingOn])
      const out = await session.run({
        ids: new Tensor('int64', tokens, [1, tokens.length]),
        speed: new Tensor('float32', [pace], [1]),
      })
      return {
        frames: hibariFrames(out),
        phones: timesOf(places, floatsOf(out, durations)).slice(
          0,
          words.reduce((sum, word) => sum + word.phones.length, 0),
        ),
      }
    },
    [Symbol.asyncDispose]: () => session.release(),
  }
}

/** Returns for each token the index of the phone that it belongs to; -1 for the silence before and
 *  after the words. */
function tokensOfWords(words: readonly SpokenWord[]): { tokens: BigInt64Array; places: { names: string[]; owners: number[] } } {
  const names: string[] = []
  const owners = [-1]
  let text = ''
  words.forEach(({ phones }, index) => {
    // The space between words counts as part of the sound after it.
    let before = index > 0 ? ' ' : ''
    for (const phone of phones) {
      const signs = before + signsOf(phone)
      before = ''
      text += signs
      for (const _ of signs) owners.push(names.length)
      names.push(plain(phone))
    }
  })
  owners.push(-1)
  return { tokens: tokensOf(text), places: { names, owners } }
}

function timesOf({ names, owners }: { names: string[]; owners: number[] }, lengths: Float32Array): SpokenPhone[] {
  const phones = names.map(name => ({ name, start: -1, end: 0 }))
  let at = -early
  owners.forEach((owner, index) => {
    const length = 2 * (lengths[index] ?? 0)
    const phone = phones[owner]
    if (phone) {
      if (phone.start < 0) phone.start = Math.max(0, at)
      phone.end = at + length
    }
    at += length
  })
  return phones
}
