/** Speeds up Kokoro's vocoder (the part of the network that generates the sound). In the original
 *  network, each normalisation and each activation consists of 13 operators, each of which reads
 *  and writes the values of all channels; that takes half of the run time. Here a normalisation is
 *  one operator and an activation three. The results are equal up to rounding. */
import {
  elementTypes,
  floatAttribute,
  newNode,
  type OnnxGraph,
  type OnnxNode,
  type OnnxTensor,
  withoutUnused,
} from '@generation-gateway/kit/onnx/graph.ts'

/** Replaces two patterns in the graph: a normalisation along time with its scale and bias (AdaIN),
 *  and the activation `y + sin(a y)^2 / a` (Snake) between such a normalisation and a convolution.
 *  All other nodes stay unchanged. */
export function takeFewerPasses(graph: OnnxGraph): void {
  graph.constants.set(row, { dims: [1], type: elementTypes.int64, data: new Uint8Array(BigInt64Array.of(-1n).buffer) })
  const makerOf = new Map(graph.nodes.flatMap(node => node.outputs.map(output => [output, node] as const)))
  const takersOf = new Map<string, OnnxNode[]>()
  for (const node of graph.nodes) for (const input of node.inputs) takersOf.set(input, [...(takersOf.get(input) ?? []), node])
  const around: Surroundings = { graph, makerOf, takersOf }
  const replaced = new Map<OnnxNode, OnnxNode[]>()
  for (const division of graph.nodes) {
    const norm = division.type === 'Div' ? normOf(division, around) : undefined
    if (!norm) continue
    for (const scaled of scalingsOf(division, around)) {
      const snake = snakeBehind(scaled.end, around)
      replaced.set(scaled.end, normed(graph, norm, { ...scaled, alpha: snake?.alpha }))
      if (!snake) continue
      replaced.set(snake.end, snaked(snake, scaled))
      scaleInputs(graph, snake)
    }
  }
  graph.nodes = withoutUnused(
    graph.nodes.flatMap(node => replaced.get(node) ?? [node]),
    graph.outputs,
  )
}

const row = 'fewer_passes/row'

interface Surroundings {
  graph: OnnxGraph
  makerOf: ReadonlyMap<string, OnnxNode>
  takersOf: ReadonlyMap<string, readonly OnnxNode[]>
}

interface Norm {
  input: string
  epsilon: number
}

/** Returns the normalisation that a division computes, (x - mean) / sqrt(mean of squares +
 *  epsilon); undefined for any other division. */
function normOf(division: OnnxNode, { graph, makerOf }: Surroundings): Norm | undefined {
  const maker = (value: string | undefined, type: string) => {
    const node = makerOf.get(value ?? '')
    return node?.type === type ? node : undefined
  }
  const isAlongTime = (mean: OnnxNode | undefined) => {
    const { type, data } = graph.constants.get(mean?.inputs[1] ?? '') ?? {}
    return type === elementTypes.int64 && data?.length === 8 && Buffer.from(data).readBigInt64LE() === 2n
  }
  const difference = maker(division.inputs[0], 'Sub')
  const [input = '', middle] = difference?.inputs ?? []
  const mean = maker(middle, 'ReduceMean')
  const sum = maker(maker(division.inputs[1], 'Sqrt')?.inputs[0], 'Add')
  const variance = maker(sum?.inputs[0], 'ReduceMean')
  const squares = maker(variance?.inputs[0], 'Mul')
  const epsilon = graph.constants.get(sum?.inputs[1] ?? '')
  const isNorm =
    mean?.inputs[0] === input && isAlongTime(mean) && isAlongTime(variance) && squares?.inputs.every(each => each === division.inputs[0])
  return isNorm && epsilon?.data.length === 4 ? { input, epsilon: Buffer.from(epsilon.data).readFloatLE() } : undefined
}

interface ScaledNorm {
  scale: string
  bias: string
  /** The node that adds the bias of the normalisation. */
  end: OnnxNode
}

/** Returns the scale and bias of a normalisation, with the node that adds the bias. A normalisation
 *  may have several, because several nodes may use its result. */
function scalingsOf(division: OnnxNode, { takersOf }: Surroundings): ScaledNorm[] {
  const norm = division.outputs[0] ?? ''
  return (takersOf.get(norm) ?? []).flatMap(product => {
    const takers = takersOf.get(product.outputs[0] ?? '') ?? []
    const [end] = takers
    if (product.type !== 'Mul' || takers.length !== 1 || end?.type !== 'Add') return []
    return [{ scale: otherOf(product, norm), bias: otherOf(end, product.outputs[0] ?? ''), end }]
  })
}

interface NormScaling extends ScaledNorm {
  alpha: OnnxTensor | undefined
}

