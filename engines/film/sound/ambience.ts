/** The sound of a film: the ambience of each shot, as interleaved stereo at 48 kHz and about -20
 *  LUFS. */
import { createRandom } from '@generation-gateway/studio/random.ts'
import type { Scene, SettingKind, Subject } from '@generation-gateway/studio/scene.ts'
import { createFlashes } from '../weather/flashes.ts'
import { rate } from './filters.ts'
import { type SoundKind, type VoiceOrder, voiceOf } from './voices.ts'

interface ShotSound {
  scene: Scene
  seconds: number
  /** The seed of the pictures. With it, thunder comes at the same times as the lightning that is
   *  drawn. */
  seed: string
}

interface SoundSource extends Pick<VoiceOrder, 'times' | 'floor'> {
  kind: SoundKind
  gain: number
  /** Position of the sound, -1 left to 1 right. */
  side: number
}

/** Root mean square amplitude of filtered noise that has about -20 LUFS. */
const loudness = 0.125
const fadeSeconds = 0.08

export function ambienceOf(shots: readonly ShotSound[], seconds: number): Float32Array {
  const frames = Math.round(seconds * rate)
  const out = new Float32Array(frames * 2)
  let start = 0
  shots.forEach((shot, index) => {
    const from = Math.round(start * rate)
    const length = index === shots.length - 1 ? frames - from : Math.round(shot.seconds * rate)
    if (length > 0) addShot(out, shot, { from, length })
    start += shot.seconds
  })
  return out
}

function addShot(out: Float32Array, shot: ShotSound, { from, length }: { from: number; length: number }): void {
  const left = new Float32Array(length)
  const right = new Float32Array(length)
  soundsOf(shot).forEach(({ kind, gain, side, times, floor }, index) => {
    const events = { ...(times ? { times } : {}), ...(floor ? { floor } : {}) }
    const make = (ear: string) => voiceOf(kind, { length, random: createRandom(`${shot.seed}/sound/${index}/${kind}${ear}`), ...events })
    // Most continuous noise is made twice, for the left and for the right ear, so that it sounds
    // wide.
    const isWide = !times
    const mono = make('')
    const other = isWide && !/birds|gulls|engine|space|crickets/.test(kind) ? make('/right') : mono
    const [l, r] = [Math.cos(((side + 1) * Math.PI) / 4) * 1.41, Math.sin(((side + 1) * Math.PI) / 4) * 1.41]
    for (let i = 0; i < length; i++) {
      left[i] = (left[i] ?? 0) + (mono[i] ?? 0) * gain * l
      right[i] = (right[i] ?? 0) + (other[i] ?? 0) * gain * r
    }
  })
  let sum = 0
  for (let i = 0; i < length; i++) sum += (left[i] ?? 0) ** 2 + (right[i] ?? 0) ** 2
  const scale = loudness / Math.max(1e-6, Math.sqrt(sum / (length * 2)))
  const fade = fadeSeconds * rate
  for (let i = 0; i < length; i++) {
    const edge = Math.min(1, i / fade, (length - i) / fade)
    out[(from + i) * 2] = limited((left[i] ?? 0) * scale) * edge
    out[(from + i) * 2 + 1] = limited((right[i] ?? 0) * scale) * edge
  }
}

/** Limits a value to -0.95 to 0.95. Below a half, values are unchanged; above, they are limited
 *  softly. */
function limited(value: number): number {
  const size = Math.abs(value)
  return size < 0.5 ? value : Math.sign(value) * (0.5 + 0.45 * Math.tanh((size - 0.5) / 0.45))
}

