/** Small ONNX network files for tests, with a float input x and an output y, both [1, 2, 4]. */
import assert from 'node:assert/strict'
import { InferenceSession, Tensor } from 'onnxruntime-node'

const shape = [1, 2, 4]

/** Returns the file of a network with these nodes and tensors; `version` is the operator set. */
export function networkOf(version: number, parts: readonly Buffer[]): Buffer {
  return Buffer.concat([
    int(1, 8),
    sized(8, int(2, version)),
    sized(7, Buffer.concat([...parts, sized(2, 'test'), value(11, 'x'), value(12, 'y')])),
  ])
}

export function node(type: string, inputs: string[], outputs: string[], attributes: Buffer[] = []): Buffer {
  const names = [...inputs.map(input => sized(1, input)), ...outputs.map(output => sized(2, output)), sized(3, outputs[0] ?? '')]
  return sized(1, Buffer.concat([...names, sized(4, type), ...attributes]))
}

export function numberAttribute(name: string, of: number): Buffer {
  return sized(5, Buffer.concat([sized(1, name), int(3, of), int(20, 2)]))
}

export function numbersAttribute(name: string, of: number[]): Buffer {
  return sized(5, Buffer.concat([sized(1, name), ...of.map(each => int(8, each)), int(20, 7)]))
}

export function tensor(name: string, dims: number[], values: Float32Array | Uint8Array | BigInt64Array): Buffer {
  const type = values instanceof Float32Array ? 1 : values instanceof Uint8Array ? 2 : 7
  const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  return sized(5, Buffer.concat([...dims.map(dim => int(1, dim)), int(2, type), sized(8, name), sized(9, data)]))
}

/** Returns an output of the network for the input x: `y`, or another named output. */
export async function outputOf(file: Uint8Array, x: Float32Array, name = 'y'): Promise<number[]> {
  const session = await InferenceSession.create(file, { logSeverityLevel: 3 })
  const { [name]: y } = await session.run({ x: new Tensor('float32', x, shape) })
  await session.release()
  assert.ok(y?.data instanceof Float32Array)
  return Array.from(y.data)
}

function value(number: number, name: string): Buffer {
  const dims = Buffer.concat(shape.map(dim => sized(1, int(1, dim))))
  return sized(number, Buffer.concat([sized(1, name), sized(2, sized(1, Buffer.concat([int(1, 1), sized(2, dims)])))]))
}

/** Encodes a protobuf field with a small integer value. */
function int(number: number, of: number): Buffer {
  return Buffer.from([((number * 8) & 127) | 128, number >> 4, of])
}

/** Encodes a length-delimited protobuf field. */
function sized(number: number, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content)
  assert.ok(bytes.length < 1 << 14)
  return Buffer.concat([Buffer.from([number * 8 + 2, (bytes.length & 127) | 128, bytes.length >> 7]), bytes])
}
