/** The voices of the engine. Each of them may stand for voice names of public services (such as
 *  OpenAI's). */
import { type OwnVoice, t1Voices, t3Voices, type VoiceFacts } from '@generation-gateway/kit/requests/voices.ts'
import { eSpeakVoices } from './espeak-voices.ts'
import { kokoroVoices } from './kokoro-voices.ts'
import { languageTitle } from './language-title.ts'

export type Maker = 'Hibari' | 'Kokoro' | 'Piper' | 'Flite' | 'ESpeak'

export interface EngineVoice extends OwnVoice {
  maker: Maker
  /** The model's own name of the voice. */
  name: string
}

/** For each engine voice, the service voices (`kit/requests/voices.ts`) for which it stands: those
 *  nearest in sex, accent, age and manner. An engine voice stands for at most one voice of each
 *  service. */
const parts: Readonly<Record<string, readonly string[]>> = {
  // The second id is that of the service voice Rachel.
  heart: ['shimmer', '21m00Tcm4TlvDq8ikWAM'],
  // The id of the service voice Josh.
  joe: ['TxGEqnHWrfWFTfGW9XjX'],
  af_alloy: ['alloy'],
  am_echo: ['echo'],
  bm_fable: ['fable'],
  am_onyx: ['onyx'],
  af_nova: ['nova'],
  // The next four ids are those of the service voices Drew, Clyde, Paul and Domi.
  am_michael: ['29vD33N1CtxCmqQRPOHJ'],
  am_santa: ['2EiwWnXFnvU5JabPnv8n'],
  am_eric: ['5Q0t7uMcjvnagumLfvZi'],
  af_kore: ['AZnzlk1XvdvUeBnXmlld'],
  // The next two ids are those of the service voices Dave and Fin (no engine voice has Fin's Irish
  // accent).
  bm_daniel: ['CYw3kZ02Hs0563khs1Fj'],
  bm_lewis: ['D38z5RcWu1voky8WS1ja'],
  // The next four ids are those of the service voices Sarah, Antoni, Elli and Arnold.
  af_sarah: ['EXAVITQu4vr4xnSDxMaL'],
  am_puck: ['ErXwobaYiN019PkySvjV'],
  af_bella: ['MF3mGyEYCl7XYWbV9V6O'],
  am_fenrir: ['VR6AewLTigWG4xSOukaG'],
  // The next five ids are those of the service voices Adam, Sam, Aria, Roger and Jessica.
  am_adam: ['pNInz6obpgDQGcFmaJgB'],
  am_liam: ['yoZ06aMxZJJ28mfd3POQ'],
  af_aoede: ['9BWtsMINqrJLrRacOk9x'],
  am_roger: ['CwhRBWXzGAHq8TQ4Fs17'],
  af_jessica: ['cgSgspJ2msm6clMCkdW9'],
}

/** Accents by the first letter of the name of a Kokoro voice. The Japanese voices (`j`) speak the
 *  other languages with an accent, because Japanese texts are not supported. */
const accents: Readonly<Record<string, string>> = {
  a: 'en-US',
  b: 'en-GB',
  e: 'es-ES',
  f: 'fr-FR',
  h: 'hi-IN',
  i: 'it-IT',
  j: 'en-JP',
  p: 'pt-BR',
  z: 'zh-CN',
}

/** The engine's own voices. */
const ownVoices: readonly EngineVoice[] = [
  voice({ id: 'heart', maker: 'Hibari', name: 'heart', language: 'en-US', sex: 'female', age: 'young', manner: 'warm and clear' }),
  voice({ id: 'joe', maker: 'Piper', name: 'joe', language: 'en-US', sex: 'male', age: 'young', manner: 'deep' }),
  ...kokoroVoices.map(({ id, age, manner }) =>
    voice({
      id,
      maker: 'Kokoro',
      name: id,
      language: accents[id.charAt(0)] ?? 'en-US',
      sex: id.charAt(1) === 'f' ? 'female' : 'male',
      age,
      manner,
    }),
  ),
  // An additional American man's voice, made of equal parts of two other voices.
  voice({
    ...{ id: 'am_roger', maker: 'Kokoro', name: 'am_michael+am_onyx', language: 'en-US', sex: 'male', age: 'middle' },
    manner: 'confident',
  }),
  voice({ id: 'slt', maker: 'Flite', name: 'slt', language: 'en-US', sex: 'female', age: 'young', manner: 'synthetic' }),
  voice({ id: 'rms', maker: 'Flite', name: 'rms', language: 'en-US', sex: 'male', age: 'middle', manner: 'synthetic' }),
  voice({ id: 'awb', maker: 'Flite', name: 'awb', language: 'en-GB', sex: 'male', age: 'middle', manner: 'synthetic, Scottish' }),
  voice({ id: 'kal16', maker: 'Flite', name: 'kal16', language: 'en-US', sex: 'male', age: 'middle', manner: 'synthetic, of old' }),
  ...eSpeakVoices.map(({ language }) =>
    voice({
      ...{ id: `espeak_${language}`, maker: 'ESpeak' as const, name: language, sex: 'male' as const, age: 'middle' as const },
      ...{ language: localeOf(language), manner: 'synthetic, by formants' },
    }),
  ),
]

