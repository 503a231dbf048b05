import { clusterVoices } from './cluster.ts'
import { likeness, middle, openVoiceEncoder, type Voice, type VoiceEncoder } from './encoder.ts'
import type { Recording, Sound, Speakers, Stretch } from './speakers.ts'
import { turnsOf } from './turns.ts'

/** Four times in seconds: the length of an analysis window; the distance between the starts of two
 *  windows; the largest distance of windows that are averaged; and the least length of a window
 *  from which the speakers are found, unless all windows are shorter. */
const windowSeconds = 1.6
const stepSeconds = 0.4
const smoothSeconds = 0.9
const soundSeconds = 1
/** Number of words processed between two calls of `giveWay`. */
const wordsAtOnce = 500
/** About the largest number of analysis windows; in a longer recording the windows are further
 *  apart. */
const mostWindows = 3000

// Least similarities (0 to 1), chosen from the measurements in README.md: between groups of windows
// of one speaker (`alikeSpeakers`), and between a group and the mean voice of a known speaker
// (`alikeKnown`).
const alikeSpeakers = 0.71
const alikeKnown = 0.72
/** A group with less speech than this is dropped if its similarity to a group with more speech
 *  is at least `alikeBrief`. Its words then go to the speakers that remain. */
const briefSeconds = 2.5
const alikeBrief = 0.6

/** Opens the speaker identification. `weights` is the path of the weights file in `speakersPack`.
 *  `giveWay` is awaited after each part of the work (about 100 ms), so that other jobs can run. */
export async function openSpeakers(
  weights: string,
  threads: number,
  giveWay: () => Promise<void>,
): Promise<Speakers & { close(): Promise<void> }> {
  const encoder = await openVoiceEncoder(weights, threads, giveWay)
  return { identify: recording => identify(recording, encoder, giveWay), close: () => encoder.close() }
}

async function identify(recording: Recording, encoder: VoiceEncoder, giveWay: () => Promise<void>): Promise<string[]> {
  const { sound, voiced, words, most, known } = recording
  if (words.length === 0) return []
  const windows = windowsOf(voiced.length > 0 ? voiced : words, sound.seconds)
  if (windows.length === 0) return words.map(() => 'A')
  const voices = await encoder.voices(sound, windows)
  const references: Voice[] = []
  for (const { sound: sample } of known) references.push(await referenceOf(sample, encoder))
  const speakers = await groupsOf(windows, voices, { most, giveWay })
  const scores: number[][] = []
  for (const word of words) {
    scores.push(scoresOf(word, { windows, voices, speakers }))
    if (scores.length % wordsAtOnce === 0) await giveWay()
  }
  const named = speakers.map(speaker => nameOf(speaker, { references, known, most }))
  const turns = turnsOf(words, scores)
  return withLetters(
    turns,
    named,
    known.map(({ name }) => name),
  )
}

/** Returns overlapping windows that cover the stretches with speech. The last window of a stretch
 *  ends with the stretch. A stretch shorter than `windowSeconds` has one window of its own length;
 *  a stretch below 0.1 s has none. */
function windowsOf(voiced: readonly Stretch[], seconds: number): Stretch[] {
  const total = voiced.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0)
  const step = Math.max(stepSeconds, total / mostWindows)
  return voiced.flatMap(stretch => {
    const startSeconds = Math.max(0, stretch.startSeconds)
    const endSeconds = Math.min(seconds, stretch.endSeconds)
    const length = Math.min(windowSeconds, endSeconds - startSeconds)
    if (length < 0.1) return []
    const count = Math.ceil((endSeconds - startSeconds - length) / step - 0.01) + 1
    return Array.from({ length: count }, (_, index) => {
      const start = Math.min(startSeconds + index * step, endSeconds - length)
      return { startSeconds: start, endSeconds: start + length }
    })
  })
}

async function referenceOf(sample: Sound, encoder: VoiceEncoder): Promise<Voice> {
  return middle(await encoder.voices(sample, windowsOf([{ startSeconds: 0, endSeconds: sample.seconds }], sample.seconds)))
}

/** Returns the mean voice of each speaker. */
async function groupsOf(
  windows: readonly Stretch[],
  voices: readonly Voice[],
  options: { most: number | undefined; giveWay(): Promise<void> },
): Promise<Voice[]> {
  const isSound = (_: unknown, index: number): boolean => lengthOf(windows[index]) >= soundSeconds
  const sound = windows.some(isSound) ? voices.filter(isSound) : voices
  const soundWindows = windows.some(isSound) ? windows.filter(isSound) : windows
  const numbers = await clusterVoices(smoothed(soundWindows, sound), { alike: alikeSpeakers, ...options })
  const groups = Array.from({ length: Math.max(...numbers) + 1 }, (_, group) => ({
    voices: sound.filter((_, index) => numbers[index] === group),
    windows: soundWindows.filter((_, index) => numbers[index] === group),
  }))
  const speakers = groups.map(group => ({ voice: middle(group.voices), seconds: coveredSeconds(group.windows) }))
  return speakers.filter(speaker => !isPartOfOther(speaker, speakers)).map(({ voice }) => voice)
}

