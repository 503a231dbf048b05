/** Runs the neural network on batches of inputs of similar length. */
import { floatsOf, sessionOptions } from '@generation-gateway/kit/onnx/session.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { vectorLength } from './messages.ts'

/** Largest number of tokens of a batch, including its padding. Larger batches are not faster. */
const batchTokens = 2_048
/** Largest share of a batch that may be padding. Computing padding is wasted work, but many small
 *  batches cost time, too, because each run of the network has a fixed cost. */
const mostPadding = 0.15

export interface Network {
  /** Returns the vectors of the inputs, each of length 1, in one array in the order of the inputs.
   *  Awaits `giveWay` between two batches. */
  vectors(inputs: readonly (readonly number[])[], giveWay: () => Promise<void>): Promise<Float32Array>
}

/** Opens the network in a file; it computes with `threads` threads. */
export async function openNetwork(file: string, threads: number): Promise<Network> {
  const session = await InferenceSession.create(file, sessionOptions(threads))
  return {
    async vectors(inputs, giveWay) {
      const vectors = new Float32Array(inputs.length * vectorLength)
      const batches = batchesOf(inputs)
      for (const [number, batch] of batches.entries()) {
        const rows = batch.map(index => inputs[index] ?? [])
        const outputs = await session.run(feedsOf(rows))
        putMeans(floatsOf(outputs, 'last_hidden_state'), { rows, batch, vectors })
        if (number < batches.length - 1) await giveWay()
      }
      return vectors
    },
  }
}

/** Returns batches, each a list of indices of inputs. The shortest inputs come first. */
function batchesOf(inputs: readonly (readonly number[])[]): number[][] {
  const lengthOf = (index: number) => inputs[index]?.length ?? 0
  const sorted = [...inputs.keys()].sort((one, other) => lengthOf(one) - lengthOf(other))
  const batches: number[][] = []
  let tokens = 0
  for (const index of sorted) {
    const batch = batches.at(-1)
    const length = lengthOf(index)
    const whole = ((batch?.length ?? 0) + 1) * length
    if (batch && whole <= batchTokens && whole - tokens - length <= mostPadding * whole) {
      batch.push(index)
      tokens += length
    } else {
      batches.push([index])
      tokens = length
    }
  }
  return batches
}

function feedsOf(rows: readonly (readonly number[])[]): Record<string, Tensor> {
  const width = Math.max(...rows.map(row => row.length))
  const ids = new BigInt64Array(rows.length * width)
  const mask = new BigInt64Array(rows.length * width)
  for (const [number, row] of rows.entries()) {
    for (const [place, id] of row.entries()) ids[number * width + place] = BigInt(id)
    mask.fill(1n, number * width, number * width + row.length)
  }
  const tensor = (values: BigInt64Array) => new Tensor('int64', values, [rows.length, width])
  return { input_ids: tensor(ids), attention_mask: tensor(mask), token_type_ids: tensor(new BigInt64Array(ids.length)) }
}

interface Placement {
  rows: readonly (readonly number[])[]
  /** For each row, its index among all inputs. */
  batch: readonly number[]
  vectors: Float32Array
}

/** Writes the vector of each row to its place in `vectors`: the mean of the hidden states of the
 *  row's tokens, scaled to length 1. */
function putMeans(hidden: Float32Array, { rows, batch, vectors }: Placement): void {
  const width = hidden.length / rows.length / vectorLength
  for (const [number, row] of rows.entries()) {
    const vector = vectors.subarray((batch[number] ?? 0) * vectorLength, ((batch[number] ?? 0) + 1) * vectorLength)
    for (let token = 0; token < row.length; token++) {
      const at = (number * width + token) * vectorLength
      for (let place = 0; place < vectorLength; place++) vector[place] = vector[place]! + hidden[at + place]!
    }
    const length = Math.hypot(...vector) || 1
    for (let place = 0; place < vectorLength; place++) vector[place] = vector[place]! / length
  }
}