const ages = ['young', 'middle', 'old'] as const

/** For each service voice without an equivalent here, the engine voice that replaces it. */
const standIns = standInsOf(ownVoices)

/** The voices; the first one is the default. */
export const voices: readonly EngineVoice[] = ownVoices.map(own => {
  const standsInFor = [...standIns].flatMap(([name, voice]) => (voice === own ? [name] : []))
  return standsInFor.length === 0 ? own : { ...own, speaksFor: [...(own.speaksFor ?? []), ...standsInFor] }
})

/** Engine voices by their own names and by the service voices that they stand for. */
const byName = new Map(voices.flatMap(voice => [voice.id, ...(voice.speaksFor ?? [])].map(name => [name, voice] as const)))

/** Returns the engine voice for a name: its own name, or the name of a service voice. */
export function voiceNamed(name: string): EngineVoice | undefined {
  return byName.get(name)
}

/** True for a service voice that has no equivalent among the engine's voices. An engine voice of
 *  the same sex and about the same age replaces it. */
export function isStoodInFor(name: string): boolean {
  return standIns.has(name)
}

/** Returns a replacement for each service voice without an equivalent: an engine voice of the
 *  same sex with the nearest accent and age. When several are equally near, a voice with the
 *  same name is preferred, and then the one that so far stands for the fewest voices of that
 *  service. */
function standInsOf(own: readonly EngineVoice[]): Map<string, EngineVoice> {
  const found = new Map<string, EngineVoice>()
  const kokoro = own.filter(({ maker, language }) => maker === 'Kokoro' && /^en-(US|GB)$/.test(language))
  for (const named of [t1Voices, t3Voices]) {
    const partOf = (id: string): EngineVoice | undefined => own.find(({ speaksFor }) => speaksFor?.includes(id))
    const spokenBy = named.flatMap(({ id }) => partOf(id) ?? [])
    for (const wanted of named.filter(({ id }) => !partOf(id))) {
      const uses = (voice: EngineVoice): number => (voice.title === wanted.title ? -1 : spokenBy.filter(each => each === voice).length)
      const near = kokoro
        .filter(({ sex }) => sex === wanted.sex)
        .toSorted((a, b) => distance(a, wanted) - distance(b, wanted) || uses(a) - uses(b))
      if (!near[0]) continue
      found.set(wanted.id, near[0])
      spokenBy.push(near[0])
    }
  }
  return found
}

/** Returns the distance between two voices of the same sex; a different accent counts more than any
 *  difference in age. */
function distance(voice: VoiceFacts, wanted: VoiceFacts): number {
  return (voice.language === accentOf(wanted) ? 0 : 4) + Math.abs(ages.indexOf(voice.age) - ages.indexOf(wanted.age))
}

/** Returns the nearer one of the engine's two English accents. */
function accentOf({ language }: VoiceFacts): string {
  return language === 'en-US' ? language : 'en-GB'
}

/** Returns the language tag with the region in which most speakers of the language live; the tag
 *  alone when the language has no region (Esperanto). */
function localeOf(language: string): string {
  const { region } = new Intl.Locale(language).maximize()
  return region === undefined || region === '001' ? language : `${language}-${region}`
}

function voice(facts: Omit<EngineVoice, 'title' | 'speaksFor'>): EngineVoice {
  const speaksFor = parts[facts.id]
  const [, bare = facts.id] = facts.id.split('_')
  const title = facts.maker === 'ESpeak' ? `eSpeak ${languageTitle(facts.name)}` : `${bare.charAt(0).toUpperCase()}${bare.slice(1)}`
  return { ...facts, title, ...(speaksFor ? { speaksFor } : {}) }
}
