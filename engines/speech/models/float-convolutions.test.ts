import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { withFloatConvolutions } from './float-convolutions.ts'

// Messages of onnx.proto by hand: a number, then a varint or a length and as many bytes.
const int = (number: number, value: number) => Buffer.from([((number * 8) & 127) | 128, number >> 4, value])
const sized = (number: number, content: Uint8Array | string) => {
  const bytes = Buffer.from(content)
  assert.ok(bytes.length < 1 << 14)
  return Buffer.concat([Buffer.from([number * 8 + 2, (bytes.length & 127) | 128, bytes.length >> 7]), bytes])
}
const node = (type: string, inputs: string[], outputs: string[], attributes: Buffer[] = []) =>
  sized(
    1,
    Buffer.concat([
      ...inputs.map(input => sized(1, input)),
      ...outputs.map(output => sized(2, output)),
      sized(3, outputs[0]!),
      sized(4, type),
      ...attributes,
    ]),
  )
const tensor = (name: string, dims: number[], type: number, data: Uint8Array) =>
  sized(5, Buffer.concat([...dims.map(dim => int(1, dim)), int(2, type), sized(8, name), sized(9, data)]))
const floats = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer)
const value = (number: number, name: string) => {
  const shape = Buffer.concat([1, 2, 4].map(dim => sized(1, int(1, dim))))
  return sized(number, Buffer.concat([sized(1, name), sized(2, sized(1, Buffer.concat([int(1, 1), sized(2, shape)])))]))
}
const toFloat = sized(5, Buffer.concat([sized(1, 'to'), int(3, 1), int(20, 2)]))
const toInt32 = sized(5, Buffer.concat([sized(1, 'to'), int(3, 6), int(20, 2)]))

/** y = conv(x) + bias as a quantiser writes it: integers, the bias rounded in units of both scales. */
const network = Buffer.concat([
  int(1, 8),
  sized(8, int(2, 13)),
  sized(
    7,
    Buffer.concat([
      node('DynamicQuantizeLinear', ['x'], ['xq', 'xs', 'xz']),
      node('ConvInteger', ['xq', 'w', 'xz', 'wz'], ['sums']),
      node('Mul', ['xs', 'ws'], ['scale']),
      node('Div', ['bias', 'scale'], ['parts']),
      node('Floor', ['parts'], ['whole']),
      node('Cast', ['whole'], ['bias32'], [toInt32]),
      node('Reshape', ['bias32', 'shape'], ['column']),
      node('Add', ['sums', 'column'], ['biased']),
      node('Cast', ['biased'], ['wide'], [toFloat]),
      node('Mul', ['wide', 'scale'], ['y']),
      sized(2, 'test'),
      tensor('w', [2, 2, 1], 2, Uint8Array.from([130, 120, 100, 140])),
      tensor('wz', [], 2, Uint8Array.from([128])),
      tensor('ws', [], 1, floats(0.5)),
      tensor('bias', [2], 1, floats(0.25, -3)),
      tensor('shape', [3], 7, new Uint8Array(BigInt64Array.from([1n, -1n, 1n]).buffer)),
      value(11, 'x'),
      value(12, 'y'),
    ]),
  ),
])

test('convolutions of integers become floats with the same weights, and nothing is rounded', async () => {
  const x = Float32Array.from([0.1, -0.2, 0.3, 0.4, 1, 0.5, -0.25, 0.125])
  const run = async (file: Uint8Array) => {
    const session = await InferenceSession.create(file, { logSeverityLevel: 3 })
    const { y } = await session.run({ x: new Tensor('float32', x, [1, 2, 4]) })
    await session.release()
    return Array.from(y?.data as Float32Array)
  }
  const weights = [
    [1, -4],
    [-14, 6],
  ]
  const wanted = weights.flatMap(([a, b], row) => [0, 1, 2, 3].map(at => a! * x[at]! + b! * x[at + 4]! + [0.25, -3][row]!))
  const rounded = await run(network)
  const exact = await run(withFloatConvolutions(network))
  for (const [index, value] of wanted.entries()) {
    assert.ok(Math.abs(exact[index]! - value) < 1e-5, `${exact[index]} for ${value}`)
    assert.ok(Math.abs(rounded[index]! - value) < 0.2, `${rounded[index]} for ${value}`)
  }
  assert.ok(
    wanted.some((value, index) => Math.abs(rounded[index]! - value) > 1e-3),
    'the network as it came rounds',
  )
})

test('what is no network is refused', () => {
  assert.throws(() => withFloatConvolutions(Buffer.from('no network at all')), RangeError)
  assert.throws(() => withFloatConvolutions(network.subarray(0, 60)), RangeError)
})
