/** Messages between the driver and its process. */
import type { MusicResult } from '@generation-gateway/kit/requests/music.ts'

export interface InputSound {
  role: string
  seconds: number
  /** Files with the samples of each channel: signed 16-bit integers at the sample rate of the
   *  renderer. */
  paths: readonly string[]
}

/** A melody as notes, in a standard MIDI file. */
export interface InputMidi {
  role: string
  midi: string
}

export interface SoundFiles {
  /** Path of the sound bank. */
  bank: string
  /** Path of the neural network of the voice; set when the request has lyrics. */
  voice?: string
}

/** The words of a request, which are judged before its first piece. Empty where there are none. */
export interface WordsJob {
  prompt: string
  lyrics: string
}

export interface PieceJob {
  prompt: string
  lyrics?: string
  seconds?: number
  /** Seed of this piece. */
  seed: string
  sounds: SoundFiles
  inputs: readonly (InputSound | InputMidi)[]
  /** Path of the file to which the cover is written. */
  cover: string
}

/** Events that the child process reports while it makes a piece. `samples` holds left and right
 *  samples in turn, -1 to 1. */
export type PieceEvent = { kind: 'sound'; samples: Float32Array } | { kind: 'cover'; path: string }

export type PieceAnswer = Omit<MusicResult['pieces'][number], 'seed'>
