import assert from 'node:assert/strict'
import { test } from 'node:test'
import { elementTypes, withGraph } from '@generation-gateway/kit/onnx/graph.ts'
import { integersOf } from '@generation-gateway/kit/onnx/session.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { takeFewerPasses } from './fewer-passes.ts'
import { networkOf, node, numbersAttribute, outputOf, tensor } from './testing/network.ts'

const floats = (...values: number[]) => Float32Array.from(values)

/** A network with the patterns that `takeFewerPasses` looks for in Kokoro's vocoder: a
 *  normalisation along `axis` with scale and bias (AdaIN), a Snake activation, and a
 *  convolution. */
const networkAlong = (axis: bigint) =>
  networkOf(18, [
    node('ReduceMean', ['x', 'axes'], ['mean']),
    node('Sub', ['x', 'mean'], ['centred']),
    node('Mul', ['centred', 'centred'], ['squares']),
    node('ReduceMean', ['squares', 'axes'], ['variance']),
    node('Add', ['variance', 'epsilon'], ['above']),
    node('Sqrt', ['above'], ['deviation']),
    node('Div', ['centred', 'deviation'], ['norm']),
    node('Mul', ['gamma', 'norm'], ['scaled']),
    node('Add', ['scaled', 'beta'], ['moved']),
    node('Mul', ['alpha', 'moved'], ['turned']),
    node('Sin', ['turned'], ['sine']),
    node('Pow', ['sine', 'two'], ['power']),
    node('Mul', ['reciprocal', 'power'], ['wave']),
    node('Add', ['moved', 'wave'], ['snake']),
    node('Conv', ['snake', 'weights', 'bias'], ['y'], [numbersAttribute('kernel_shape', [3]), numbersAttribute('pads', [1, 1])]),
    tensor('axes', [1], BigInt64Array.from([axis])),
    tensor('epsilon', [], floats(1e-5)),
    tensor('two', [], floats(2)),
    tensor('gamma', [1, 2, 1], floats(1.3, 0.7)),
    tensor('beta', [1, 2, 1], floats(0.2, -0.4)),
    tensor('alpha', [1, 2, 1], floats(0.5, 2)),
    tensor('reciprocal', [1, 2, 1], floats(2, 0.5)),
    tensor('weights', [2, 2, 3], floats(0.1, -0.2, 0.3, 0.4, 0.5, -0.6, 0.7, 0.8, 0.9, -1, 1.1, 1.2)),
    tensor('bias', [2], floats(0.05, -0.05)),
  ])

const x = floats(0.1, -0.2, 0.3, 0.4, 1, 0.5, -0.25, 0.125)

test('a norm and its activation become four operators with the same result', async () => {
  const network = networkAlong(2n)
  let types: string[] = []
  const fewer = withGraph(network, graph => {
    takeFewerPasses(graph)
    types = graph.nodes.map(({ type }) => type)
  })
  const ofChannels = ['Reshape', 'Reshape', 'Mul', 'Mul']
  assert.deepEqual(types, [...ofChannels, 'InstanceNormalization', 'Sin', 'Mul', 'Add', 'Conv'])
  const [wanted, made] = [await outputOf(network, x), await outputOf(fewer, x)]
  for (const [index, value] of wanted.entries()) assert.ok(Math.abs(value - made[index]!) < 1e-5, `${made[index]} for ${value}`)
})

test('a norm along the channels is not changed', () => {
  withGraph(networkAlong(1n), graph => {
    takeFewerPasses(graph)
    assert.equal(graph.nodes.length, 15)
  })
})

test('an input can be added to a network', async () => {
  const network = networkOf(18, [node('Add', ['x', 'x'], ['twice']), node('Mul', ['twice', 'twice'], ['y'])])
  const longer = withGraph(network, graph => {
    graph.inputs.push({ name: 'places', type: elementTypes.int64, dims: [2] })
    graph.nodes.push({ ...graph.nodes[0]!, name: 'picked', type: 'Gather', inputs: ['shape', 'places'], outputs: ['picked'] })
    graph.nodes.push({ ...graph.nodes[0]!, name: 'shape', type: 'Shape', inputs: ['y'], outputs: ['shape'] })
    graph.outputs.push('picked')
  })
  const session = await InferenceSession.create(longer, { logSeverityLevel: 3 })
  const places = new Tensor('int64', BigInt64Array.of(2n, 1n), [2])
  const { picked } = await session.run({ x: new Tensor('float32', x, [1, 2, 4]), places })
  await session.release()
  assert.deepEqual(picked && integersOf({ picked }, 'picked'), [4, 2])
})

test('an intermediate value can become an output', async () => {
  const network = networkOf(18, [node('Add', ['x', 'x'], ['twice']), node('Mul', ['twice', 'twice'], ['y'])])
  const reported = withGraph(network, ({ outputs }) => {
    outputs.push('twice')
  })
  assert.deepEqual(
    await outputOf(reported, x, 'twice'),
    [...x].map(value => 2 * value),
  )
  assert.deepEqual(await outputOf(reported, x), [...x].map(value => Math.fround(2 * value) ** 2).map(Math.fround))
})
