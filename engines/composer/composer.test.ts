import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pcmBytes, wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import { openEngine } from '@generation-gateway/kit/open-engine.ts'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import type { MusicEvent, MusicRequest, MusicResult } from '@generation-gateway/kit/requests/music.ts'
import { inlineInspection } from '@generation-gateway/kit/testing/inline-inspection.ts'
import composer from './driver.ts'
import { needsSounds } from './testing/sound.ts'
import { hertzOf } from './theory/key.ts'

const folder = await mkdtemp(join(tmpdir(), 'composer-test-'))
const engine = openEngine(composer, { folder, cores: 1 })
after(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

async function make(request: Partial<MusicRequest>, inputs: { role: string; path: string; mediaType?: string }[] = []) {
  const heard: Buffer[][] = []
  let firstAt = 0
  const whole: MusicRequest = { count: 1, seed: '11', seconds: 5, ...request }
  const capability = whole.lyrics === undefined ? 'music.instrumental' : 'music.song'
  const { report, files } = await engine.run(capability, whole, {
    inputs: inputs.map(input => ({ mediaType: 'audio/wav', bytes: 1, ...input })),
    onEvent: event => {
      // Jobs of the music engine report only events of the type `MusicEvent`.
      const { piece, bytes } = event as MusicEvent
      firstAt ||= performance.now()
      const parts = heard[piece] ?? []
      heard[piece] = [...parts, Buffer.from(bytes)]
    },
  })
  // The report of a music job is always a `MusicResult`.
  const { pieces } = report as unknown as MusicResult
  return { pieces, files, heard: heard.map(parts => Buffer.concat(parts)), firstAt, endAt: performance.now() }
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test(
  'each piece has its song, a lossless copy and a cover; the second piece equals the first one of the next seed',
  needsSounds,
  async () => {
    const both = await make({ prompt: 'chiptune', count: 2, seed: '11' })
    assert.deepEqual(
      both.files.map(({ role }) => role),
      ['song', 'lossless', 'cover', 'song', 'lossless', 'cover'],
    )
    assert.deepEqual(
      both.pieces.map(({ seed, seconds }) => [seed, seconds]),
      [
        ['11', 5],
        ['12', 5],
      ],
    )
    const bytes = await Promise.all(both.files.map(({ path }) => readFile(path)))
    // The streamed bytes equal the bytes of the finished file.
    assert.equal(hashOf(both.heard[0] ?? Buffer.alloc(0)), hashOf(bytes[0] ?? Buffer.alloc(0)))
    assert.equal(bytes[1]?.toString('latin1', 0, 4), 'fLaC')
    const next = await make({ prompt: 'chiptune', seed: '12' })
    const again = await Promise.all(next.files.map(({ path }) => readFile(path)))
    assert.deepEqual(again.map(hashOf), bytes.slice(3).map(hashOf))
    assert.notEqual(hashOf(bytes[0] ?? Buffer.alloc(0)), hashOf(bytes[3] ?? Buffer.alloc(0)))
  },
)

test('a song is sung line by line, on a given melody in its key and tempo', needsSounds, async () => {
  const path = join(folder, 'melody.wav')
  await writeFile(path, melodyOf([62, 62, 69, 69, 71, 71, 69, 67, 67, 66, 66, 64, 64, 62], 110))
  const lyrics = '[Chorus]\nSing it loud\nSing it now'
  const { pieces } = await make({ prompt: 'solo piano', lyrics, seconds: 10 }, [{ role: 'melody', path }])
  assert.deepEqual(
    pieces[0]?.lines.map(({ text }) => text),
    ['Sing it loud', 'Sing it now'],
  )
  assert.equal(pieces[0]?.title, 'Sing it loud')
  assert.equal(pieces[0]?.key, 'D major')
  assert.ok(Math.abs((pieces[0]?.bpm ?? 0) - 110) < 1.5, `${pieces[0]?.bpm} bpm`)
})

test('a MIDI melody gives its tempo and its key', needsSounds, async () => {
  const path = join(folder, 'melody.mid')
  // A melody in E minor at 100 beats a minute; each note lasts one beat.
  const notes = [64, 67, 71, 69, 67, 66, 63, 64].flatMap(pitch => [0, 0x90, pitch, 100, 96, pitch, 0])
  const track = [0, 0xff, 0x51, 3, 0x09, 0x27, 0xc0, ...notes, 0, 0xff, 0x2f, 0]
  await writeFile(
    path,
    Buffer.concat([Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0', 'latin1'), Buffer.from([track.length, ...track])]),
  )
  const { pieces } = await make({ prompt: 'chiptune' }, [{ role: 'melody', path, mediaType: 'audio/midi' }])
  assert.deepEqual([pieces[0]?.bpm, pieces[0]?.key], [100, 'E minor'])
})

test('forbidden lyrics or a forbidden prompt are refused before any sound is made', needsSounds, async () => {
  const refused = { code: 'request_moderated', message: /^The prompt (or the lyrics were|was) refused by the safety rules\..*Minors/ }
  await assert.rejects(make({ prompt: 'folk', lyrics: '[Verse]\nHere we go\na nude child, sexual' }), refused)
  await assert.rejects(make({ prompt: 'about a child', lyrics: '[Verse]\nnaked and sexual' }), refused)
  await assert.rejects(make({ prompt: 'a nude child, sexual' }), refused)
})

test('a value outside its range is refused with field, value and limit', () => {
  const driver = composer.open({
    packs: { file: () => '', howToGet: () => '' },
    scratchDirectory: folder,
    dataDirectory: folder,
    cores: 0,
    allowPrivateUrls: false,
    outbound: directOutbound,
    inspection: inlineInspection,
    log: { info: () => {}, warn: () => {} },
  })
  const song = driver.offers['music.song']
  const refused = (request: Partial<MusicRequest>, roles: string[] = []) =>
    song?.refuses?.({
      request: { count: 1, seed: '1', lyrics: 'la', ...request },
      inputs: roles.map(role => ({ role, mediaType: 'audio/wav', bytes: 1 })),
      model: '',
      settings: {},
    })
  assert.equal(refused({}), undefined)
  assert.match(refused({ seconds: 601 })?.message ?? '', /^seconds: 601 .* 5 to 600/)
  assert.match(refused({ count: 5 })?.message ?? '', /^count: 5 .* 1 to 4/)
  for (const lyrics of [' ', '... !!!', '😀', '[Verse]\n[Chorus]', '\u200b'])
    assert.match(refused({ lyrics })?.message ?? '', /^lyrics: a song needs words/, lyrics)
  for (const word of ['привет', 'नमस्ते', 'สวัสดี', '桜が'])
    assert.match(
      refused({ lyrics: `[Verse]\nhello ${word}` })?.message ?? '',
      new RegExp(`^lyrics: “${word.slice(0, 2)}.*” cannot be sung: `),
    )
  assert.equal(refused({ lyrics: 'привет' }, ['vocal']), undefined)
  assert.match(refused({}, ['melody', 'melody'])?.message ?? '', /^melody: is given 2 times/)
})

/** Returns a WAV file of notes that last one beat each. */
function melodyOf(pitches: readonly number[], bpm: number): Buffer {
  const rate = 22_050
  const beat = Math.round((60 * rate) / bpm)
  let phase = 0
  const samples = Float32Array.from({ length: beat * pitches.length }, (_, index) => {
    const at = index % beat
    phase += hertzOf(pitches[Math.floor(index / beat)] ?? 60) / rate
    const shape = Math.min(1, at / 300) * Math.min(1, (beat - at) / 2500)
    return 0.3 * shape * (Math.sin(2 * Math.PI * phase) + 0.4 * Math.sin(4 * Math.PI * phase))
  })
  return Buffer.concat([wavHeader({ sampleRate: rate, channels: 1, dataBytes: samples.length * 2 }), pcmBytes(samples)])
}
