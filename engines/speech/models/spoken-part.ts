/** Changes Kokoro's network so that it speaks a part of an utterance with the intonation of the
 *  whole. The changed network plans the durations and the melody of the whole utterance, which is
 *  fast, and generates the sound of the part's frames only. So the first words come early, and
 *  listeners do not hear where the parts were joined. */
import {
  elementTypes,
  integerAttribute,
  newNode,
  type OnnxGraph,
  type OnnxNode,
  withoutUnused,
} from '@generation-gateway/kit/onnx/graph.ts'

/** Names of the added inputs (int64 [1]): the first token of the part, and the token after its
 *  end. */
export const partInputs = { from: 'part_from', to: 'part_to' } as const
/** Name of the added output (int64 [tokens + 1]): the start frame of each token, and the total
 *  number of frames. */
export const startsOutput = 'part_starts'
export const samplesPerFrame = 600
/** Number of frames on each side of a part that are generated and then cut off. The network needs
 *  these frames, because a sound depends on the sounds around it. */
export const marginFrames = 8

// Names of the values in Kokoro's graph from which the vocoder generates the sound, and how many
// values each of them has for a frame.
const durations = '/encoder/CumSum_output_0'
const taken = [
  { name: '/encoder/MatMul_1_output_0', perFrame: 1, extra: 0 },
  { name: '/decoder/decoder/Unsqueeze_output_0', perFrame: 2, extra: 0 },
  { name: '/decoder/decoder/Unsqueeze_1_output_0', perFrame: 2, extra: 0 },
  // The source signal of the voice is computed from the melody of the whole utterance, so its phase
  // continues from one part to the next.
  { name: '/decoder/decoder/generator/Concat_3_output_0', perFrame: 120, extra: 1 },
] as const
/** True for the nodes that compute the source signal from the melody. */
const isSource = ({ name }: OnnxNode): boolean => name.startsWith('/decoder/decoder/generator/f0_upsamp')

/** Changes the graph so that it generates only the sound of a part. Throws `RangeError` for an
 *  unknown graph. */
export function speakInParts(graph: OnnxGraph): void {
  const number = (name: string, value: number): string => {
    graph.constants.set(name, { dims: [1], type: elementTypes.int64, data: new Uint8Array(BigInt64Array.of(BigInt(value)).buffer) })
    return name
  }
  const zero = number('part/zero', 0)
  const margin = number('part/margin', marginFrames)
  const added: OnnxNode[] = [
    newNode('Concat', [zero, durations], startsOutput, [integerAttribute('axis', 0)]),
    newNode('Gather', [startsOutput, partInputs.from], 'part/begin'),
    newNode('Gather', [startsOutput, partInputs.to], 'part/end'),
    newNode('Sub', ['part/begin', margin], 'part/before'),
    newNode('Max', ['part/before', zero], 'part/first'),
    newNode('Add', ['part/end', margin], 'part/last'),
  ]
  const axis = number('part/time', 2)
  for (const { name, perFrame, extra } of taken) {
    const takers = graph.nodes.filter(node => node.inputs.includes(name) && node.name.startsWith('/decoder') && !isSource(node))
    if (takers.length === 0) throw new RangeError(`no part of the network takes ${name}`)
    const factor = number(`part/per_frame_${perFrame}`, perFrame)
    const own = (what: string) => `${name}/part_${what}`
    added.push(
      newNode('Mul', ['part/first', factor], own('first')),
      newNode('Mul', ['part/last', factor], own('end')),
      newNode('Add', [own('end'), number(`part/extra_${extra}`, extra)], own('last')),
      newNode('Slice', [name, own('first'), own('last'), axis], own('values')),
    )
    for (const taker of takers) taker.inputs = taker.inputs.map(input => (input === name ? own('values') : input))
  }
  graph.inputs.push(...Object.values(partInputs).map(name => ({ name, type: elementTypes.int64, dims: [1] })))
  graph.outputs.push(startsOutput)
  graph.nodes = withoutUnused([...graph.nodes, ...added], graph.outputs)
}
