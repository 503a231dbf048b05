import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readFramecrc } from './framecrc.ts'

const output = `#software: Lavf61.7.100
#tb 0: 1/12288
#media_type 0: video
#dimensions 0: 1280x720
#tb 1: 1/48000
0,      -1024,          0,      512,     4063, 0x36a2e3f4, S=1,       14
1,          0,          0,     1024,       23, 0x0ad402d4
0,       -512,      -1536,      512,      229, 0x8d7c6f4b, F=0x0
a line of another kind, 1, 2, 3, 4
1,       1024,       1024,`

test('facts and packets are read however the output is split; other and incomplete lines are skipped', async () => {
  for (const size of [1, 7, output.length]) {
    const pieces = Array.from({ length: Math.ceil(output.length / size) }, (_, index) => output.slice(index * size, (index + 1) * size))
    const read: unknown[] = []
    await readFramecrc(Readable.from(pieces.map(piece => Buffer.from(piece))), {
      fact: (...fact) => read.push(fact),
      packet: (...packet) => read.push(packet),
    })
    assert.deepEqual(read, [
      [0, 'tb', '1/12288'],
      [0, 'media_type', 'video'],
      [0, 'dimensions', '1280x720'],
      [1, 'tb', '1/48000'],
      [0, 0, 512],
      [1, 0, 1024],
      [0, -1536, 512],
    ])
  }
})
