/** `node bench/music/make-mandarin.ts`: makes the Chinese voice of the composer, engines/composer/sing/mandarin.bin: every syllable of pinyin in the first tone, said by Kokoro, as frames of envelopes (mandarin-voice.ts says how they lie). Takes some five minutes of one core. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { pinyin } from 'pinyin-pro'
import { pitchOf } from '../../engines/composer/listen/pitch.ts'
import { byteOf, frameBytes, framesOf, hissPoints, initialOf, points } from '../../engines/composer/sing/mandarin-frames.ts'
import { withOutput } from '../../engines/composer/sing/network-output.ts'
import { ipaOfPinyin } from '../../engines/speech/language/chinese/pinyin-ipa.ts'
import { convolveInFloats } from '../../engines/speech/models/float-convolutions.ts'
import { withGraph } from '../../engines/speech/models/onnx-graph.ts'
import { createFft } from '../../kit/audio/fft.ts'
import { packsDirectory } from '../../kit/packs.ts'
import { hibariSound } from '../../kit/voice/hibari-sound.ts'
import { tokensOf } from '../../kit/voice/phoneme-tokens.ts'

const voice = { place: 48, pace: 0.72 }
const together = 7
const rate = 24_000
const hop = 300
const durations = '/encoder/Clip_output_0'
const size = 1200
const windowSize = 600
const fft = createFft(size)
const window = Float64Array.from({ length: windowSize }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (index + 0.5)) / windowSize))

const folder = join(packsDirectory(process.env), 'speech-kokoro')
const session = await InferenceSession.create(
  withOutput(withGraph(await readFile(join(folder, 'model.onnx')), convolveInFloats), durations),
  {
    intraOpNumThreads: 2,
  },
)
const styles = await readFile(join(folder, 'voices.bin'))
const hissOffset = measuredHiss()

const names = allSyllables()
process.stdout.write(`${names.length} syllables, hiss ${hissOffset.toFixed(2)}\n`)
const entries: { name: string; onset: number; frames: Uint8Array[] }[] = []
for (let from = 0; from < names.length; from += together) {
  const batch = names.slice(from, from + together)
  entries.push(...(await said(batch)))
  process.stdout.write(`${from + batch.length} `)
}
const index = entries.map(({ name, onset, frames }) => [name, onset, frames.length])
const head = Buffer.from(JSON.stringify(index))
const length = Buffer.alloc(4)
length.writeUInt32LE(head.length)
const whole = Buffer.concat([length, head, ...entries.flatMap(({ frames }) => frames)])
const packed = brotliCompressSync(whole, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } })
await writeFile(new URL('../../engines/composer/sing/mandarin.bin', import.meta.url), packed)
process.stdout.write(`\n${whole.length} bytes, packed ${packed.length}\n`)

/** Without tones, of every Han character that has a reading. */
function allSyllables(): string[] {
  const found = new Set<string>()
  for (let code = 0x4e00; code <= 0x9fff; code++)
    for (const syllable of pinyin(String.fromCodePoint(code), { toneType: 'none', type: 'array', v: true, multiple: true }))
      found.add(syllable)
  return [...found].filter(name => /^[a-z]+$/.test(name) && ipaOfPinyin(`${name}1`) !== undefined).sort()
}

async function said(batch: readonly string[]): Promise<typeof entries> {
  // The last one is left out: a voice sinks at the end.
  const spoken = [...batch, 'la'].map(name => ipaOfPinyin(`${name}1`) ?? '')
  const text = spoken.join(' ')
  const ids = tokensOf(text)
  const at = (voice.place * 510 + ids.length - 3) * 1024
  const style = new Float32Array(256)
  for (let value = 0; value < 256; value++) style[value] = styles.readFloatLE(at + 4 * value)
  const out = await session.run({
    tokens: new Tensor('int64', ids, [1, ids.length]),
    style: new Tensor('float32', style, [1, 256]),
    speed: new Tensor('float32', [voice.pace], [1]),
  })
  const sound = floatsOf(out.audio)
  const lengths = floatsOf(out[durations]).map(value => value * 2)
  const track = pitchOf(sound, rate)
  let token = 1
  let frame = lengths[0] ?? 0
  return batch.map((name, number) => {
    const signs = [...(spoken[number] ?? '')].length
    const initial = [...(ipaOfPinyin(`${name}1`) ?? '')].length - [...(ipaOfPinyin(`${rimeOf(name)}1`) ?? '')].length
    const start = frame
    let onset = 0
    for (let sign = 0; sign < signs; sign++) {
      frame += lengths[token] ?? 0
      token += 1
      if (sign < initial) onset = frame - start
    }
    const end = frame
    // The space belongs to nobody.
    frame += lengths[token] ?? 0
    token += 1
    return { name, onset, frames: Array.from({ length: end - start }, (_, step) => frameAt(sound, start + step, track)) }
  })
}

