/** Reads and changes the graph of a network file (ONNX, a protobuf message). Field numbers are
 *  those of onnx.proto. Weights are copied only once, into the resulting file. */
import { varint } from './varint.ts'

/** One field of a protobuf message: its number, its wire type and its bytes. For wire type 2 (a
 *  length followed by that many bytes), `bytes` does not contain the length. */
interface Field {
  number: number
  wire: number
  bytes: Uint8Array
}

export interface OnnxNode {
  inputs: string[]
  outputs: string[]
  name: string
  type: string
  /** The node's attributes, the domain of its operator and all its other fields, unchanged. */
  others: Field[]
}

export interface OnnxTensor {
  dims: number[]
  /** Element type of the tensor's values: one of `elementTypes`, or another number that ONNX
   *  defines. */
  type: number
  /** The tensor's values, little endian. Always present for floats and 8-bit integers. For other
   *  types it is empty when the file stores the values outside the field `raw_data`. */
  data: Uint8Array
}

export const elementTypes = { float: 1, uint8: 2, int8: 3, int64: 7 } as const

export interface OnnxGraph {
  nodes: OnnxNode[]
  /** Constants by name. The resulting file leaves out the constants that no node uses. */
  constants: Map<string, OnnxTensor>
  /** Inputs that are added to the file; the existing ones are not listed here. */
  inputs: OnnxInput[]
  /** Names of the network's results. Any value that a node computes may be added. */
  outputs: string[]
}

interface OnnxInput {
  name: string
  /** One of `elementTypes`. */
  type: number
  dims: readonly number[]
}

const modelGraph = 7
const graphField = { node: 1, initializer: 5, input: 11, output: 12 }
const nodeField = { input: 1, output: 2, name: 3, type: 4, attribute: 5 }
const tensorField = { dims: 1, type: 2, floats: 4, integers: 5, name: 8, data: 9 }
const integer = 0
const sized = 2
const fixed32 = 5
/** Number of bytes for wire types 1 and 5. */
const fixedBytes: Readonly<Record<number, number>> = { 1: 8, [fixed32]: 4 }

/** Returns the file after `change` has changed its graph: `change` may replace `nodes` and add to
 *  `constants`, `inputs` and `outputs`. Throws `RangeError` for bytes that are not an ONNX file. */
export function withGraph(file: Uint8Array, change: (graph: OnnxGraph) => void): Uint8Array<ArrayBuffer> {
  const model = fieldsOf(file)
  const place = model.find(({ number }) => number === modelGraph)
  if (!place) throw new RangeError('a network file without a graph')
  const fields = fieldsOf(place.bytes)
  const graph: OnnxGraph = {
    nodes: fields.filter(({ number }) => number === graphField.node).map(({ bytes }) => nodeOf(bytes)),
    constants: new Map(fields.filter(({ number }) => number === graphField.initializer).map(({ bytes }) => constantOf(bytes))),
    inputs: [],
    outputs: fields.filter(({ number }) => number === graphField.output).map(({ bytes }) => textsOf(fieldsOf(bytes), 1)[0] ?? ''),
  }
  const given = new Map(graph.constants)
  const results = [...graph.outputs]
  change(graph)
  const used = new Set(graph.nodes.flatMap(({ inputs }) => inputs))
  const kept = fields.filter(
    ({ number, bytes }) => number !== graphField.node && (number !== graphField.initializer || used.has(nameOf(bytes))),
  )
  const added = [...graph.constants].filter(([name]) => !given.has(name) && used.has(name))
  const nodes = [
    ...graph.nodes.map(node => ({ number: graphField.node, wire: sized, bytes: bytesOfNode(node) })),
    ...added.map(([name, tensor]) => ({ number: graphField.initializer, wire: sized, bytes: bytesOfTensor(name, tensor) })),
    ...graph.inputs.map(input => ({ number: graphField.input, wire: sized, bytes: bytesOfInput(input) })),
    ...graph.outputs
      .filter(name => !results.includes(name))
      .map(name => ({ number: graphField.output, wire: sized, bytes: bytesOfResult(name) })),
  ]
  // The chunks are joined only once, because they have hundreds of megabytes in all.
  const chunks = [...nodes, ...kept].flatMap(chunksOf)
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const graphChunks = [varint(modelGraph * 8 + sized), varint(length), ...chunks]
  return Buffer.concat(model.flatMap(field => (field === place ? graphChunks : chunksOf(field))))
}

