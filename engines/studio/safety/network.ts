import { join } from 'node:path'
import type { Tensor, Tensor1D, Tensor2D, Tensor4D } from '@tensorflow/tfjs-core'
import * as tf from '@tensorflow/tfjs-core'
import { startBackend } from './backend.ts'
import { readModel, tensorOf, type WeightTensor } from './model/format.ts'

/** Side of the square picture the network looks at, pixels. */
export const networkSide = 224

/** The network with its weights in the memory of the WebAssembly backend. */
export interface Network {
  /** Returns the five class probabilities (sum 1, order drawing, hentai, neutral, porn, sexy) of one picture.
   *  `rgb`: `networkSide` squared times 3 bytes, row by row, red first. Throws a RangeError at any other length. */
  run(rgb: Uint8Array): Float32Array
  /** Frees the weights; the network cannot be used afterwards. */
  close(): void
}

interface Convolution {
  readonly filter: Tensor4D
  readonly bias: Tensor1D
}
interface Block {
  readonly expand: Convolution | undefined
  readonly depthwise: Convolution
  readonly project: Convolution
  readonly stride: 1 | 2
}
interface Dense {
  readonly matrix: Tensor2D
  readonly bias: Tensor1D
}

// MobileNetV2 (Sandler et al. 2018, table 2) at width 1: seventeen inverted residual blocks, these four halve the picture.
const lastBlock = 16
const halvingBlocks = new Set([1, 3, 6, 13])
// Keras's default of the batch normalisation layers, as written in the model's own topology.
const epsilon = 0.001

/** Loads the weights and starts the backend; prints nothing. Runs on one thread with SIMD. Throws when the backend cannot start. */
export async function openNetwork(): Promise<Network> {
  const [weights] = await Promise.all([readModel(join(import.meta.dirname, 'model/nsfw-mobilenet-v2.bin'), 'NSFWMBV2'), startBackend()])
  const stem = readConvolution(weights, 'Conv1', 'bn_Conv1', 'kernel')
  const blocks = Array.from({ length: lastBlock + 1 }, (_, index) => readBlock(weights, index))
  const head = readConvolution(weights, 'Conv_1', 'Conv_1_bn', 'kernel')
  const dense = ['dense_1', 'dense_2', 'dense_3'].map(name => readDense(weights, name))
  return {
    run(rgb) {
      if (rgb.length !== networkSide * networkSide * 3) throw new RangeError(`The network takes ${networkSide}x${networkSide} RGB bytes.`)
      const scores = tf.tidy(() => {
        const picture = tf.tensor4d(
          Float32Array.from(rgb, value => value / 255),
          [1, networkSide, networkSide, 3],
        )
        const features = convolve(blocks.reduce(applyBlock, convolve(picture, stem, 2, 'relu6')), head, 1, 'relu6')
        return tf.softmax(applyDense(tf.mean(features, [1, 2]), dense))
      })
      const values = Float32Array.from(scores.dataSync())
      scores.dispose()
      return values
    },
    close() {
      const convolutions = [stem, head, ...blocks.flatMap(block => [block.expand ?? [], block.depthwise, block.project].flat())]
      tf.dispose([convolutions.map(({ filter, bias }) => [filter, bias]), dense.map(({ matrix, bias }) => [matrix, bias])])
    },
  }
}

function convolve(input: Tensor4D, { filter, bias }: Convolution, strides: 1 | 2, activation: 'relu6' | 'linear'): Tensor4D {
  return tf.fused.conv2d({ x: input, filter, bias, strides, pad: 'same', activation })
}

/** Expand, filter each channel, project; the input is added again where neither size nor channels change. */
function applyBlock(input: Tensor4D, { expand, depthwise, project, stride }: Block): Tensor4D {
  const expanded = expand === undefined ? input : convolve(input, expand, 1, 'relu6')
  const { filter, bias } = depthwise
  const filtered = tf.fused.depthwiseConv2d({ x: expanded, filter, bias, strides: stride, pad: 'same', activation: 'relu6' })
  const projected = convolve(filtered, project, 1, 'linear')
  return stride === 1 && input.shape[3] === projected.shape[3] ? tf.add(input, projected) : projected
}

function applyDense(features: Tensor2D, layers: readonly Dense[]): Tensor {
  let values: Tensor = features
  for (const [index, { matrix, bias }] of layers.entries()) {
    const activation = index === layers.length - 1 ? 'linear' : 'relu'
    values = tf.fused.matMul({ a: values, b: matrix, transposeA: false, transposeB: false, bias, activation })
  }
  return values
}

function readBlock(weights: Map<string, WeightTensor>, index: number): Block {
  const name = index === 0 ? 'expanded_conv' : `block_${index}`
  return {
    expand: index === 0 ? undefined : readConvolution(weights, `${name}_expand`, `${name}_expand_BN`, 'kernel'),
    depthwise: readConvolution(weights, `${name}_depthwise`, `${name}_depthwise_BN`, 'depthwise_kernel'),
    project: readConvolution(weights, `${name}_project`, `${name}_project_BN`, 'kernel'),
    stride: halvingBlocks.has(index) ? 2 : 1,
  }
}

/** Folds the normalisation that follows a convolution into its filter and a bias, which spares a pass over every activation. */
function readConvolution(weights: Map<string, WeightTensor>, layer: string, normalisation: string, kernel: string): Convolution {
  const { shape, values } = tensorOf(weights, `${layer}/${kernel}`)
  const [height = 0, width = 0, inputs = 0, outputs = 0] = shape
  const [gamma, beta, mean, variance] = ['gamma', 'beta', 'moving_mean', 'moving_variance'].map(
    part => tensorOf(weights, `${normalisation}/${part}`).values,
  )
  if (gamma === undefined || beta === undefined || mean === undefined || variance === undefined)
    throw new Error(`${normalisation} is incomplete.`)
  const factors = gamma.map((scale, channel) => scale / Math.sqrt(variance[channel]! + epsilon))
  const folded = values.map((value, index) => value * factors[index % factors.length]!)
  const bias = beta.map((shift, channel) => shift - mean[channel]! * factors[channel]!)
  return { filter: tf.tensor4d(folded, [height, width, inputs, outputs]), bias: tf.tensor1d(bias) }
}

function readDense(weights: Map<string, WeightTensor>, layer: string): Dense {
  const { shape, values } = tensorOf(weights, `${layer}/kernel`)
  const [inputs = 0, outputs = 0] = shape
  return { matrix: tf.tensor2d(values, [inputs, outputs]), bias: tf.tensor1d(tensorOf(weights, `${layer}/bias`).values) }
}
