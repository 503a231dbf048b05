/** Who speaks a request, in which language, and why nobody does. */
import type { Refusal } from '@generation-gateway/kit/requests/job.ts'
import { refusal } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { namedVoices } from '@generation-gateway/kit/requests/voices.ts'
import { type SpokenLanguage, spokenLanguages } from './language/plan.ts'
import { languageOf } from './language-of.ts'
import { type EngineVoice, type Maker, voiceNamed, voices } from './voices.ts'

export interface Speaker {
  voice: EngineVoice
  language: SpokenLanguage
  /** It stands in for the voice that was asked for, whose pack is not there. */
  isStandIn: boolean
}

/** What is on this machine. */
export interface Readiness {
  /** The models of a maker; Flite needs none. */
  canSpeak(maker: Maker): boolean
  /** What tells how the words of a language are said. */
  canRead(language: SpokenLanguage): boolean
}

/** The speaker, or why there is none. */
export function chooseSpeaker(request: SpeechRequest, { canSpeak, canRead }: Readiness): Speaker | { refusal: Required<Refusal> } {
  const told = request.language ?? languageOf(request.cues?.map(({ text }) => text).join('\n') || request.text)
  const language = spokenLanguages.find(known => known === told.toLowerCase().split('-')[0])
  if (!language) {
    const known = spokenLanguages.map(titleOf).join(', ')
    const says = `this engine has no voice for ${titleOf(told)}; it speaks ${known}.`
    return { refusal: refusal(request.language === undefined ? 'text' : 'language', says) }
  }
  const asked = request.voice === undefined ? undefined : voiceNamed(request.voice)
  if (request.voice !== undefined && !asked) return { refusal: unknownVoice(request.voice) }
  const voice = speakerOf(language, { asked, isBest: request.quality === 'best' })
  if (language !== 'en' && voice.maker !== 'Kokoro') {
    const says = `${request.voice} speaks English only; in ${titleOf(language)} speak ${nativesOf(language).join(', ')}, and every other voice of Kokoro with its own accent.`
    return { refusal: refusal('voice', says) }
  }
  if (canSpeak(voice.maker) && (voice.maker === 'Flite' || canRead(language))) return { voice, language, isStandIn: false }
  if (language !== 'en') {
    return { refusal: refusal('language', `what speaks ${titleOf(language)} is not on this machine; npm run setup adds it.`) }
  }
  return { voice: standInFor(voice), language, isStandIn: true }
}

function unknownVoice(name: string): Required<Refusal> {
  const named = namedVoices
    .filter(({ id }) => voiceNamed(id))
    .map(({ id, title }) => (id.toLowerCase() === title.toLowerCase() ? id : `${id} (${title})`))
  const own = voices.map(({ id }) => id)
  return refusal('voice', `there is no voice ${JSON.stringify(name.slice(0, 100))}; there are ${[...named, ...own].join(', ')}.`)
}

/** In another language, and at its best, Hibari's voice is its sister of Kokoro, from whom it has learnt; where no voice was asked for, a native speaks. */
function speakerOf(language: SpokenLanguage, { asked, isBest }: { asked: EngineVoice | undefined; isBest: boolean }): EngineVoice {
  const voice = asked ?? must(nativeVoices[language])
  return voice.maker === 'Hibari' && (isBest || language !== 'en') ? must('af_heart') : voice
}

const nativeVoices: Readonly<Record<SpokenLanguage, string>> = {
  en: 'heart',
  es: 'ef_dora',
  fr: 'ff_siwis',
  hi: 'hf_alpha',
  it: 'if_sara',
  pt: 'pf_dora',
  zh: 'zf_xiaoxiao',
}

function nativesOf(language: SpokenLanguage): string[] {
  return voices.filter(voice => voice.language.startsWith(`${language}-`)).map(({ id }) => id)
}

const standIns = { female: 'slt', male: 'rms' }

function standInFor({ sex, language }: EngineVoice): EngineVoice {
  return must(sex === 'male' && language === 'en-GB' ? 'awb' : standIns[sex])
}

function must(id: string): EngineVoice {
  const voice = voiceNamed(id)
  if (!voice) throw new Error(`no voice ${id}`)
  return voice
}

function titleOf(language: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language
  } catch {
    // What a caller takes for a code of a language.
    return JSON.stringify(language.slice(0, 40))
  }
}
