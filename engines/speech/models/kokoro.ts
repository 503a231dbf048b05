/** Kokoro-82M: one neural network for all voices, and a table of style vectors for each voice. */

import { type FileHandle, open, readFile } from 'node:fs/promises'
import { withGraph } from '@generation-gateway/kit/onnx/graph.ts'
import { floatsOf, integersOf } from '@generation-gateway/kit/onnx/session.ts'
import { tokensOf } from '@generation-gateway/kit/voice/phoneme-tokens.ts'
import { type InferenceSession, Tensor } from 'onnxruntime-node'
import { kokoroVoices } from '../kokoro-voices.ts'
import { lapMs } from '../sound/join.ts'
import { takeFewerPasses } from './fewer-passes.ts'
import { convolveInFloats } from './float-convolutions.ts'
import { openSession } from './session.ts'
import type { SpeakingModel, Utterance } from './speaking-model.ts'
import { marginFrames, partInputs, samplesPerFrame, speakInParts, startsOutput } from './spoken-part.ts'

/** Number of rows in a voice's table: one row for each possible number of phonemes. */
const rows = 510
const rowValues = 256
const sampleRate = 24_000

interface KokoroFiles {
  model: string
  /** Path of the file with the tables of all voices, in the order of `kokoroVoices`. */
  voices: string
}

/** Opens Kokoro. The name of a voice is one of `kokoroVoices`, or several of them joined by `+`
 *  (`am_michael+am_onyx`), which means their mean. */
export async function openKokoro({ model, voices }: KokoroFiles, threads: number): Promise<SpeakingModel> {
  const session = await openNetwork(model, threads)
  return {
    async speak(utterance) {
      const { voice, pace, liveliness, likeness } = utterance
      const { tokens, from, to } = partOf(utterance)
      const style = await styleOf(voices, { voice, phonemes: tokens.length - 2, liveliness, likeness })
      const out = await session.run({
        tokens: new Tensor('int64', tokens, [1, tokens.length]),
        style: new Tensor('float32', style, [1, rowValues]),
        speed: new Tensor('float32', [pace], [1]),
        [partInputs.from]: new Tensor('int64', [BigInt(from)], [1]),
        [partInputs.to]: new Tensor('int64', [BigInt(to)], [1]),
      })
      const starts = integersOf(out, startsOutput)
      return cutOut(floatsOf(out, 'audio'), { starts, from, to })
    },
    close: () => session.release(),
  }
}

/** Returns the tokens of the whole utterance, and the range of tokens of the part to speak. The
 *  range includes the space after the part. */
function partOf({ before = '', phonemes, after = '' }: Utterance): { tokens: BigInt64Array; from: number; to: number } {
  const count = (text: string): number => tokensOf(text).length - 2
  const tokens = tokensOf(before + phonemes + after)
  const from = before === '' ? 0 : 1 + count(before)
  const to = after === '' ? tokens.length : 1 + count(before + phonemes) + (after.startsWith(' ') ? 1 : 0)
  return { tokens, from, to }
}

/** Cuts the part out of the generated sound. On a side where the utterance continues, half a
 *  crossfade length (`lapMs`) of its sound is kept beyond the part. */
function cutOut(made: Float32Array, { starts, from, to }: { starts: readonly number[]; from: number; to: number }): Float32Array {
  const [begin = 0, end = 0] = [starts[from], starts[to]]
  const first = Math.max(0, begin - marginFrames)
  const lap = Math.round((lapMs * sampleRate) / 2000)
  const start = (begin - first) * samplesPerFrame - (from === 0 ? 0 : lap)
  const isLast = to === starts.length - 1
  return made.slice(start, isLast ? undefined : (end - first) * samplesPerFrame + lap)
}

/** Opens the network after applying this project's changes to its graph. */
async function openNetwork(path: string, threads: number): Promise<InferenceSession> {
  const file = await readFile(path)
  let made: Uint8Array[] = []
  const network = withGraph(file, graph => {
    convolveInFloats(graph)
    takeFewerPasses(graph)
    speakInParts(graph)
    made = Array.from(graph.constants.values(), ({ data }) => data).filter(({ buffer }) => buffer !== file.buffer)
  })
  // Frees half a gigabyte at once, which the garbage collector would keep for minutes. Small
  // buffers are left alone, because Node shares one buffer between several small arrays.
  const release = (parts: readonly Uint8Array[]) => {
    for (const { buffer } of parts) if (buffer instanceof ArrayBuffer && buffer.byteLength > 2 ** 20) buffer.transfer(0)
  }
  release([...made, file])
  const session = await openSession(network, threads)
  release([network])
  return session
}

interface StyleChoice {
  voice: string
  phonemes: number
  liveliness: number
  likeness: number
}

/** Returns the style vector of a voice: its first half is the timbre, its second half the manner
 *  of speaking. `likeness` moves the timbre towards the mean of all voices; `liveliness` moves
 *  the manner towards this mean or away from it. */
async function styleOf(file: string, { voice, phonemes, liveliness, likeness }: StyleChoice): Promise<Float32Array> {
  const row = Math.min(Math.max(phonemes - 1, 0), rows - 1)
  const handle = await open(file)
  try {
    const own = await meanOf(handle, voice.split('+'), row)
    const isAsMade = liveliness === 0.5 && likeness >= asItIs
    const middle = isAsMade
      ? own
      : await meanOf(
          handle,
          kokoroVoices.map(({ id }) => id),
          row,
        )
    const manner = 0.4 + 1.2 * liveliness
    const sound = Math.min(1, 0.4 + (0.6 * likeness) / asItIs)
    return own.map((value, at) => middle[at]! + (value - middle[at]!) * (at < rowValues / 2 ? sound : manner))
  } finally {
    await handle.close()
  }
}

/** Likeness at which the timbre is the voice's own; a larger likeness changes nothing. The public
 *  APIs have this default. */
const asItIs = 0.75

async function meanOf(handle: FileHandle, names: readonly string[], row: number): Promise<Float32Array> {
  const mean = new Float32Array(rowValues)
  const bytes = new Uint8Array(rowValues * 4)
  const view = new DataView(bytes.buffer)
  for (const name of names) {
    const index = kokoroVoices.findIndex(({ id }) => id === name)
    if (index < 0) throw new RangeError(`Kokoro has no voice ${name}`)
    await handle.read(bytes, 0, bytes.length, (index * rows + row) * bytes.length)
    for (let at = 0; at < rowValues; at++) mean[at]! += view.getFloat32(at * 4, true) / names.length
  }
  return mean
}
