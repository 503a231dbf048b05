/** Signal processing of the voice Hibari: turns the output of its neural network, one frame per
 *  12.5 ms, into sound. The sound is the sum of three components: a filtered pulse train at the
 *  pitch, shaped noise, and a remainder with its own magnitudes and phases. */
import { fastCos, fastExp, fastSin, fastTanh } from '../audio/fast-math.ts'
import { createFft } from '../audio/fft.ts'
import { normalsFrom } from '../audio/noise.ts'
import { floatsOf, type NetworkOutputs } from '../onnx/session.ts'

const hibariRate = 24_000
const size = 1200
const hop = 300
const bins = size / 2 + 1
/** `leastPitch`: below this pitch in Hz, no pulses are generated. `highestHarmonic`: no harmonics
 *  are generated above this frequency in Hz. */
export const leastPitch = 40
const highestHarmonic = 11_000
/** Largest natural logarithm of a gain or magnitude. When the network returns a larger one, this is
 *  an error of the network, and the value is limited to this one. */
const most = 7

/** Outputs of the neural network. `f0` contains one value per frame, the pitch in Hz. The five
 *  other arrays contain one value for each of 601 frequency bins in each frame: first the values of
 *  the first bin in all frames, then those of the second bin, and so on. */
export interface HibariFrames {
  frames: number
  /** Natural logarithm of the gain of the harmonics. */
  lh: Float32Array
  /** Phase shift of the harmonics, stored as x; the shift is pi * tanh(x) radians. */
  theta: Float32Array
  /** Natural logarithm of the magnitude of the noise. */
  ln: Float32Array
  /** The third component of the sound, the remainder: natural logarithm of its magnitude (`lr`),
   *  and its phase in radians (`phi`). */
  lr: Float32Array
  phi: Float32Array
  f0: Float32Array
}

/** Returns the network's outputs by name. Throws when one is missing. */
export function hibariFrames(outputs: NetworkOutputs): HibariFrames {
  const part = (name: string) => floatsOf(outputs, name)
  const f0 = part('f0')
  return { frames: f0.length, lh: part('lh'), theta: part('theta'), ln: part('ln'), lr: part('lr'), phi: part('phi'), f0 }
}

const fft = createFft(size)
const window = Float64Array.from({ length: size }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / size))

/** Returns the sound, 300 samples per frame, about -1 to 1. */
export function hibariSound(net: HibariFrames, seed: number): Float32Array {
  const { frames } = net
  const noise = normalsFrom(seed)
  const source = pulses(net.f0)
  const sum = new Float64Array((frames + 3) * hop)
  const weight = new Float64Array((frames + 3) * hop)
  const re = new Float64Array(size)
  const im = new Float64Array(size)
  // Two frames are transformed at once: one is the real and the other the imaginary part of a
  // complex signal.
  for (let frame = 0; frame < frames; frame += 2) {
    const isPair = frame + 1 < frames
    for (let index = 0; index < size; index++) {
      const w = (window[index]! * 4) / size
      re[index] = reflected(source, frame * hop + index - size / 2) * w
      im[index] = isPair ? reflected(source, (frame + 1) * hop + index - size / 2) * w : 0
    }
    fft.forward(re, im)
    shape(net, { frame, isPair, re, im, noise })
    fft.inverse(re, im)
    add(re, { frame, sum, weight })
    if (isPair) add(im, { frame: frame + 1, sum, weight })
  }
  const sound = new Float32Array(frames * hop)
  for (let index = 0; index < sound.length; index++) sound[index] = sum[index + size / 2]! / Math.max(weight[index + size / 2]!, 1e-11)
  return sound
}

interface SpectrumFrame {
  frame: number
  isPair: boolean
  re: Float64Array
  im: Float64Array
  noise(): number
}

/** Turns the spectrum of the pulses into the spectrum of the sound, in place. `re` and `im` contain
 *  two frames as one complex signal. */