/** Returns the nodes whose outputs are used, by another node or as an output of the network. */
export function withoutUnused(nodes: readonly OnnxNode[], outputs: readonly string[]): OnnxNode[] {
  const used = new Set([...outputs, ...nodes.flatMap(({ inputs }) => inputs)])
  const kept = nodes.filter(node => node.outputs.some(output => used.has(output)))
  return kept.length === nodes.length ? kept : withoutUnused(kept, outputs)
}

/** Returns a node with one result; the result's name is also the node's name. */
export function newNode(type: string, inputs: string[], output: string, others: Field[] = []): OnnxNode {
  return { type, inputs, outputs: [output], name: output, others }
}

/** Returns an attribute with one float, little endian. */
export function floatAttribute(name: string, value: Uint8Array): Field {
  const parts: Field[] = [
    { number: 1, wire: sized, bytes: Buffer.from(name) },
    { number: 2, wire: fixed32, bytes: value },
    { number: 20, wire: integer, bytes: varint(1) },
  ]
  return { number: nodeField.attribute, wire: sized, bytes: bytesOf(parts) }
}

/** Returns an attribute with one integer. */
export function integerAttribute(name: string, value: number): Field {
  const parts: Field[] = [
    { number: 1, wire: sized, bytes: Buffer.from(name) },
    { number: 3, wire: integer, bytes: varint(value) },
    { number: 20, wire: integer, bytes: varint(2) },
  ]
  return { number: nodeField.attribute, wire: sized, bytes: bytesOf(parts) }
}

function nodeOf(message: Uint8Array): OnnxNode {
  const fields = fieldsOf(message)
  return {
    inputs: textsOf(fields, nodeField.input),
    outputs: textsOf(fields, nodeField.output),
    name: textsOf(fields, nodeField.name)[0] ?? '',
    type: textsOf(fields, nodeField.type)[0] ?? '',
    others: fields.filter(({ number }) => number > nodeField.type),
  }
}

function bytesOfNode({ inputs, outputs, name, type, others }: OnnxNode): Uint8Array {
  const texts = (number: number, values: string[]) => values.map(value => ({ number, wire: sized, bytes: Buffer.from(value) }))
  return bytesOf([
    ...texts(nodeField.input, inputs),
    ...texts(nodeField.output, outputs),
    ...texts(nodeField.name, [name]),
    ...texts(nodeField.type, [type]),
    ...others,
  ])
}

function constantOf(tensor: Uint8Array): [string, OnnxTensor] {
  const fields = fieldsOf(tensor)
  const numbers = (wanted: number) =>
    fields
      .filter(({ number }) => number === wanted)
      .flatMap(({ wire, bytes }) => (wire === sized ? varintsOf(bytes) : [varintAt(bytes, 0).value]))
  const data = (wanted: number) => Buffer.concat(fields.filter(({ number }) => number === wanted).map(({ bytes }) => bytes))
  const raw = fields.find(({ number }) => number === tensorField.data)?.bytes
  const type = numbers(tensorField.type)[0] ?? 0
  const isBytes = type === elementTypes.uint8 || type === elementTypes.int8
  return [
    nameOf(tensor),
    {
      dims: numbers(tensorField.dims),
      type,
      data:
        raw ??
        (isBytes
          ? lowBytesOf(data(tensorField.integers))
          : type === elementTypes.float
            ? data(tensorField.floats)
            : data(tensorField.data)),
    },
  ]
}

