import { readFile } from 'node:fs/promises'

/** First eight bytes of a model file: which network its weights are of. */
export type ModelMagic = 'NSFWMBV2' | 'TINYFACE'

/** What a model file says about its tensors: 8-bit values, `value = min + byte * scale`, one byte each at `offset` of the data part. */
interface ModelHeader {
  readonly source: string
  readonly tensors: readonly { name: string; shape: number[]; min: number; scale: number; offset: number }[]
}

/** One tensor with its values as numbers, in row-major order. */
export interface WeightTensor {
  readonly shape: readonly number[]
  readonly values: Float32Array
}

/** A tensor as the manifest of a TensorFlow.js model names it. */
export interface TensorSpec {
  readonly name: string
  readonly shape: number[]
  readonly quantization: { readonly min: number; readonly scale: number }
}

/** A model file: 8 bytes magic, 4 bytes header length (little endian), the header as JSON (`ModelHeader`), then the bytes of every tensor, in the order of `specs`.
 *  Throws when there are more or fewer bytes than the specs name. */
export function modelFile(
  { magic, source, specs }: { magic: ModelMagic; source: string; specs: readonly TensorSpec[] },
  values: Buffer,
): Buffer {
  let offset = 0
  const tensors = specs.map(({ name, shape, quantization: { min, scale } }) => {
    const tensor = { name, shape, min, scale, offset }
    offset += sizeOf(shape)
    return tensor
  })
  if (offset !== values.length) throw new Error(`The manifest names ${offset} bytes, the weights have ${values.length}.`)
  const header: ModelHeader = { source, tensors }
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  return Buffer.concat([Buffer.from(magic, 'latin1'), length, json, values])
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1)
}

/** Returns every tensor of a model file by name. Throws when the file is not one of this network or is cut short. */
export async function readModel(path: string, magic: ModelMagic): Promise<Map<string, WeightTensor>> {
  const file = await readFile(path)
  if (file.toString('latin1', 0, magic.length) !== magic) throw new Error(`${path} is not a model file of ${magic}.`)
  const dataStart = magic.length + 4 + file.readUInt32LE(magic.length)
  // The file is made by build-model.ts and committed; its header needs no more than the length check below.
  const header: ModelHeader = JSON.parse(file.toString('utf8', magic.length + 4, dataStart))
  const tensors = new Map<string, WeightTensor>()
  for (const { name, shape, min, scale, offset } of header.tensors) {
    const size = sizeOf(shape)
    const bytes = file.subarray(dataStart + offset, dataStart + offset + size)
    if (bytes.length !== size) throw new Error(`${path} ends inside the tensor ${name}.`)
    tensors.set(name, { shape, values: Float32Array.from(bytes, byte => min + byte * scale) })
  }
  return tensors
}

export function tensorOf(weights: Map<string, WeightTensor>, name: string): WeightTensor {
  const tensor = weights.get(name)
  if (tensor === undefined) throw new Error(`The model file has no tensor ${name}.`)
  return tensor
}
