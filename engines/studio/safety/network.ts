import { join } from 'node:path'
import { openNetworkFile } from '../networks/open-network.ts'

/** Side of the square picture that the network classifies, in pixels. */
export const networkSide = 224

/** The neural network, with its weights in memory. */
export interface Network {
  /** Returns the probabilities of the five classes for one picture, in this order: drawing, hentai,
   *  neutral, porn, sexy. They add up to 1. `rgb` holds `networkSide` x `networkSide` pixels, row
   *  by row, three bytes each in the order red, green, blue. Throws a RangeError for any other
   *  length. */
  run(rgb: Uint8Array): Promise<Float32Array>
  /** Frees the weights; after that, the network cannot be used. */
  close(): Promise<void>
}

/** Opens the network; it runs on one thread. */
export async function openNetwork(): Promise<Network> {
  const { run, close } = await openNetworkFile(join(import.meta.dirname, 'model/nsfw-mobilenet-v2.onnx'), {
    input: 'picture',
    output: 'scores',
  })
  return {
    async run(rgb) {
      if (rgb.length !== networkSide * networkSide * 3) throw new RangeError(`The network takes ${networkSide}x${networkSide} RGB bytes.`)
      return run(channelsFirst(rgb), [1, 3, networkSide, networkSide])
    },
    close,
  }
}

/** Returns the picture as three planes (all red values, then all green, then all blue), with values
 *  of 0 to 1. */
function channelsFirst(rgb: Uint8Array): Float32Array {
  const plane = networkSide * networkSide
  const values = new Float32Array(rgb.length)
  for (let pixel = 0; pixel < plane; pixel++)
    for (let channel = 0; channel < 3; channel++) values[channel * plane + pixel] = rgb[pixel * 3 + channel]! / 255
  return values
}
