/** Messages between the driver and its process. */
import type { MusicResult } from '@generation-gateway/kit/requests/music.ts'

export interface InputSound {
  role: string
  seconds: number
  /** Files of signed 16-bit samples at the rate of the render, one per channel. */
  paths: readonly string[]
}

/** A written melody, as a standard MIDI file. */
export interface InputMidi {
  role: string
  midi: string
}

export interface SoundFiles {
  /** Path of the sound bank. */
  bank: string
  /** Path of the voice's network; set when there are lyrics. */
  voice?: string
}

export interface PieceJob {
  prompt: string
  lyrics?: string
  seconds?: number
  /** Seed of this piece. */
  seed: string
  sounds: SoundFiles
  inputs: readonly (InputSound | InputMidi)[]
  /** Path where the cover is written. */
  cover: string
}

/** Events reported while a piece is made. The samples (-1 to 1) of the left and right channel are
 *  interleaved. */
export type PieceEvent = { kind: 'sound'; samples: Float32Array } | { kind: 'cover'; path: string }

export type PieceAnswer = Omit<MusicResult['pieces'][number], 'seed'>
