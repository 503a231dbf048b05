/** Writes a neural network as an ONNX file. The format is protobuf; the numbers of its fields are
 *  defined in onnx.proto. */
import { varint } from '@generation-gateway/kit/onnx/varint.ts'

type Part = Uint8Array

/** Name and shape of an input or output. A dimension whose size differs from run to run has a name
 *  instead of a number. */
interface Shape {
  name: string
  dims: readonly (number | string)[]
}

/** An attribute of a node: an integer, a list of integers, a float or a string. */
type Attribute = { int: number } | { ints: readonly number[] } | { float: number } | { text: string }

/** A neural network that is built node by node and written as an ONNX file (operator set 13). */
export class OnnxFile {
  readonly #nodes: Part[] = []
  readonly #constants: Part[] = []

  /** Adds a constant of floats, or of unsigned bytes, in row-major order. Returns its name. */
  constant(name: string, dims: readonly number[], values: Float32Array | Uint8Array): string {
    const type = values instanceof Uint8Array ? 2 : 1
    const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    this.#constants.push(field(5, [...dims.map(dim => number(1, dim)), number(2, type), text(8, name), field(9, [data])]))
    return name
  }

  /** Adds a node that applies `operator` to its inputs. The node has a single output with the same
   *  name as the node. Returns this name. */
  node(name: string, operator: string, inputs: readonly string[], attributes: Record<string, Attribute> = {}): string {
    const reported = Object.entries(attributes).map(([key, value]) => field(5, [text(1, key), ...attribute(value)]))
    this.#nodes.push(field(1, [...inputs.map(input => text(1, input)), text(2, name), text(3, name), text(4, operator), ...reported]))
    return name
  }

  /** Returns the bytes of the file, with one float input and one float output. */
  bytes(input: Shape, output: Shape): Uint8Array {
    const graph = [...this.#nodes, text(2, 'graph'), ...this.#constants, value(11, input), value(12, output)]
    const opset = [text(1, ''), number(2, 13)]
    return Buffer.concat([number(1, 8), field(7, graph), field(8, opset)])
  }
}

function attribute(value: Attribute): Part[] {
  if ('int' in value) return [number(3, value.int), number(20, 2)]
  if ('ints' in value) return [...value.ints.map(each => number(8, each)), number(20, 7)]
  if ('text' in value) return [text(4, value.text), number(20, 3)]
  // A float is stored in four bytes, which protobuf marks with wire type 5.
  return [varint(2 * 8 + 5), new Uint8Array(Float32Array.of(value.float).buffer), number(20, 1)]
}

function value(place: number, { name, dims }: Shape): Part {
  const shape = field(
    2,
    dims.map(dim => field(1, [typeof dim === 'number' ? number(1, dim) : text(2, dim)])),
  )
  return field(place, [text(1, name), field(2, [field(1, [number(1, 1), shape])])])
}

function text(place: number, value: string): Part {
  return field(place, [Buffer.from(value)])
}

function number(place: number, value: number): Part {
  return Buffer.concat([varint(place * 8), varint(value)])
}

function field(place: number, parts: readonly Part[]): Part {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([varint(place * 8 + 2), varint(length), ...parts])
}