/** Returns for each window the mean voice of the window and its neighbours in the same stretch. The
 *  mean over a few seconds varies less than the voice of a single window. */
function smoothed(windows: readonly Stretch[], voices: readonly Voice[]): Voice[] {
  return windows.map((window, index) => {
    const near = voices.filter((_, other) => {
      const next = windows[other]
      if (!next || Math.abs(other - index) > 4) return false
      return Math.abs(next.startSeconds - window.startSeconds) <= smoothSeconds && isOverlapping(windows, index, other)
    })
    return middle(near)
  })
}

/** True when each window from one index to the other overlaps the next, so there is no pause
 *  between the two. */
function isOverlapping(windows: readonly Stretch[], one: number, other: number): boolean {
  for (let index = Math.min(one, other); index < Math.max(one, other); index++)
    if ((windows[index]?.endSeconds ?? 0) < (windows[index + 1]?.startSeconds ?? 0)) return false
  return true
}

function isPartOfOther(group: { voice: Voice; seconds: number }, groups: readonly { voice: Voice; seconds: number }[]): boolean {
  return (
    group.seconds < briefSeconds && groups.some(other => other.seconds >= briefSeconds && likeness(group.voice, other.voice) >= alikeBrief)
  )
}

/** Returns the seconds that the windows cover; overlaps count once. */
function coveredSeconds(windows: readonly Stretch[]): number {
  let end = 0
  let sum = 0
  for (const { startSeconds, endSeconds } of windows) {
    sum += Math.max(0, endSeconds - Math.max(end, startSeconds))
    end = Math.max(end, endSeconds)
  }
  return sum
}

function lengthOf(stretch: Stretch | undefined): number {
  return stretch ? stretch.endSeconds - stretch.startSeconds : 0
}

/** Returns the similarity of a word to each speaker. Each similarity is the weighted mean over the
 *  windows that contain the centre of the word; the closer the centre of a window is to the centre
 *  of the word, the larger is the weight of the window. When no window contains the centre of the
 *  word, only the nearest window counts. */
function scoresOf(
  word: Stretch,
  recognised: { windows: readonly Stretch[]; voices: readonly Voice[]; speakers: readonly Voice[] },
): number[] {
  const centre = (word.startSeconds + word.endSeconds) / 2
  const distances = recognised.windows.map(({ startSeconds, endSeconds }) => Math.abs((startSeconds + endSeconds) / 2 - centre))
  const near = distances.flatMap((distance, index) => {
    const weight = 1 - distance / (lengthOf(recognised.windows[index]) / 2)
    return weight > 0 ? [{ index, weight }] : []
  })
  const used = near.length > 0 ? near : [{ index: distances.indexOf(Math.min(...distances)), weight: 1 }]
  const total = used.reduce((sum, { weight }) => sum + weight, 0)
  return recognised.speakers.map(speaker =>
    used.reduce((sum, { index, weight }) => sum + (likeness(recognised.voices[index] ?? speaker, speaker) * weight) / total, 0),
  )
}

/** Returns the name of the most similar known speaker, if the similarity is at least `alikeKnown`.
 *  When there are as many known speakers as the recording may have (`most`), nobody else can be
 *  speaking, so the most similar one is returned at any similarity. */
function nameOf(
  speaker: Voice,
  { references, known, most }: { references: readonly Voice[]; known: Recording['known']; most: number | undefined },
): string | undefined {
  const alike = references.map(reference => likeness(reference, speaker))
  const best = alike.indexOf(Math.max(...alike))
  const isSure = (alike[best] ?? 0) >= (most !== undefined && known.length >= most ? 0 : alikeKnown)
  return isSure ? known[best]?.name : undefined
}

/** Returns the letters A, B ... Z, AA for speakers without a name, in order of appearance; letters
 *  that are names of known speakers are skipped. */
function withLetters(turns: readonly number[], named: readonly (string | undefined)[], taken: readonly string[]): string[] {
  const names = [...named]
  let next = 0
  return turns.map(turn => {
    while (names[turn] === undefined) {
      const letter = letterOf(next++)
      if (!taken.includes(letter)) names[turn] = letter
    }
    return names[turn] ?? ''
  })
}

function letterOf(index: number): string {
  return (index < 26 ? '' : letterOf(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))
}