function shape(net: HibariFrames, { frame, isPair, re, im, noise }: SpectrumFrame): void {
  for (let bin = 0; bin < bins; bin++) {
    const mirror = bin === 0 ? 0 : size - bin
    const xr = re[bin]!
    const xi = im[bin]!
    const yr = re[mirror]!
    const yi = im[mirror]!
    const at = bin * net.frames + frame
    shapeBin(net, { at, re: (xr + yr) / 2, im: (xi - yi) / 2, noise })
    const ar = shaped[0]!
    const ai = shaped[1]!
    if (isPair) shapeBin(net, { at: at + 1, re: (xi + yi) / 2, im: (yr - xr) / 2, noise })
    else shaped.fill(0)
    const br = shaped[0]!
    const bi = shaped[1]!
    // These bins are real in the spectrum of a real signal, so the imaginary parts are left out.
    const isEnd = bin === 0 || bin === bins - 1
    re[bin] = ar - (isEnd ? 0 : bi)
    im[bin] = (isEnd ? 0 : ai) + br
    if (!isEnd) {
      re[mirror] = ar + bi
      im[mirror] = br - ai
    }
  }
}

/** The result of `shapeBin`: real and imaginary part. One array is reused, because allocating one
 *  for each of 48,000 bins in a second of sound would be too slow. */
const shaped = new Float64Array(2)

function shapeBin(
  { lh, theta, ln, lr, phi }: HibariFrames,
  { at, re, im, noise }: { at: number; re: number; im: number; noise(): number },
): void {
  const gain = limitedExp(lh[at]!)
  const turn = Math.PI * fastTanh(theta[at]!)
  const c = gain * fastCos(turn)
  const s = gain * fastSin(turn)
  const hiss = limitedExp(ln[at]!)
  const rest = limitedExp(lr[at]!)
  shaped[0] = re * c - im * s + hiss * noise() + rest * fastCos(phi[at]!)
  shaped[1] = re * s + im * c + hiss * noise() + rest * fastSin(phi[at]!)
}

function add(frameSound: Float64Array, { frame, sum, weight }: { frame: number; sum: Float64Array; weight: Float64Array }): void {
  const start = frame * hop
  for (let index = 0; index < size; index++) {
    const w = window[index]!
    sum[start + index]! += (frameSound[index]! / size) * w
    weight[start + index]! += w * w
  }
}

/** Returns a pulse train: all harmonics of the pitch up to 11 kHz with equal strength, computed by
 *  a formula for the sum of their cosines. The samples are 0 where the speech is unvoiced. */
function pulses(f0: Float32Array): Float64Array {
  const sound = new Float64Array(f0.length * hop)
  let phase = 0
  for (let index = 0; index < sound.length; index++) {
    // A frame states the pitch at its middle; between two middles the pitch is interpolated.
    const at = (index + 0.5) / hop - 0.5
    const before = Math.floor(at)
    const share = at - before
    const from = f0[Math.max(0, before)]!
    const pitch = from + ((f0[Math.min(f0.length - 1, before + 1)] ?? from) - from) * share
    const hertz = Math.max(pitch, leastPitch)
    phase += hertz / hibariRate
    if (phase >= 1) phase -= 1
    if (pitch <= leastPitch) continue
    const angle = 2 * Math.PI * phase
    const half = Math.floor(highestHarmonic / hertz) + 0.5
    const below = 2 * Math.sin(angle / 2)
    sound[index] = (Math.abs(below) <= 2e-3 ? half : Math.sin(half * angle) / below) - 0.5
  }
  return sound
}

/** Returns the sample at `index`. Beyond either end the sound is mirrored, without repeating the
 *  last sample. */
function reflected(sound: Float64Array, index: number): number {
  const last = sound.length - 1
  const at = index < 0 ? -index : index > last ? 2 * last - index : index
  return sound[Math.min(Math.max(at, 0), last)] ?? 0
}

function limitedExp(value: number): number {
  return fastExp(value < most ? value : most)
}
