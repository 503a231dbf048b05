/** Renders the tracks of a score to samples, with the sound bank or with the engine's own
 *  synthesisers. */
import { readFile } from 'node:fs/promises'
import { type BasicSoundBank, SoundBankLoader, SpessaSynthProcessor } from 'spessasynth_core'
import type { Score, Track } from '../score.ts'
import { type Voice, voiceOf } from './oscillators.ts'
import { type Stereo, sampleRate, stereo } from './rate.ts'

let loaded: { path: string; bank: BasicSoundBank } | undefined

/** Returns the parsed sound bank. The last one that was opened is kept in memory. */
export async function openBank(path: string): Promise<BasicSoundBank> {
  if (loaded?.path === path) return loaded.bank
  const bytes = await readFile(path)
  const bank = SoundBankLoader.fromArrayBuffer(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  loaded = { path, bank }
  return bank
}

interface Stage {
  /** Returns the next `count` samples of each track, in the order of the score. The next call
   *  overwrites the returned arrays. */
  next(count: number): readonly Stereo[]
}

interface StageRequest {
  score: Score
  bank: BasicSoundBank
  /** Second of the piece at which rendering begins. Notes that begin earlier are not played. */
  from?: number
  /** Notes that begin at this second of the piece, or later, are not played. */
  until?: number
}

const drumChannel = 9
/** Notes begin and end only at multiples of this many samples (0.7 ms), because the synthesiser
 *  renders in small blocks. */
const grain = 32
const block = 128

export async function openStage({ score, bank, from = 0, until = score.seconds }: StageRequest): Promise<Stage> {
  const synth = new SpessaSynthProcessor(sampleRate, { effectsEnabled: false, eventsEnabled: false, maxBufferSize: block })
  await synth.processorInitialized
  synth.soundBankManager.addSoundBank(bank, 'main')
  const players = playersOf(score.tracks)
  for (const { track, channel } of players) {
    if (channel === undefined || typeof track.instrument !== 'number') continue
    synth.programChange(channel, track.instrument)
    synth.controllerChange(channel, 7, 100)
    synth.controllerChange(channel, 10, Math.round(64 + 63 * track.pan))
  }
  const events = eventsOf(score, players, { from, until })
  const own = players.flatMap(({ track, channel }, index) =>
    channel === undefined ? [ownPlayer(score, track, { index, from, until })] : [],
  )
  let at = Math.round(from * sampleRate)
  let event = 0
  let outputs: Stereo[] = []
  return {
    next(count) {
      if (outputs[0]?.left.length !== count) outputs = score.tracks.map(() => stereo(count))
      for (const { left, right } of outputs) {
        left.fill(0)
        right.fill(0)
      }
      const pairs = pairsOf(players, outputs)
      for (let done = 0; done < count; ) {
        for (let next = events[event]; next && next.at <= at + done; next = events[++event]) {
          if (next.isOn) synth.noteOn(next.channel, next.pitch, next.velocity)
          else synth.noteOff(next.channel, next.pitch)
        }
        const wait = (events[event]?.at ?? Number.POSITIVE_INFINITY) - at - done
        const step = Math.min(block, count - done, wait)
        synth.processSplit(pairs, silent.left, silent.right, done, step)
        done += step
      }
      for (const player of own) player(outputs, { from: at, to: at + count })
      at += count
      return outputs
    },
  }
}

/** Receives the output of the synthesiser's own effects, which the mixer does not use. */
const silent = stereo(1)

interface Player {
  track: Track
  /** Channel of the synthesiser on which the track is played; undefined for the engine's own
   *  synthesisers. */
  channel: number | undefined
}

function playersOf(tracks: readonly Track[]): Player[] {
  let free = 0
  return tracks.map(track => {
    if (typeof track.instrument !== 'number') return { track, channel: undefined }
    if (track.isDrums) return { track, channel: drumChannel }
    if (free === drumChannel) free += 1
    return { track, channel: free++ }
  })
}

/** Returns, for each of the 16 channels of the synthesiser, the arrays into which the channel is
 *  rendered. */
function pairsOf(players: readonly Player[], outputs: readonly Stereo[]): Float32Array[][] {
  const pairs: Float32Array[][] = Array.from({ length: 16 }, () => [])
  const spare = outputs[0] ?? stereo(block)
  players.forEach(({ channel }, index) => {
    const out = outputs[index]
    if (channel !== undefined && out) pairs[channel] = [out.left, out.right]
  })
  return pairs.map(pair => (pair.length === 2 ? pair : [spare.left, spare.right]))
}

interface SynthEvent {
  at: number
  isOn: boolean
  channel: number
  pitch: number
  velocity: number
}

function eventsOf(score: Score, players: readonly Player[], { from, until }: { from: number; until: number }): SynthEvent[] {
  const perBeat = (60 * sampleRate) / score.bpm
  const grained = (beat: number) => Math.round((beat * perBeat) / grain) * grain
  const events: SynthEvent[] = []
  for (const { track, channel } of players) {
    if (channel === undefined) continue
    for (const { beat, beats, pitch, velocity } of track.notes) {
      const at = grained(beat)
      if (at < from * sampleRate || at >= until * sampleRate) continue
      events.push({ at, isOn: true, channel, pitch, velocity })
      events.push({ at: Math.max(at + grain, grained(beat + beats)), isOn: false, channel, pitch, velocity: 0 })
    }
  }
  // When a note ends at the time at which another one with the same pitch begins, the end of the
  // old note must be sent first. Sent later, it would end the new note.
  return events.sort((one, other) => one.at - other.at || Number(one.isOn) - Number(other.isOn))
}

function ownPlayer(score: Score, track: Track, { index, from, until }: { index: number; from: number; until: number }) {
  const { instrument } = track
  if (typeof instrument === 'number') throw new TypeError('an instrument of the sound bank')
  const perBeat = (60 * sampleRate) / score.bpm
  const notes = track.notes
    .map(({ beat, beats, pitch, velocity }) => ({
      start: Math.round(beat * perBeat),
      length: Math.max(64, Math.round(beats * perBeat)),
      pitch,
      loudness: (velocity / 127) ** 1.5,
    }))
    .filter(({ start }) => start >= from * sampleRate && start < until * sampleRate)
  let next = 0
  let voices: Voice[] = []
  return (outputs: readonly Stereo[], range: { from: number; to: number }) => {
    const out = outputs[index]
    if (!out) return
    for (let note = notes[next]; note && note.start < range.to; note = notes[++next]) voices.push(voiceOf(instrument, note))
    voices = voices.filter(voice => voice(out, { ...range, pan: track.pan }))
  }
}