function floatsOf(value: InferenceSession.OnnxValueMapType[string] | undefined): Float32Array {
  if (!(value && 'data' in value && value.data instanceof Float32Array)) throw new TypeError('a network without this result')
  return value.data
}

/** What is behind the initial, as it is written alone; only how many signs it has counts. */
function rimeOf(name: string): string {
  return name.slice(initialOf(name).length) || name
}

function frameAt(sound: Float32Array, frame: number, { hop: step, hertz }: ReturnType<typeof pitchOf>): Uint8Array {
  const place = Math.round((frame + 0.5) * hop)
  const f0 = hertz[Math.round((place / rate - 0.023) / step)] ?? 0
  const isVoiced = f0 > 120 && f0 < 500
  const spectrum = magnitudes(sound, place)
  const tone = isVoiced ? harmonics(spectrum, f0) : undefined
  const bytes = new Uint8Array(frameBytes)
  bytes[0] = isVoiced ? 1 : 0
  points.forEach((point, number) => {
    bytes[1 + number] = byteOf(tone ? lnAt(tone.peaks, point / f0 - 1) : -20)
  })
  hissPoints.forEach((point, number) => {
    const level = tone ? lnAt(tone.valleys, point / f0 - 1.5) : lnAround(spectrum, point)
    bytes[1 + points.length + number] = byteOf(level - hissOffset)
  })
  return bytes
}

/** ln of the amplitude of a tone at each bin of 20 Hz. */
function magnitudes(sound: Float32Array, place: number): Float64Array {
  const re = new Float64Array(size)
  const im = new Float64Array(size)
  for (let index = 0; index < windowSize; index++)
    re[index] = (sound[place - windowSize / 2 + index] ?? 0) * window[index]! * (4 / windowSize)
  fft.forward(re, im)
  return Float64Array.from({ length: size / 2 + 1 }, (_, bin) => Math.log(Math.hypot(re[bin]!, im[bin]!) + 1e-7))
}

function harmonics(spectrum: Float64Array, f0: number): { peaks: number[]; valleys: number[] } {
  const bin = (hertz: number) => Math.min(size / 2, Math.max(0, Math.round((hertz * size) / rate)))
  const count = Math.floor(rate / 2 / f0) - 1
  const peaks: number[] = []
  const valleys: number[] = []
  for (let number = 1; number <= count; number++) {
    const near = spectrum.subarray(bin((number - 0.3) * f0), bin((number + 0.3) * f0) + 1)
    peaks.push(Math.max(...near))
    valleys.push(Math.min(...spectrum.subarray(bin((number + 0.35) * f0), bin((number + 0.65) * f0) + 1)))
  }
  return { peaks, valleys }
}

function lnAt(values: readonly number[], place: number): number {
  const most = values.length - 1
  const at = Math.max(0, Math.min(most, place))
  const below = Math.floor(at)
  return values[below]! + (at - below) * (values[Math.min(most, below + 1)]! - values[below]!)
}

function lnAround(spectrum: Float64Array, hertz: number): number {
  const middle = Math.round((hertz * size) / rate)
  const near = spectrum.subarray(Math.max(0, middle - 12), Math.min(size / 2, middle + 12) + 1)
  return near.reduce((sum, value) => sum + value, 0) / near.length
}

/** What the analysis says of hiss whose level is 0. */
function measuredHiss(): number {
  const frames = 40
  const zero = new Uint8Array(frameBytes).fill(byteOf(-20))
  zero[0] = 0
  zero.fill(byteOf(0), 1 + points.length)
  const sound = hibariSound({ ...framesOf(Array.from({ length: frames }, () => zero)) }, 1)
  let sum = 0
  for (let frame = 8; frame < 32; frame++) sum += lnAround(magnitudes(sound, frame * hop), 5000)
  return sum / 24
}
