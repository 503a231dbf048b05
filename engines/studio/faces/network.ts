import { join } from 'node:path'
import type { Tensor1D, Tensor4D } from '@tensorflow/tfjs-core'
import * as tf from '@tensorflow/tfjs-core'
import { startBackend } from '../safety/backend.ts'
import { readModel, tensorOf, type WeightTensor } from '../safety/model/format.ts'

/** A place where the network sees a face. */
export interface Face {
  /** How sure it is, 0 to 1. */
  readonly score: number
  /** Middle and size as shares of the side of the square that was looked at. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface FaceNetwork {
  /** Returns the places with at least `least`, surest first, neighbours of one face included. `rgb`: a square of `side` pixels (a multiple of 32), row by row, red first. About 30 ms of one core at 224, 90 ms at 416. */
  run(rgb: Uint8Array, side: number, least: number): Face[]
}

interface Layer {
  /** Of a separable convolution. */
  readonly depthwise?: Tensor4D
  readonly filter: Tensor4D
  readonly bias: Tensor1D
}

/** Mean of the pictures that the network was trained with, of 255. */
const mean = [117.001, 114.697, 97.404]
/** Width and height of the five shapes of face in each cell, in cells. */
const shapes = [
  [1.603231, 2.094468],
  [6.041143, 7.080126],
  [2.882459, 3.518061],
  [4.266906, 5.178857],
  [9.041765, 10.66308],
] as const
/** Of each shape: x, y, width, height, score. */
const valuesPerShape = 5

/** Loads the weights of face-api's tiny detector and starts the backend; prints nothing. Throws when either fails. */
export async function openFaceNetwork(): Promise<FaceNetwork> {
  const [weights] = await Promise.all([readModel(join(import.meta.dirname, 'model/tiny-face-detector.bin'), 'TINYFACE'), startBackend()])
  const layers = [0, 1, 2, 3, 4, 5, 8].map(number => readLayer(weights, `conv${number}`))
  return {
    run(rgb, side, least) {
      if (rgb.length !== side * side * 3) throw new RangeError(`The picture has ${rgb.length} bytes, not ${side}x${side}x3.`)
      const output = tf.tidy(() =>
        evaluate(
          tf.tensor4d(
            Float32Array.from(rgb, (value, index) => (value - mean[index % 3]!) / 255),
            [1, side, side, 3],
          ),
          layers,
        ),
      )
      const cells = output.shape[1]!
      const values = output.dataSync()
      output.dispose()
      return facesIn(values, cells, least)
    },
  }
}

/** The picture is halved after each layer but the last two. */
function evaluate(picture: Tensor4D, layers: readonly Layer[]): Tensor4D {
  const last = layers.length - 1
  return layers.reduce((input, layer, index) => {
    const output = convolve(input, layer, { pad: index === 0 || index === last ? 'valid' : 'same', isLinear: index === last })
    return index === last ? output : tf.maxPool(output, 2, index === last - 1 ? 1 : 2, 'same')
  }, picture)
}

function convolve(
  input: Tensor4D,
  { depthwise, filter, bias }: Layer,
  { pad, isLinear }: { pad: 'valid' | 'same'; isLinear: boolean },
): Tensor4D {
  const x = depthwise === undefined ? input : tf.depthwiseConv2d(input, depthwise, 1, pad)
  const activation = isLinear ? 'linear' : 'leakyrelu'
  return tf.fused.conv2d({ x, filter, bias, strides: 1, pad, activation, leakyreluAlpha: 0.1 })
}

function facesIn(values: ArrayLike<number>, cells: number, least: number): Face[] {
  const faces: Face[] = []
  for (let cell = 0; cell < cells * cells; cell++) {
    for (const [index, [shapeWidth, shapeHeight]] of shapes.entries()) {
      const at = (cell * shapes.length + index) * valuesPerShape
      const score = logistic(values[at + 4]!)
      if (score < least) continue
      const x = ((cell % cells) + logistic(values[at]!)) / cells
      const y = (Math.floor(cell / cells) + logistic(values[at + 1]!)) / cells
      const [width, height] = [(Math.exp(values[at + 2]!) * shapeWidth) / cells, (Math.exp(values[at + 3]!) * shapeHeight) / cells]
      faces.push({ score, x, y, width, height })
    }
  }
  return faces.sort((a, b) => b.score - a.score)
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value))
}

function readLayer(weights: Map<string, WeightTensor>, name: string): Layer {
  const bias = tf.tensor1d(tensorOf(weights, `${name}/bias`).values)
  if (weights.has(`${name}/filters`)) return { filter: filterOf(weights, `${name}/filters`), bias }
  return { depthwise: filterOf(weights, `${name}/depthwise_filter`), filter: filterOf(weights, `${name}/pointwise_filter`), bias }
}

function filterOf(weights: Map<string, WeightTensor>, name: string): Tensor4D {
  const { shape, values } = tensorOf(weights, name)
  const [height = 0, width = 0, inputs = 0, outputs = 0] = shape
  return tf.tensor4d(values, [height, width, inputs, outputs])
}
