/** Reads the weights of the voice encoder from PyTorch's file. The pack accepts only the file with
 *  one sha256, so the byte offset of each tensor is constant. In this file (the old `torch.save`
 *  format) the tensors follow one another as little-endian float32. */

/** Byte offsets of the tensors of the three LSTM layers. Each matrix has 256 rows for each of four
 *  gates, in the order input, forget, cell, output; `inputs` is the number of its columns. */
const layers = [
  { inputs: 40, input: 269_883, recurrent: 433_723, inputBias: 5_676_603, recurrentBias: 5_680_699 },
  { inputs: 256, input: 1_482_299, recurrent: 2_530_875, inputBias: 5_684_795, recurrentBias: 5_688_891 },
  { inputs: 256, input: 3_579_451, recurrent: 4_628_027, inputBias: 5_692_987, recurrentBias: 5_697_083 },
]
const linear = { weight: 7_731, bias: 6_699 }
export const hiddenSize = 256
const gates = 4 * hiddenSize

interface LstmLayer {
  inputs: number
  /** Tensors of one LSTM layer with the shapes [1024, inputs], [1024, 256] and [2048], in ONNX's
   *  order of gates: input, output, forget, cell. */
  input: Float32Array
  recurrent: Float32Array
  biases: Float32Array
}

export interface EncoderWeights {
  layers: LstmLayer[]
  /** The linear layer. The weights have the shape [256, 256], one row for each output; the bias has
   *  the shape [256]. */
  linear: { weight: Float32Array; bias: Float32Array }
}

/** Returns the weights. `file` is the whole file of the pack. */
export function encoderWeights(file: Uint8Array): EncoderWeights {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const read = (offset: number, count: number): Float32Array =>
    Float32Array.from({ length: count }, (_, index) => view.getFloat32(offset + 4 * index, true))
  return {
    layers: layers.map(layer => ({
      inputs: layer.inputs,
      input: reordered(read(layer.input, gates * layer.inputs)),
      recurrent: reordered(read(layer.recurrent, gates * hiddenSize)),
      biases: joined(reordered(read(layer.inputBias, gates)), reordered(read(layer.recurrentBias, gates))),
    })),
    linear: { weight: read(linear.weight, hiddenSize * hiddenSize), bias: read(linear.bias, hiddenSize) },
  }
}

/** Returns the rows in ONNX's order of gates: input, output, forget, cell. `rows` has them in
 *  PyTorch's order: input, forget, cell, output. */
function reordered(rows: Float32Array): Float32Array {
  const quarter = rows.length / 4
  return joined(...[0, 3, 1, 2].map(index => rows.subarray(index * quarter, (index + 1) * quarter)))
}

function joined(...parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
