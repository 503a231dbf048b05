/** Changes a network that generates random numbers: the changed network reads these numbers from an
 *  additional input instead. The caller fills this input from a seed, so the same seed gives the
 *  same sound. */
import { varint } from '@generation-gateway/kit/onnx/varint.ts'

/** Name of the added input: float32 of any length, normally distributed. */
export const noiseInput = 'given_noise'

// Field numbers of the ONNX protobuf messages (onnx.proto3).
const model = { graph: 7 }
const graph = { node: 1, initializer: 5, input: 11 }
const node = { input: 1, output: 2, name: 3, operator: 4, attribute: 5 }
const int64 = 7
const float32 = 1

/** Returns the network with each `RandomNormalLike` node replaced by values of the added input.
 *  Every node reads the input from its start, and repeats the values when there are too few. */
export function withNoiseInputs(file: Uint8Array): Uint8Array {
  const parts = fieldsOf(file).flatMap(field => (field.number === model.graph ? message(model.graph, patched(field.bytes)) : [field.raw]))
  return Buffer.concat(parts)
}

function patched(bytes: Uint8Array): Uint8Array[] {
  const fields = fieldsOf(bytes)
  const parts = fields.flatMap(field => {
    if (field.number !== graph.node) return [field.raw]
    const inner = fieldsOf(field.bytes)
    if (textOf(inner, node.operator) !== 'RandomNormalLike') return [field.raw]
    return drawn(textOf(inner, node.input), textOf(inner, node.output)).flatMap(made => message(graph.node, made))
  })
  const scalars = [0, 1].flatMap(value => message(graph.initializer, int64Scalar(`given_noise/${value}`, value)))
  return [...parts, ...scalars, ...message(graph.input, inputOf(noiseInput))]
}

/** Returns nodes that fill `output` with noise in the shape of the tensor `like`. */
function drawn(like: string, output: string): Uint8Array[][] {
  const own = (name: string) => `${output}/${name}`
  return [
    nodeOf('Shape', [like], own('shape')),
    nodeOf('ReduceProd', [own('shape')], own('count'), intAttribute('keepdims', 0)),
    nodeOf('Range', ['given_noise/0', own('count'), 'given_noise/1'], own('places')),
    nodeOf('Size', [noiseInput], own('most')),
    nodeOf('Mod', [own('places'), own('most')], own('index')),
    nodeOf('Gather', [noiseInput, own('index')], own('flat')),
    nodeOf('Reshape', [own('flat'), own('shape')], output),
  ]
}

function nodeOf(operator: string, inputs: readonly string[], output: string, attribute?: Uint8Array[]): Uint8Array[] {
  return [
    ...inputs.flatMap(input => text(node.input, input)),
    ...text(node.output, output),
    ...text(node.name, output),
    ...text(node.operator, operator),
    ...(attribute ? message(node.attribute, attribute) : []),
  ]
}

/** Encodes an AttributeProto with the fields name (1), i (3) and type (20, value 2 for INT). */
function intAttribute(name: string, value: number): Uint8Array[] {
  return [...text(1, name), ...number(3, value), ...number(20, 2)]
}

/** Encodes a scalar TensorProto with the fields data_type (2), int64_data (7) and name (8). */
function int64Scalar(name: string, value: number): Uint8Array[] {
  return [...number(2, int64), ...message(7, [varint(value)]), ...text(8, name)]
}

/** Encodes a ValueInfoProto with name (1) and type (2): a tensor type (1) with elem_type (1) and a
 *  shape (2) of one named dimension. */
function inputOf(name: string): Uint8Array[] {
  const shape = message(2, message(1, text(2, `${name}_length`)))
  return [...text(1, name), ...message(2, message(1, [...number(1, float32), ...shape]))]
}

interface Field {
  number: number
  /** Content of a length-delimited field. */
  bytes: Uint8Array
  /** The field including its tag. */
  raw: Uint8Array
}

function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  let at = 0
  const read = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]
      if (byte === undefined) throw new RangeError('the network file ends in the middle')
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const start = at
    const tag = read()
    const kind = tag & 7
    let from = at
    if (kind === 0) read()
    else if (kind === 1) at += 8
    else if (kind === 5) at += 4
    else if (kind === 2) {
      const length = read()
      from = at
      at += length
    } else throw new RangeError(`a field of kind ${kind} in the network file`)
    fields.push({ number: Math.floor(tag / 8), bytes: bytes.subarray(from, at), raw: bytes.subarray(start, at) })
  }
  return fields
}

function textOf(fields: readonly Field[], wanted: number): string {
  return Buffer.from(fields.find(({ number }) => number === wanted)?.bytes ?? []).toString()
}

function message(field: number, parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return [varint(field * 8 + 2), varint(length), ...parts]
}

function text(field: number, value: string): Uint8Array[] {
  return message(field, [Buffer.from(value)])
}

function number(field: number, value: number): Uint8Array[] {
  return [varint(field * 8), varint(value)]
}
