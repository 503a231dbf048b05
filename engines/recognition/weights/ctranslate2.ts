/** Reads the weights of a CTranslate2 model (`model.bin`, version 6). The format is described in
 *  docs/measured.md#weights-of-ctranslate2. */

export interface Variable {
  name: string
  /** Shape of the matrix, rows first. */
  shape: number[]
  /** The values as 16-bit floats, as stored in the file. */
  halves: Buffer
}

const halfType = 4

/** Returns the 16-bit variables by name, as views into `file`. Throws `TypeError` when the file has
 *  another format. */
export function readVariables(file: Buffer): Map<string, Variable> {
  let at = 0
  const u32 = (): number => {
    at += 4
    return file.readUInt32LE(at - 4)
  }
  const text = (): string => {
    const length = file.readUInt16LE(at)
    at += 2 + length
    // The string ends with a zero byte, which is left out.
    return file.toString('latin1', at - length, at - 1)
  }
  if (u32() !== 6 || text() !== 'WhisperSpec') throw new TypeError('these are no weights of Whisper for CTranslate2, version 6')
  u32()
  const variables = new Map<string, Variable>()
  for (let left = u32(); left > 0; left--) {
    const name = text()
    const rank = file.readUInt8(at++)
    const shape = Array.from({ length: rank }, u32)
    const type = file.readUInt8(at++)
    const bytes = u32()
    if (type === halfType) variables.set(name, { name, shape, halves: file.subarray(at, at + bytes) })
    at += bytes
  }
  return variables
}
