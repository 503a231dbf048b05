import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withGraph } from '@generation-gateway/kit/onnx/graph.ts'
import { convolveInFloats } from './float-convolutions.ts'
import { networkOf, node, numberAttribute, outputOf, tensor } from './testing/network.ts'

/** A network that computes y = conv(x) + bias in the form that a quantiser writes. The network
 *  calculates with integers, and the bias is rounded to a multiple of the product of both
 *  scales. */
const network = networkOf(13, [
  node('DynamicQuantizeLinear', ['x'], ['xq', 'xs', 'xz']),
  node('ConvInteger', ['xq', 'w', 'xz', 'wz'], ['sums']),
  node('Mul', ['xs', 'ws'], ['scale']),
  node('Div', ['bias', 'scale'], ['parts']),
  node('Floor', ['parts'], ['whole']),
  node('Cast', ['whole'], ['bias32'], [numberAttribute('to', 6)]),
  node('Reshape', ['bias32', 'shape'], ['column']),
  node('Add', ['sums', 'column'], ['biased']),
  node('Cast', ['biased'], ['wide'], [numberAttribute('to', 1)]),
  node('Mul', ['wide', 'scale'], ['y']),
  tensor('w', [2, 2, 1], Uint8Array.from([130, 120, 100, 140])),
  tensor('wz', [], Uint8Array.from([128])),
  tensor('ws', [], Float32Array.from([0.5])),
  tensor('bias', [2], Float32Array.from([0.25, -3])),
  tensor('shape', [3], BigInt64Array.from([1n, -1n, 1n])),
])

test('integer convolutions become float convolutions with the same weights, and nothing is rounded', async () => {
  const x = Float32Array.from([0.1, -0.2, 0.3, 0.4, 1, 0.5, -0.25, 0.125])
  const weights = [
    [1, -4],
    [-14, 6],
  ]
  const wanted = weights.flatMap(([a, b], row) => [0, 1, 2, 3].map(at => a! * x[at]! + b! * x[at + 4]! + [0.25, -3][row]!))
  const rounded = await outputOf(network, x)
  const exact = await outputOf(withGraph(network, convolveInFloats), x)
  for (const [index, value] of wanted.entries()) {
    assert.ok(Math.abs(exact[index]! - value) < 1e-5, `${exact[index]} for ${value}`)
    assert.ok(Math.abs(rounded[index]! - value) < 0.2, `${rounded[index]} for ${value}`)
  }
  assert.ok(
    wanted.some((value, index) => Math.abs(rounded[index]! - value) > 1e-3),
    'the network as it came rounds',
  )
})

test('a file that is no network is refused', () => {
  assert.throws(() => withGraph(Buffer.from('no network at all'), convolveInFloats), RangeError)
  assert.throws(() => withGraph(network.subarray(0, 60), convolveInFloats), RangeError)
})
