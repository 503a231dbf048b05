/** A network file (ONNX, a protobuf message) with one more result: a value that it computes on its way. */

// Field numbers of onnx.proto.
const modelGraph = 7
const graphOutput = 12
const valueName = 1
const sized = 2

/** Throws `RangeError` for bytes that are no such file. */
export function withOutput(file: Uint8Array, name: string): Uint8Array {
  const parts: Uint8Array[] = []
  let at = 0
  const number = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = file[at]
      if (byte === undefined) throw new RangeError('a network file that is cut off')
      at += 1
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < file.length) {
    const from = at
    const key = number()
    const length = number()
    if ((key & 7) === sized) {
      const begin = at
      at += length
      if (key >> 3 === modelGraph) {
        parts.push(message(modelGraph, [file.subarray(begin, at), message(graphOutput, [message(valueName, [Buffer.from(name)])])]))
        continue
      }
    }
    parts.push(file.subarray(from, at))
  }
  return Buffer.concat(parts)
}

function message(field: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([varint((field << 3) | sized), varint(length), ...parts])
}

function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest & 127) | 128)
  bytes.push(rest)
  return Uint8Array.from(bytes)
}