interface Snake {
  alpha: OnnxTensor
  reciprocal: OnnxTensor
  /** The node that adds the two terms of the Snake activation. */
  end: OnnxNode
  convolution: OnnxNode
}

function snakeBehind({ outputs: [value = ''] }: OnnxNode, { graph, takersOf }: Surroundings): Snake | undefined {
  const only = (node: OnnxNode | undefined, type: string) => {
    const takers = takersOf.get(node?.outputs[0] ?? '') ?? []
    return takers.length === 1 && takers[0]?.type === type ? takers[0] : undefined
  }
  const takers = takersOf.get(value) ?? []
  const inner = takers.find(({ type }) => type === 'Mul')
  const sine = only(inner, 'Sin')
  const power = only(sine, 'Pow')
  const outer = only(power, 'Mul')
  const end = only(outer, 'Add')
  const convolution = only(end, 'Conv')
  if (!inner || !power || !outer || !end || !convolution || takers.length !== 2 || !takers.includes(end)) return undefined
  const alpha = graph.constants.get(otherOf(inner, value))
  const reciprocal = graph.constants.get(otherOf(outer, power.outputs[0] ?? ''))
  const exponent = graph.constants.get(power.inputs[1] ?? '')
  const weights = graph.constants.get(convolution.inputs[1] ?? '')
  const isSquare = exponent?.data.length === 4 && Buffer.from(exponent.data).readFloatLE() === 2
  const channels = weights?.dims[1] ?? 0
  const isByChannel = [alpha, reciprocal].every(each => each?.type === elementTypes.float && each.data.length === 4 * channels)
  if (!alpha || !reciprocal || weights?.type !== elementTypes.float || !isSquare || !isByChannel) return undefined
  return { alpha, reciprocal, end, convolution }
}

/** Returns the nodes that replace a normalisation with its scale and bias. When a Snake activation
 *  follows, scale and bias are multiplied by the activation's alpha. */
function normed({ constants }: OnnxGraph, { input, epsilon }: Norm, { scale, bias, end, alpha }: NormScaling): OnnxNode[] {
  const name = end.outputs[0] ?? ''
  const own = (part: string) => `${name}/${part}`
  const flat = [newNode('Reshape', [scale, row], own('scale')), newNode('Reshape', [bias, row], own('bias'))]
  if (!alpha) return [...flat, normalised([input, own('scale'), own('bias')], name, epsilon)]
  constants.set(own('alpha'), { ...alpha, dims: [alpha.data.length / 4] })
  return [
    ...flat,
    newNode('Mul', [own('scale'), own('alpha')], own('scale_alpha')),
    newNode('Mul', [own('bias'), own('alpha')], own('bias_alpha')),
    normalised([input, own('scale_alpha'), own('bias_alpha')], name, epsilon),
  ]
}

function normalised(inputs: string[], output: string, epsilon: number): OnnxNode {
  const value = new Uint8Array(Float32Array.of(epsilon).buffer)
  return newNode('InstanceNormalization', inputs, output, [floatAttribute('epsilon', value)])
}

/** Returns nodes for u + sin(u)^2 with u = alpha y. The result is alpha times the Snake of y, so
 *  the weights of the next convolution are divided by alpha. */
function snaked({ end }: Snake, { end: { outputs } }: ScaledNorm): OnnxNode[] {
  const [from = ''] = outputs
  const name = end.outputs[0] ?? ''
  const [sine, square] = [`${name}/sine`, `${name}/square`]
  return [newNode('Sin', [from], sine), newNode('Mul', [sine, sine], square), newNode('Add', [from, square], name)]
}

/** Multiplies the weights of a convolution ([output channel, input channel, time]) by one factor
 *  for each input channel. */
function scaleInputs({ constants }: OnnxGraph, { convolution, reciprocal }: Snake): void {
  const [, weights = ''] = convolution.inputs
  const { dims, data } = constants.get(weights) ?? { dims: [], data: new Uint8Array() }
  const [, channels = 1, width = 1] = dims
  const factors = floatsOf(reciprocal.data)
  const scaled = floatsOf(data)
  for (let index = 0; index < scaled.length; index++) scaled[index]! *= factors[Math.floor(index / width) % channels]!
  const name = `${convolution.name}/weights_scaled`
  constants.set(name, { dims, type: elementTypes.float, data: new Uint8Array(scaled.buffer) })
  convolution.inputs[1] = name
}

/** Copies the bytes to a Float32Array, because they may lie at an unaligned address of the file. */
function floatsOf(data: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(data).buffer)
}

function otherOf({ inputs }: OnnxNode, value: string): string {
  return inputs.find(input => input !== value) ?? ''
}
