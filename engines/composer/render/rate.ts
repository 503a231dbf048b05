/** Sample rate of all rendered sound, in hertz. */
export const sampleRate = 44_100

/** A sound with two channels of equal length. */
export interface Stereo {
  left: Float32Array
  right: Float32Array
}

export function stereo(length: number): Stereo {
  return { left: new Float32Array(length), right: new Float32Array(length) }
}

export function gainOf(decibels: number): number {
  return 10 ** (decibels / 20)
}
