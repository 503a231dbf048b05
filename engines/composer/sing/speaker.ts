/** The speaking voice whose sound is turned into singing. The neural network of the voice Hibari
 *  predicts the sound of a line in frames of 12.5 ms, and the duration of each phone. */
import { readFile } from 'node:fs/promises'
import { withGraph } from '@generation-gateway/kit/onnx/graph.ts'
import { floatsOf, sessionOptions } from '@generation-gateway/kit/onnx/session.ts'
import { type HibariFrames, hibariFrames } from '@generation-gateway/kit/voice/hibari-sound.ts'
import { tokensOf } from '@generation-gateway/kit/voice/phoneme-tokens.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { signsOf } from './phonemes.ts'
import { plain } from './phones.ts'

/** Frames per second. */
export const frameRate = 80

export interface SpokenPhone {
  /** Name of the phone (speech sound), without its stress. */
  name: string
  /** First frame of the phone, and the frame after its last one. */
  start: number
  end: number
}

export interface SpokenLine {
  frames: HibariFrames
  phones: SpokenPhone[]
}

export interface SpokenWord {
  /** Phones of the word. A vowel may end with a digit for its stress. */
  phones: readonly string[]
}

export interface Speaker extends AsyncDisposable {
  /** Returns the words as spoken sound. A `pace` of 1 is the usual pace, 2 is twice as fast. */
  speak(words: readonly SpokenWord[], pace: number): Promise<SpokenLine>
}

/** Number of frames by which the sounds come earlier than the times that the network reports. The
 *  number was measured in 24 lines at two paces: with this shift, vowels and voiceless sounds are
 *  separated best. */
const early = 3

/** Words that are spoken after every line and then cut off. At the end of speech, a voice gets
 *  lower and creaky, and such a sound cannot be lengthened to a sung note. */
const goingOn: readonly SpokenWord[] = [{ phones: ['ae0', 'n', 'd'] }, { phones: ['s', 'ow1'] }]

/** Name of the tensor with the duration of each token, in units of two frames. The network computes
 *  it, but does not list it among its outputs. */
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

/** Returns the tokens of the words, and for each token the index of its phone; -1 for the silence
 *  before and after the words. */
function tokensOfWords(words: readonly SpokenWord[]): { tokens: BigInt64Array; places: { names: string[]; owners: number[] } } {
  const names: string[] = []
  const owners = [-1]
  let text = ''
  words.forEach(({ phones }, index) => {
    // The space between two words is counted as a part of the phone after it.
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
