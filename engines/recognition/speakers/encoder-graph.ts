import { varint } from '@generation-gateway/kit/onnx/varint.ts'
import { type EncoderWeights, hiddenSize } from './encoder-weights.ts'

/** Returns an ONNX model of the voice encoder. Input `mels` [frames, batch, 40], output `voices`
 *  [batch, 256]. Layers: three LSTMs, a linear layer on the last state, and a ReLU. */
export function encoderGraph(weights: EncoderWeights): Uint8Array {
  const nodes: Uint8Array[] = []
  const tensors: Uint8Array[] = [tensor('axes', [1], BigInt64Array.of(1n))]
  let sequence = 'mels'
  for (const [index, layer] of weights.layers.entries()) {
    const name = (part: string): string => `${part}${index}`
    tensors.push(
      tensor(name('input'), [1, 4 * hiddenSize, layer.inputs], layer.input),
      tensor(name('recurrent'), [1, 4 * hiddenSize, hiddenSize], layer.recurrent),
      tensor(name('biases'), [1, 8 * hiddenSize], layer.biases),
    )
    const inputs = [sequence, name('input'), name('recurrent'), name('biases')]
    nodes.push(node('LSTM', inputs, [name('sequence'), name('last')], [['hidden_size', hiddenSize]]))
    nodes.push(node('Squeeze', [name('sequence'), 'axes'], [name('squeezed')]))
    sequence = name('squeezed')
  }
  tensors.push(tensor('axis', [1], BigInt64Array.of(0n)))
  tensors.push(tensor('weight', [hiddenSize, hiddenSize], weights.linear.weight), tensor('bias', [hiddenSize], weights.linear.bias))
  nodes.push(node('Squeeze', [`last${weights.layers.length - 1}`, 'axis'], ['state']))
  nodes.push(node('Gemm', ['state', 'weight', 'bias'], ['linear'], [['transB', 1]]), node('Relu', ['linear'], ['voices']))
  const graph = message(
    ...nodes.map(each => bytesField(1, each)),
    textField(2, 'voice-encoder'),
    ...tensors.map(each => bytesField(5, each)),
    bytesField(11, value('mels', ['frames', 'batch', 40])),
    bytesField(12, value('voices', ['batch', hiddenSize])),
  )
  // ONNX format version 8, operator set 13.
  return message(intField(1, 8), bytesField(7, graph), bytesField(8, message(textField(1, ''), intField(2, 13))))
}

function node(operator: string, inputs: string[], outputs: string[], attributes: [name: string, value: number][] = []): Uint8Array {
  return message(
    ...inputs.map(name => textField(1, name)),
    ...outputs.map(name => textField(2, name)),
    textField(4, operator),
    // In ONNX, attribute type 2 is an integer.
    ...attributes.map(([name, number]) => bytesField(5, message(textField(1, name), intField(3, number), intField(20, 2)))),
  )
}

function tensor(name: string, shape: number[], data: Float32Array | BigInt64Array): Uint8Array {
  const type = data instanceof Float32Array ? 1 : 7
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return message(...shape.map(size => intField(1, size)), intField(2, type), textField(8, name), bytesField(9, raw))
}

function value(name: string, shape: (number | string)[]): Uint8Array {
  const sizes = shape.map(size => bytesField(1, typeof size === 'number' ? intField(1, size) : textField(2, size)))
  return message(textField(1, name), bytesField(2, bytesField(1, message(intField(1, 1), bytesField(2, message(...sizes))))))
}

// The parts of the Protocol Buffers encoding that this model needs.

function intField(field: number, number: number): Uint8Array {
  return message(varint(field * 8), varint(number))
}

function textField(field: number, text: string): Uint8Array {
  return bytesField(field, new TextEncoder().encode(text))
}

function bytesField(field: number, bytes: Uint8Array): Uint8Array {
  return message(varint(field * 8 + 2), varint(bytes.length), bytes)
}

function message(...parts: Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}
