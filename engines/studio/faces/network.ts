import { join } from 'node:path'
import { openNetworkFile } from '../networks/open-network.ts'

/** A detected face. */
interface Face {
  /** Confidence of the detection, 0 to 1. */
  readonly score: number
  /** Centre and size of the face, as shares of the side of the square picture. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface FaceNetwork {
  /** Returns the detections with a score of at least `least`, best first; a single face may be
   *  detected several times. `rgb` holds a square of `side` x `side` pixels (`side` is a multiple
   *  of 32), row by row, three bytes each in the order red, green, blue. Takes about 30 ms on one
   *  core for a side of 224, 90 ms for 416. */
  run(rgb: Uint8Array, side: number, least: number): Promise<Face[]>
}

/** Mean red, green and blue (0 to 255) of the pictures on which the network was trained. */
const mean = [117.001, 114.697, 97.404]
/** Width and height of the five anchor boxes, in cells of the network's output grid. The network
 *  predicts faces as deviations from these boxes. */
const shapes = [
  [1.603231, 2.094468],
  [6.041143, 7.080126],
  [2.882459, 3.518061],
  [4.266906, 5.178857],
  [9.041765, 10.66308],
] as const
/** Number of values for each anchor box: x, y, width, height, score. */
const valuesPerShape = 5

/** Opens face-api's tiny face detector, with one thread. */
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

/** Returns the picture as three planes (red, green, blue). From each value, the mean of the
 *  training pictures is subtracted; the difference is divided by 255. */
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
