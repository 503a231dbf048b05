/** What the driver and its process tell one another. */
import type { MusicResult } from '@generation-gateway/kit/requests/music.ts'

export interface GivenSound {
  role: string
  seconds: number
  /** Signed 16-bit samples at the rate of the render, a file for each channel. */
  paths: readonly string[]
}

/** A melody that is written, not recorded: a standard MIDI file. */
export interface GivenMidi {
  role: string
  midi: string
}

export interface SoundFiles {
  /** Path of the sound bank. */
  bank: string
  /** Path of the voice's network, where there are words. */
  voice?: string
}

export interface PieceJob {
  prompt: string
  lyrics?: string
  seconds?: number
  /** Of this very piece. */
  seed: string
  sounds: SoundFiles
  inputs: readonly (GivenSound | GivenMidi)[]
  /** Where the cover goes. */
  cover: string
}

/** Told while it is made: left and right in turn, -1 to 1. */
export type Told = { kind: 'sound'; samples: Float32Array } | { kind: 'cover'; path: string }

export type PieceAnswer = Omit<MusicResult['pieces'][number], 'seed'>