function nameOf(tensor: Uint8Array): string {
  return textsOf(fieldsOf(tensor), tensorField.name)[0] ?? ''
}

function bytesOfTensor(name: string, { dims, type, data }: OnnxTensor): Uint8Array {
  const numbers = (number: number, values: number[]) => values.map(value => ({ number, wire: integer, bytes: varint(value) }))
  return bytesOf([
    ...numbers(tensorField.dims, dims),
    ...numbers(tensorField.type, [type]),
    { number: tensorField.name, wire: sized, bytes: Buffer.from(name) },
    { number: tensorField.data, wire: sized, bytes: data },
  ])
}

/** Returns a ValueInfoProto. The numbers below are those of protobuf fields: name is 1, type 2,
 *  tensor_type 1, elem_type 1, shape 2, dim 1, dim_value 1. */
function bytesOfInput({ name, type, dims }: OnnxInput): Uint8Array {
  const message = (number: number, parts: Field[]): Field => ({ number, wire: sized, bytes: bytesOf(parts) })
  const number = (value: number): Field => ({ number: 1, wire: integer, bytes: varint(value) })
  const shape = message(
    2,
    dims.map(dim => message(1, [number(dim)])),
  )
  return bytesOf([{ number: 1, wire: sized, bytes: Buffer.from(name) }, message(2, [message(1, [number(type), shape])])])
}

/** Returns a ValueInfoProto with only a name. Its type can be left out, because the node that
 *  computes the value determines it. */
function bytesOfResult(name: string): Uint8Array {
  return bytesOf([{ number: 1, wire: sized, bytes: Buffer.from(name) }])
}

function textsOf(fields: readonly Field[], wanted: number): string[] {
  return fields.filter(({ number }) => number === wanted).map(({ bytes }) => Buffer.from(bytes).toString())
}

function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = []
  for (let at = 0; at < message.length; ) {
    const key = varintAt(message, at)
    const wire = key.value % 8
    const length = wire === sized ? varintAt(message, key.end) : undefined
    const start = length?.end ?? key.end
    const end = length ? start + length.value : wire === integer ? varintAt(message, start).end : start + (fixedBytes[wire] ?? Number.NaN)
    if (!(end <= message.length)) throw new RangeError('a network file that is cut off or of another format')
    fields.push({ number: Math.floor(key.value / 8), wire, bytes: message.subarray(start, end) })
    at = end
  }
  return fields
}

function bytesOf(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(fields.flatMap(chunksOf))
}

function chunksOf({ number, wire, bytes }: Field): Uint8Array[] {
  return [varint(number * 8 + wire), ...(wire === sized ? [varint(bytes.length)] : []), bytes]
}

/** Returns the lowest 8 bits of each varint in a sequence. For negative 8-bit numbers these bits
 *  are the two's complement, so they are correct as well. */
function lowBytesOf(bytes: Uint8Array): Uint8Array {
  const low: number[] = []
  for (let at = 0; at < bytes.length; at = varintAt(bytes, at).end)
    low.push((bytes[at]! & 127) | (bytes[at]! < 128 ? 0 : (bytes[at + 1]! & 1) << 7))
  return Uint8Array.from(low)
}

function varintsOf(bytes: Uint8Array): number[] {
  const values: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const { value, end } = varintAt(bytes, at)
    values.push(value)
    at = end
  }
  return values
}

/** Returns the integer at `start`, exact up to 2^53. For larger and for negative integers `value`
 *  is wrong, and callers use only `end`. */
function varintAt(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0
  let factor = 1
  for (let at = start; at < Math.min(start + 10, bytes.length); at++, factor *= 128) {
    value += (bytes[at]! & 127) * factor
    if (bytes[at]! < 128) return { value, end: at + 1 }
  }
  throw new RangeError('a number of a network file that does not end')
}
