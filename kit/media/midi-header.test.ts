import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readMediaFile } from './media-header.ts'
import { midiSeconds, midiTune } from './midi-header.ts'

function chunk(name: string, ...bytes: number[]): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32BE(bytes.length, 4)
  return Buffer.concat([head, Buffer.from(bytes)])
}

const header = (format: number, tracks: number, division: [number, number]) => chunk('MThd', 0, format, 0, tracks, ...division)
const end = [0xff, 0x2f, 0]
const tempo = (quarter: number) => [0xff, 0x51, 3, quarter >> 16, (quarter >> 8) & 0xff, quarter & 0xff]
/** The length of 480 ticks, which is a quarter note, as a variable-length number of two bytes. */
const aQuarter = [0x83, 0x60]
const quarters: [number, number] = [0x01, 0xe0]

test('without a tempo, a quarter note is half a second; running status, programs and sysex are skipped', () => {
  const notes = [0, 0xc0, 5, 0, 0x90, 60, 100, ...aQuarter, 60, 0, 0, 0xf0, 2, 1, 0xf7, ...aQuarter, 0x80, 60, 0, 0, ...end]
  assert.equal(midiSeconds(Buffer.concat([header(0, 1, quarters), chunk('MTrk', ...notes)])), 1)
})

test('the tempos of one track apply to the others, each from its time on', () => {
  const first = chunk('MTrk', 0, ...tempo(1_000_000), ...aQuarter, ...tempo(250_000), 0, ...end)
  const second = chunk('MTrk', ...aQuarter, 0x90, 60, 100, ...aQuarter, 60, 0, 0, ...end)
  assert.equal(midiSeconds(Buffer.concat([header(1, 2, quarters), first, chunk('XXXX', 1), second])), 1.25)
})

test('tracks of format 2 follow one another, and SMPTE time has no tempo', () => {
  const track = chunk('MTrk', ...aQuarter, ...end)
  assert.equal(midiSeconds(Buffer.concat([header(2, 2, quarters), track, track])), 1)
  // The division is 25 frames a second with 40 ticks each.
  assert.equal(midiSeconds(Buffer.concat([header(0, 1, [0xe7, 40]), track])), 0.48)
})

test('key events have their written times, and the tempo is that of the first note', () => {
  const first = chunk('MTrk', 0, ...tempo(1_000_000), ...aQuarter, ...tempo(400_000), 0, ...end)
  const second = chunk('MTrk', ...aQuarter, 0x91, 60, 100, ...aQuarter, 60, 0, 0, 0x80, 62, 64, 0, ...end)
  const tune = midiTune(Buffer.concat([header(1, 2, quarters), first, second]))
  assert.equal(tune?.bpm, 150)
  assert.deepEqual(tune?.keys, [
    { beat: 1, part: 17, channel: 1, pitch: 60, isDown: true },
    { beat: 2, part: 17, channel: 1, pitch: 60, isDown: false },
    { beat: 2, part: 16, channel: 0, pitch: 62, isDown: false },
  ])
})

test('hundreds of thousands of tracks are read quickly', () => {
  const tracks = Buffer.concat(Array.from({ length: 250_000 }, () => chunk('MTrk')))
  for (const format of [1, 2]) assert.equal(midiSeconds(Buffer.concat([header(format, 2, quarters), tracks])), 0)
})

test('a damaged MIDI file is refused', () => {
  const good = Buffer.concat([header(0, 1, quarters), chunk('MTrk', ...aQuarter, ...end)])
  for (const bytes of [
    good.subarray(0, 13),
    good.subarray(0, 14),
    good.subarray(0, good.length - 1),
    Buffer.concat([header(0, 1, [0, 0]), chunk('MTrk', ...aQuarter, ...end)]),
    Buffer.concat([header(0, 1, [0xe7, 0]), chunk('MTrk', ...aQuarter, ...end)]),
    Buffer.concat([header(0, 1, quarters), chunk('MTrk', 0, 60, 100)]),
    Buffer.concat([header(0, 1, quarters), chunk('MTrk', 0, 0xff, 0x01, 100)]),
    Buffer.concat([header(0, 1, quarters), chunk('MTrk', 0xff, 0xff, 0xff, 0xff, 0xff)]),
  ])
    assert.equal(midiSeconds(bytes), undefined)
})

test('a MIDI file is recognised by its header', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'midi-'))
  try {
    const file = join(folder, 'tune')
    await writeFile(file, Buffer.concat([header(0, 1, quarters), chunk('MTrk', ...aQuarter, ...end)]))
    assert.deepEqual(await readMediaFile(file), { mediaType: 'audio/midi', durationSeconds: 0.5 })
  } finally {
    await rm(folder, { recursive: true })
  }
})
