/** Converts 16-bit PCM samples, and writes the header of a WAV. */

/** Returns the samples as signed 16-bit little-endian bytes; values beyond -1 to 1 are clipped, NaN
 *  becomes silence. */
export function pcmBytes(samples: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length * 2)
  for (let index = 0; index < samples.length; index++) bytes.writeInt16LE(toInt16(samples[index] ?? 0), index * 2)
  return bytes
}

/** Returns a sample of -1 to 1 as the nearest integer of -32768 to 32767. */
export function toInt16(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))) || 0
}

/** Returns the samples, -1 to 1, in signed 16-bit little-endian bytes; a last odd byte is
 *  ignored. */
export function samplesOf(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.byteLength >> 1 }, (_, index) => view.getInt16(index * 2, true) / 32_768)
}

interface WavFacts {
  /** Sample rate in Hz. */
  sampleRate: number
  channels: number
  /** Number of bytes of all samples. Absent while the sound is still being generated: the header
   *  then declares the greatest possible size, so that readers read to the end. */
  dataBytes?: number
  /** Bits per sample: 8 (unsigned) or 16 (signed). */
  bits?: 8 | 16
}

/** Returns the 44 bytes of a WAV that come before the samples. */
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
