import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDiskRoom, openRoom, watchDiskRoom } from './disk-room.ts'

const full = { code: 'disk_full', retryAfterSeconds: 60 }

/** Returns a simulated disk with `free` bytes, and a clock that the test steps. */
function disk(free: number, minFreeBytes: number) {
  const state = { free, ms: 0 }
  const room = createDiskRoom({ freeBytes: () => state.free, minFreeBytes, now: () => state.ms })
  return { room, state }
}

test('announced files reserve their room in advance, and release what was not used', () => {
  const { room } = disk(1000, 100)
  const first = room.open(600)
  assert.throws(() => room.open(301), { ...full, message: /free space would fall below 0 MiB/ })
  const second = room.open(300)
  assert.throws(() => room.open(1), full)
  second.close()
  second.close()
  room.open(300).close()
  first.take(600)
  first.close()
  // So soon after its last reading, the room does not read the free space again. It subtracts the
  // 1,000 bytes that were written since that reading.
  assert.throws(() => room.open(301), full)
})

test('bytes that were not announced are counted when they arrive', () => {
  const { room, state } = disk(1000, 100)
  const file = room.open()
  for (let i = 0; i < 9; i++) file.take(100)
  assert.throws(() => file.take(1), full)
  // After this time the free space is read again, so bytes that other programs have freed are
  // included.
  state.ms += 100
  state.free = 300
  file.take(200)
  assert.throws(() => file.take(1), full)
})

test('a file that is longer than announced is counted completely', () => {
  const { room } = disk(1000, 100)
  const file = room.open(500)
  file.take(700)
  assert.throws(() => file.take(300), full)
})

test('below the floor nothing is begun; each folder has the free room of its own disk', () => {
  assert.throws(() => disk(99, 100).room.open(), full)
  {
    using room = watchDiskRoom('/data/a', 100, () => 200)
    assert.throws(() => room.open(101), full)
    assert.throws(() => openRoom('/data/a/scratch/file', 101), full)
    openRoom('/data/ab/file', 1e15).close()
  }
  openRoom('/data/a/scratch/file', 101).close()
})

test('announcements of other accounts hold half of the room, and the floor holds all the same', () => {
  const { room } = disk(1100, 100)
  const mute = [room.open(600, 'a'), room.open(400, 'a')]
  assert.throws(() => room.open(1, 'a'), full)
  room.open(500, 'b').close()
  assert.throws(() => room.open(501, 'b'), full)
  const b = room.open(500, 'b')
  b.take(500)
  b.close()
  mute[0]?.take(500)
  assert.throws(() => mute[0]?.take(1), full)
  for (const file of mute) file.close()
  assert.throws(() => room.open(1, 'c'), full)
})
