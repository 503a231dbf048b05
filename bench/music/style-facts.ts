/** Measures properties of a piece of music by which styles differ: some from its score, some from
 *  its sound. */
import { brightnessOf } from '../../engines/composer/listen/brightness.ts'
import { createSpectrum } from '../../engines/composer/listen/spectrum.ts'
import { onsetsOf, tempoOf } from '../../engines/composer/listen/tempo.ts'
import { type Stereo, sampleRate } from '../../engines/composer/render/rate.ts'
import type { Score } from '../../engines/composer/score.ts'

type Facts = Record<string, number>

/** Returns the measured properties of a score: tempo, beats per bar, swing, the positions of
 *  drums and bass within a beat, tones per chord, notes per second, and the timbres of the
 *  instruments. */
export function factsOfScore(score: Score): Facts {
  const { bpm, beatsPerBar, tracks, sections } = score
  const seconds = (score.beats * 60) / bpm
  const of = (bus: string) => tracks.filter(track => track.bus === bus).flatMap(({ notes }) => notes)
  const drums = of('drums')
  const bass = of('bass')
  const music = of('music')
  const at = (notes: readonly { beat: number }[], from: number, to: number) =>
    notes.filter(({ beat }) => {
      const place = (beat + 0.06) % 1
      return place >= from && place < to
    }).length / Math.max(1, notes.length)
  const hits = (pitches: readonly number[]) => drums.filter(({ pitch }) => pitches.includes(pitch))
  const kicks = hits([36])
  const chords = sections.flatMap(section => section.chords)
  const own = tracks.filter(({ instrument }) => typeof instrument !== 'number').length / Math.max(1, tracks.length)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  return {
    bpm: Math.log2(bpm),
    metre: beatsPerBar,
    swing: mean([...drums, ...music].map(({ beat }) => beat % 1).filter(place => place > 0.4 && place < 0.72)),
    drumsRate: drums.length / seconds,
    kickRate: kicks.length / seconds,
    kickOff: 1 - at(kicks, 0, 0.15),
    backbeat: hits([37, 38, 39]).filter(({ beat }) => Math.round(beat) % 2 === 1).length / Math.max(1, hits([37, 38, 39]).length),
    percussion: hits([54, 56, 60, 61, 62, 63, 64, 65, 69, 70, 75, 76, 81]).length / Math.max(1, drums.length),
    bassRate: bass.length / seconds,
    bassOff: 1 - at(bass, 0, 0.15),
    bassSpread: new Set(bass.map(({ pitch }) => pitch)).size / Math.max(1, Math.sqrt(bass.length)),
    musicRate: music.length / seconds,
    musicOff: 1 - at(music, 0, 0.15),
    musicLength: mean(music.map(({ beats }) => Math.min(4, (beats * 60) / bpm))),
    chordTones: mean(chords.map(({ chord }) => chord.tones.length)),
    chordRate: chords.length / seconds,
    synthetic: own,
  }
}

/** Returns the measured properties of a sound: brightness in octaves, the power of three frequency
 *  bands relative to the whole in dB, onsets per second and their mean strength, the clarity of the
 *  pulse, and the stereo width. */
export function factsOfSound({ left, right }: Stereo): Facts {
  const mono = left.map((value, index) => (value + (right[index] ?? 0)) / 2)
  const size = 4096
  const spectrum = createSpectrum(size)
  const bands = [0, 120, 400, 1500, 5000, 22_050].map(hertz => Math.round((hertz * size) / sampleRate))
  const sums = new Float64Array(5)
  for (let start = 0; start + size <= mono.length; start += size) {
    const powers = spectrum.of(mono, start)
    for (let band = 0; band < 5; band++)
      for (let bin = bands[band] ?? 0; bin < (bands[band + 1] ?? 0); bin++) sums[band] = (sums[band] ?? 0) + (powers[bin] ?? 0)
  }
  const total = sums.reduce((sum, value) => sum + value, 0)
  const share = (band: number) => 10 * Math.log10(((sums[band] ?? 0) + 1e-9) / total)
  const onsets = onsetsOf(mono)
  const mean = onsets.reduce((sum, value) => sum + value, 0) / onsets.length
  const peaks = onsets.filter((value, index) => value > 14 && value >= (onsets[index - 1] ?? 0) && value > (onsets[index + 1] ?? 0)).length
  const difference = left.reduce((sum, value, index) => sum + (value - (right[index] ?? 0)) ** 2, 0)
  const sum = left.reduce((all, value, index) => all + (value + (right[index] ?? 0)) ** 2, 0)
  return {
    bright: Math.log2(brightnessOf(mono, sampleRate)),
    low: share(0),
    middle: share(2),
    high: share(4),
    onsets: peaks / (mono.length / sampleRate),
    rise: mean,
    clarity: tempoOf(mono, sampleRate)?.clarity ?? 0,
    width: difference / sum,
  }
}

/** Returns the pairs of styles, the most similar first. Each property is divided by its standard
 *  deviation over all styles; the distance of two styles is the root mean square of the
 *  differences. */
export function nearest(rows: ReadonlyMap<string, Facts>): { one: string; other: string; distance: number }[] {
  const all = [...rows]
  const names = Object.keys(all[0]?.[1] ?? {})
  const deviations = names.map(name => {
    const values = all.map(([, facts]) => facts[name] ?? 0)
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1
  })
  return all
    .flatMap(([one, facts], index) =>
      all.slice(index + 1).map(([other, others]) => {
        const squares = names.map((name, at) => (((facts[name] ?? 0) - (others[name] ?? 0)) / (deviations[at] ?? 1)) ** 2)
        return { one, other, distance: Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / names.length) }
      }),
    )
    .sort((one, other) => one.distance - other.distance)
}