const places: Partial<Record<SettingKind, SoundKind>> = {
  beach: 'waves',
  sea: 'waves',
  island: 'waves',
  harbour: 'waves',
  lake: 'stream',
  river: 'stream',
  waterfall: 'stream',
  swamp: 'stream',
  street: 'city',
  city: 'city',
  rooftop: 'city',
  road: 'city',
  market: 'crowd',
  stadium: 'crowd',
  restaurant: 'crowd',
  cafe: 'crowd',
  theatre: 'crowd',
  'concert-hall': 'crowd',
  playground: 'crowd',
  underwater: 'underwater',
  space: 'space',
  moon: 'space',
  planet: 'space',
}
const birdPlaces = /^(?:meadow|field|farm|garden|park|forest|jungle|hills|river|lake|village|castle-grounds|playground)$/
const open = /^(?:mountains|desert|snowfield|hills|sky|volcano|ruins|graveyard|field|moon|planet|railway)$/
const inside =
  /^(?:room|bedroom|kitchen|library|classroom|office|laboratory|hospital|shop|museum|gym|workshop|garage|table|window-table|shelf|wall|backdrop|abstract|cave)$/

/** Returns the sound sources of a scene; at least one. */
export function soundsOf({ scene, seconds, seed }: ShotSound): SoundSource[] {
  const { weather, setting, time, season, subjects } = scene
  const heard: SoundSource[] = []
  const add = (kind: SoundKind, gain: number, more: Partial<SoundSource> = {}) => heard.push({ kind, gain, side: 0, ...more })
  const isWet = weather.includes('rain') || weather.includes('storm')
  const isQuiet = inside.test(setting.kind)
  const own = places[setting.kind]
  if (own) add(own, own === 'waves' && weather.includes('storm') ? 1.5 : 1)
  if (isWet) add('rain', isQuiet ? 0.4 : 1)
  if (weather.includes('storm') || weather.includes('wind')) add('wind', isQuiet ? 0.2 : 0.9)
  else if (open.test(setting.kind) || weather.includes('snow')) add('wind', 0.45)
  const { times } = createFlashes(scene, { seed, seconds })
  if (times.length > 0) add('thunder', 1.4, { times })
  if (birdPlaces.test(setting.kind) && !isWet && time !== 'night' && time !== 'dusk' && season !== 'winter') add('birds', 0.5)
  if (/^(?:beach|harbour|sea|island)$/.test(setting.kind) && !isWet && time !== 'night') add('gulls', 0.35, { side: 0.4 })
  if (time === 'night' && birdPlaces.test(setting.kind) && !isWet && season !== 'winter') add('crickets', 0.6)
  if (isQuiet) add('room', 0.5)
  for (const subject of subjects) heard.push(...subjectSounds(subject, { scene, seconds }))
  if (heard.length === 0) add('wind', 0.4)
  return heard
}

function subjectSounds({ art, pose, isBackground }: Subject, { scene, seconds }: { scene: Scene; seconds: number }): SoundSource[] {
  if (isBackground) return []
  const beats = (perSecond: number) => Array.from({ length: Math.floor(seconds * perSecond) }, (_, i) => (i + 0.3) / perSecond)
  if (/campfire|bonfire|(?:^|:)fire$|flame|torch|fireplace/.test(art)) return [{ kind: 'fire', gain: 1.1, side: 0 }]
  if (/car$|automobile|truck|bus|motor|train|tram|locomotive|tractor|plane|helicopter|ship$|ferry/.test(art))
    return [{ kind: 'engine', gain: 0.7, side: 0 }]
  if (pose === 'flying' && /bird|dove|eagle|owl|duck|goose|swan|bat/.test(art))
    return [{ kind: 'wings', gain: 0.5, side: 0, times: beats(2.6) }]
  const floor = floorOf(scene)
  if (pose === 'running')
    return [
      {
        kind: /rig:(?!person)|noto:horse/.test(art) ? 'gallop' : 'footsteps',
        gain: 0.8,
        side: 0,
        times: beats(/rig:person/.test(art) ? 4.2 : 2.1),
        floor,
      },
    ]
  if (pose === 'walking') return [{ kind: 'footsteps', gain: 0.7, side: 0, times: beats(2), floor }]
  return []
}

function floorOf({ setting, season, weather }: Scene): string {
  if (weather.includes('snow') || season === 'winter' || setting.kind === 'snowfield') return 'snow'
  if (/beach|desert|island/.test(setting.kind)) return 'sand'
  return /street|city|road|rooftop|room|market|museum|shop|office|school|library/.test(setting.kind) ? 'stone' : 'soil'
}
