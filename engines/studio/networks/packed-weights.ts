/** Reads the weights of a TensorFlow.js model, which are stored in 8 bits each, to write them to an
 *  ONNX file. */
import Type, { type Static } from 'typebox'
import type { OnnxFile } from './onnx-file.ts'

/** Description of a tensor in the model's manifest. The weights file holds the bytes of all tensors
 *  in the order of the manifest. */
export const packedTensor = Type.Object({
  name: Type.String(),
  shape: Type.Array(Type.Integer()),
  quantization: Type.Object({ min: Type.Number(), scale: Type.Number(), dtype: Type.Literal('uint8') }),
})

/** A tensor in row-major order. Each byte stands for the number `min + byte * scale`. */
interface PackedTensor {
  shape: readonly number[]
  bytes: Uint8Array
  min: number
  scale: number
}

/** The tensors of a model by name. */
export class PackedWeights {
  readonly #tensors = new Map<string, PackedTensor>()

  /** `bytes` is the content of the weights file. Throws when its length does not match the
   *  tensors. */
  constructor(tensors: readonly Static<typeof packedTensor>[], bytes: Uint8Array) {
    let offset = 0
    for (const { name, shape, quantization } of tensors) {
      const size = shape.reduce((product, length) => product * length, 1)
      this.#tensors.set(name, { shape, bytes: bytes.subarray(offset, offset + size), min: quantization.min, scale: quantization.scale })
      offset += size
    }
    if (offset !== bytes.length) throw new Error(`The manifest names ${offset} bytes, there are ${bytes.length}.`)
  }

  has(name: string): boolean {
    return this.#tensors.has(name)
  }

  /** Returns the tensor with this name; throws when there is none. */
  of(name: string): PackedTensor {
    const found = this.#tensors.get(name)
    if (found === undefined) throw new Error(`The model has no tensor ${name}.`)
    return found
  }
}

/** Adds a tensor to an ONNX file as bytes, with nodes that compute its floats when the network is
 *  run. Returns the name of the floats. The file stays a quarter of the size that floats would
 *  need. */
export function unpacked(file: OnnxFile, name: string, { shape, bytes, min, scale }: PackedTensor): string {
  const floats = file.node(`${name}_floats`, 'Cast', [file.constant(`${name}_bytes`, shape, bytes)], { to: { int: 1 } })
  const factor = file.constant(`${name}_scale`, [], Float32Array.of(scale))
  const shift = file.constant(`${name}_min`, [], Float32Array.of(min))
  return file.node(`${name}_values`, 'Add', [file.node(`${name}_scaled`, 'Mul', [floats, factor]), shift])
}

/** Returns a convolution kernel reordered from TensorFlow's [height, width, inputs, outputs] to
 *  ONNX's [outputs, inputs, height, width]. In a depthwise kernel, each output has one input. */
export function channelsFirst({ shape, bytes: values, ...numbers }: PackedTensor, isDepthwise: boolean): PackedTensor {
  const [height = 0, width = 0, third = 0, fourth = 0] = shape
  const [inputs, outputs] = isDepthwise ? [fourth, third] : [third, fourth]
  const moved = new Uint8Array(values.length)
  for (let at = 0; at < values.length; at++) {
    const last = at % fourth
    const before = Math.floor(at / fourth) % third
    const place = Math.floor(at / (fourth * third))
    const [from, to] = isDepthwise ? [last, before] : [before, last]
    moved[(to * inputs + from) * height * width + place] = values[at] ?? 0
  }
  return { shape: [outputs, inputs, height, width], bytes: moved, ...numbers }
}
