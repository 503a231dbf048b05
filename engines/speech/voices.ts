/** The voices of the engine, and which of them speaks for whom. */
import type { OwnVoice } from '@generation-gateway/kit/requests/voices.ts'
import { eSpeakVoices } from './espeak-voices.ts'
import { kokoroVoices } from './kokoro-voices.ts'
import { languageTitle } from './language-title.ts'

export type Maker = 'Hibari' | 'Kokoro' | 'Piper' | 'Flite' | 'ESpeak'

export interface EngineVoice extends OwnVoice {
  maker: Maker
  /** The model's own name of it. */
  name: string
}

/** Voices that the interface names (`kit/requests/voices.ts`) and whose part each own voice takes: the nearest by sex, accent, age and manner, and none twice in a family. */
const parts: Readonly<Record<string, readonly string[]>> = {
  // shimmer, Rachel
  heart: ['shimmer', '21m00Tcm4TlvDq8ikWAM'],
  // Josh
  joe: ['TxGEqnHWrfWFTfGW9XjX'],
  af_alloy: ['alloy'],
  am_echo: ['echo'],
  bm_fable: ['fable'],
  am_onyx: ['onyx'],
  af_nova: ['nova'],
  // Drew, Clyde, Paul, Domi
  am_michael: ['29vD33N1CtxCmqQRPOHJ'],
  am_santa: ['2EiwWnXFnvU5JabPnv8n'],
  am_eric: ['5Q0t7uMcjvnagumLfvZi'],
  af_kore: ['AZnzlk1XvdvUeBnXmlld'],
  // Dave; Fin, whose Irish accent none has
  bm_daniel: ['CYw3kZ02Hs0563khs1Fj'],
  bm_lewis: ['D38z5RcWu1voky8WS1ja'],
  // Sarah, Antoni, Elli, Arnold
  af_sarah: ['EXAVITQu4vr4xnSDxMaL'],
  am_puck: ['ErXwobaYiN019PkySvjV'],
  af_bella: ['MF3mGyEYCl7XYWbV9V6O'],
  am_fenrir: ['VR6AewLTigWG4xSOukaG'],
  // Adam, Sam, Aria, Roger, Jessica
  am_adam: ['pNInz6obpgDQGcFmaJgB'],
  am_liam: ['yoZ06aMxZJJ28mfd3POQ'],
  af_aoede: ['9BWtsMINqrJLrRacOk9x'],
  am_roger: ['CwhRBWXzGAHq8TQ4Fs17'],
  af_jessica: ['cgSgspJ2msm6clMCkdW9'],
}

/** First letter of a name of Kokoro. Japanese texts are not read here yet: its Japanese voices speak the other languages, with their accent. */
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

/** The first one is what a request without a voice gets. */
export const voices: readonly EngineVoice[] = [
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
  // One more American man: half one, half the other.
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

/** The voice that this name means: one's own name, or a voice that the interface names. */
export function voiceNamed(name: string): EngineVoice | undefined {
  return voices.find(({ id, speaksFor }) => id === name || speaksFor?.includes(name))
}

/** With the region where most speak it; of languages that have none, the language alone. */
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
