import { readFile } from 'node:fs/promises'

/** First eight bytes of a model file. */
export const modelMagic = 'NSFWMBV2'

/** What a model file says about its tensors: 8-bit values, `value = min + byte * scale`, one byte each at `offset` of the data part. */
export interface ModelHeader {
  readonly source: string
  readonly tensors: readonly { name: string; shape: number[]; min: number; scale: number; offset: number }[]
}

/** One tensor with its values as numbers, in row-major order. */
export interface WeightTensor {
  readonly shape: readonly number[]
  readonly values: Float32Array
}

/** Returns every tensor of a model file by name. Throws when the file is not such a file or is cut short. */
export async function readModel(path: string): Promise<Map<string, WeightTensor>> {
  const file = await readFile(path)
  if (file.toString('latin1', 0, modelMagic.length) !== modelMagic) throw new Error(`${path} is not a model file.`)
  const dataStart = modelMagic.length + 4 + file.readUInt32LE(modelMagic.length)
  // The file is made by build-model.ts and committed; its header needs no more than the length check below.
  const header: ModelHeader = JSON.parse(file.toString('utf8', modelMagic.length + 4, dataStart))
  const tensors = new Map<string, WeightTensor>()
  for (const { name, shape, min, scale, offset } of header.tensors) {
    const size = shape.reduce((product, length) => product * length, 1)
    const bytes = file.subarray(dataStart + offset, dataStart + offset + size)
    if (bytes.length !== size) throw new Error(`${path} ends inside the tensor ${name}.`)
    tensors.set(name, { shape, values: Float32Array.from(bytes, byte => min + byte * scale) })
  }
  return tensors
}
