import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileProgram, runProgram } from './wasi.ts'

const [i32, i64, func] = [0x7f, 0x7e, 0x60]
const text = (name: string) => [name.length, ...Buffer.from(name)]
const section = (id: number, ...bytes: number[]) => [id, bytes.length, ...bytes]

/** A WASI program whose memory begins with 24 bytes of value 1. It has the current time written to
 *  address 16. Its exit code is 2 times the byte at address 0 plus the byte at address 16. */
const asksTheTime = Uint8Array.from([
  ...[...Buffer.from('\0asm'), 1, 0, 0, 0],
  ...section(1, 3, ...[func, 3, i32, i64, i32, 1, i32], ...[func, 1, i32, 0], ...[func, 0, 0]),
  ...section(2, 2, ...['clock_time_get', 'proc_exit'].flatMap((name, type) => [...text('wasi_snapshot_preview1'), ...text(name), 0, type])),
  ...section(3, 1, 2),
  ...section(5, 1, 0, 1),
  ...section(7, 2, ...text('memory'), 2, 0, ...text('_start'), 0, 2),
  // Opcodes: i32.const 0x41, i64.const 0x42, call 0x10, drop 0x1a, i32.load8_u 0x2d, i32.mul 0x6c,
  // i32.add 0x6a, end 0x0b.
  ...section(
    10,
    ...[1, 27, 0],
    ...[0x41, 1, 0x42, 0, 0x41, 16, 0x10, 0, 0x1a],
    ...[0x41, 0, 0x2d, 0, 0, 0x41, 2, 0x6c, 0x41, 16, 0x2d, 0, 0, 0x6a],
    ...[0x10, 1, 0x0b],
  ),
  ...section(11, 1, 0, 0x41, 0, 0x0b, 24, ...Array<number>(24).fill(1)),
])

test('the time is reported only when the program requests it', async () => {
  const { code } = await runProgram(await compileProgram(asksTheTime), { args: [], files: new Map() })
  assert.equal(code, 2)
})
