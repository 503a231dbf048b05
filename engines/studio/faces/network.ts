import { join } from 'node:path'
import { openNetworkFile } from '../networks/open-network.ts'

/** A place where the network sees a face. */
interface Face {
  /** Confidence of the network, 0 to 1. */
  readonly score: number
  /** Middle and size of the face, as shares of the side of the square picture. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface FaceNetwork {
  /** Returns the places with at least `least`, surest first, neighbours of one face included.
   *  `rgb`: a square of `side` pixels (a multiple of 32), row by row, red first. About 30 ms of
   *  one core at 224, 90 ms at 416. */
  run(rgb: Uint8Array, side: number, least: number): Promise<Face[]>
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
/** The values of a shape: x, y, width, height, score. */
const valuesPerShape = 5

/** Opens face-api's tiny detector, for one thread. */
export async function openFaceNetwork(): Promise<FaceNetwork> {
  const network = await openNetworkFile(join(import.meta.dirname, 'model/tiny-face-detector.onnx'), { input: 'picture', output: 'places' })
  return {
    async run(rgb, side, least) {
      if (rgb.length !== side * side * 3) throw new RangeError(`The picture has ${rgb.length} bytes, not ${side}x${side}x3.`)
      const values = await network.run(planesOf(rgb), [1, 3, side, side])
      return facesIn(values, Math.sqrt(values.length / (shapes.length * valuesPerShape)), least)
    },
  }
}

/** Returns the picture plane after plane, red first, about the mean. */
function planesOf(rgb: Uint8Array): Float32Array {
  const plane = rgb.length / 3
  const values = new Float32Array(rgb.length)
  for (const [channel, middle] of mean.entries())
    for (let pixel = 0; pixel < plane; pixel++) values[channel * plane + pixel] = (rgb[pixel * 3 + channel]! - middle) / 255
  return values
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
