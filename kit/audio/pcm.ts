/** Samples as 16-bit PCM, and the header of a WAV. */

/** Signed 16 bit, little-endian; what is beyond -1 to 1 is cut off there, what is no number is silence. */
export function pcmBytes(samples: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length * 2)
  for (let index = 0; index < samples.length; index++) bytes.writeInt16LE(toInt16(samples[index] ?? 0), index * 2)
  return bytes
}

/** The nearest integer of -32768 to 32767. */
export function toInt16(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))) || 0
}

/** Samples of -1 to 1 of signed 16-bit little-endian bytes; a last odd byte is left out. */
export function samplesOf(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.byteLength >> 1 }, (_, index) => view.getInt16(index * 2, true) / 32_768)
}

interface WavFacts {
  /** Hertz. */
  sampleRate: number
  channels: number
  /** Absent, of a sound that is still being made: the greatest size there is, so that readers go on to the end. */
  dataBytes?: number
  /** Of a sample: 8 (unsigned) or 16 (signed). */
  bits?: 8 | 16
}

/** The 44 bytes before the samples. */
export function wavHeader({ sampleRate, channels, dataBytes = 0xffff_ffff - 36, bits = 16 }: WavFacts): Buffer {
  const frameBytes = (channels * bits) / 8
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(dataBytes + 36, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * frameBytes, 28)
  header.writeUInt16LE(frameBytes, 32)
  header.writeUInt16LE(bits, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(dataBytes, 40)
  return header
}
