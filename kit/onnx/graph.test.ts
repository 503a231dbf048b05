import assert from 'node:assert/strict'
import { test } from 'node:test'
import { elementTypes, integerAttribute, type OnnxTensor, withGraph } from './graph.ts'

/** Returns one length-delimited field of a protobuf message (onnx.proto); the content must have
 *  fewer than 128 bytes, so that its length fits one byte. */
const part = (number: number, bytes: readonly number[]) => [number * 8 + 2, bytes.length, ...bytes]
const text = (number: number, value: string) => part(number, [...Buffer.from(value)])

const minusOne = [...Array<number>(9).fill(0xff), 1]

/** Returns the file of a network with one constant `w`, whose 8-bit numbers are stored as
 *  varints. */
function networkWith(type: number, count: number, varints: readonly number[]): Uint8Array {
  const tensor = [...part(1, [count]), 2 * 8, type, ...part(5, varints), ...text(8, 'w')]
  const node = [...text(1, 'w'), ...text(2, 'y'), ...text(4, 'Identity')]
  return Uint8Array.from(part(7, [...part(1, node), ...part(5, tensor), ...part(12, text(1, 'y'))]))
}

test('8-bit weights stored as varints are read, also those of two bytes and negative ones', () => {
  let weights: OnnxTensor | undefined
  const read = (type: number, count: number, varints: readonly number[]) => {
    withGraph(networkWith(type, count, varints), graph => {
      weights = graph.constants.get('w')
    })
    return [...(weights?.data ?? [])]
  }
  assert.deepEqual(read(elementTypes.uint8, 4, [5, 127, 0x80, 1, 0xc8, 1]), [5, 127, 128, 200])
  assert.deepEqual(read(elementTypes.int8, 2, [3, ...minusOne]), [3, 255])
})

test('an integer of an attribute may be negative', () => {
  const axis = (value: number) => [...integerAttribute('axis', value).bytes]
  const withValue = (varint: readonly number[]) => [...text(1, 'axis'), 3 * 8, ...varint, ...[160, 1], 2]
  assert.deepEqual(axis(-1), withValue(minusOne))
  assert.deepEqual(axis(300), withValue([0xac, 2]))
})
