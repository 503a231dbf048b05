/** Changes a network with 8-bit weights so that its convolutions are computed in floating point.
 *  Kokoro's published network quantises the input of each convolution and multiplies integers.
 *  onnxruntime has no fast kernel for such convolutions: they took 80 % of the run time on a
 *  machine with AVX-512. In floating point, one core needs 0.78 s for a second of speech instead of
 *  1.75 s, and inputs are not rounded. */
import { elementTypes, type OnnxGraph, type OnnxNode, type OnnxTensor, withoutUnused } from '@generation-gateway/kit/onnx/graph.ts'

/** Replaces every integer convolution in the graph by one in floating point. Throws `RangeError`
 *  for a convolution of unknown form. */
export function convolveInFloats(graph: OnnxGraph): void {
  const makerOf = new Map(graph.nodes.flatMap(node => node.outputs.map(output => [output, node] as const)))
  const takersOf = new Map<string, OnnxNode[]>()
  for (const node of graph.nodes) for (const input of node.inputs) takersOf.set(input, [...(takersOf.get(input) ?? []), node])
  const replaced = new Map<OnnxNode, OnnxNode[]>()
  for (const node of graph.nodes)
    if (node.type === 'ConvInteger') for (const [old, nodes] of floatsFor(node, { graph, makerOf, takersOf })) replaced.set(old, nodes)
  graph.nodes = withoutUnused(
    graph.nodes.flatMap(node => replaced.get(node) ?? [node]),
    graph.outputs,
  )
}

interface Surroundings {
  graph: OnnxGraph
  makerOf: ReadonlyMap<string, OnnxNode>
  takersOf: ReadonlyMap<string, readonly OnnxNode[]>
}

/** Returns one Conv node in place of the chain DynamicQuantizeLinear, ConvInteger, optional Add of
 *  a rounded bias, Cast, and Mul by both scales. */
function floatsFor(convolution: OnnxNode, { graph, makerOf, takersOf }: Surroundings): [OnnxNode, OnnxNode[]][] {
  const { name } = convolution
  const [quantised = '', weights = '', , zero = ''] = convolution.inputs
  const only = (node: OnnxNode, type: string): OnnxNode => {
    const takers = takersOf.get(node.outputs[0] ?? '') ?? []
    if (takers.length !== 1 || takers[0]?.type !== type) throw new RangeError(`${name} is not followed by one ${type}`)
    return takers[0]
  }
  const next = takersOf.get(convolution.outputs[0] ?? '')?.[0]
  const add = next?.type === 'Add' ? next : undefined
  const cast = only(add ?? convolution, 'Cast')
  const scaled = only(cast, 'Mul')
  const scale = makerOf.get(scaled.inputs[1] ?? '')?.inputs.find(input => graph.constants.has(input))
  const input = makerOf.get(quantised)?.inputs[0]
  if (scale === undefined || input === undefined) throw new RangeError(`${name} has no scale of its weights`)
  const constant = (value: string): OnnxTensor => {
    const tensor = graph.constants.get(value)
    if (!tensor) throw new RangeError(`${name} has no constant ${value}`)
    return tensor
  }
  const channels = constant(weights).dims[0]
  const isBias = (value: string) => {
    const { dims, type } = graph.constants.get(value) ?? {}
    return type === elementTypes.float && dims?.length === 1 && dims[0] === channels
  }
  const bias = add ? [sourceOf(add.inputs[1] ?? '', makerOf, isBias)] : []
  const floats = `${weights}_float`
  graph.constants.set(floats, floatsOf(constant(weights), { zero: constant(zero), scale: constant(scale) }))
  const replacement = { ...convolution, type: 'Conv', inputs: [input, floats, ...bias], outputs: scaled.outputs }
  return [[convolution, [replacement]], ...[...(add ? [add] : []), cast, scaled].map((node): [OnnxNode, OnnxNode[]] => [node, []])]
}

/** Returns (weight - zero point) x scale; zero point and scale are the same for all weights. */
function floatsOf({ dims, type, data }: OnnxTensor, { zero, scale }: { zero: OnnxTensor; scale: OnnxTensor }): OnnxTensor {
  const values = type === elementTypes.int8 ? new Int8Array(data.buffer, data.byteOffset, data.length) : data
  const middle = type === elementTypes.int8 ? Buffer.from(zero.data).readInt8() : Buffer.from(zero.data).readUInt8()
  const factor = Buffer.from(scale.data).readFloatLE()
  const floats = new Float32Array(values.length)
  for (let index = 0; index < floats.length; index++) floats[index] = (values[index]! - middle) * factor
  return { dims, type: elementTypes.float, data: new Uint8Array(floats.buffer) }
}

/** Searches backwards from `value`, through the inputs of the nodes that computed it. Returns the
 *  name of the first value for which `isWanted` is true. */
function sourceOf(value: string, makerOf: Surroundings['makerOf'], isWanted: (value: string) => boolean): string {
  if (isWanted(value)) return value
  for (const input of makerOf.get(value)?.inputs ?? []) {
    if (isWanted(input)) return input
    if (makerOf.get(input)?.type !== 'Mul' && makerOf.has(input)) return sourceOf(input, makerOf, isWanted)
  }
  throw new RangeError(`${value} comes from no bias`)
}
