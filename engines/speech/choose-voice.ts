/** Who speaks a request, in which language, and why nobody does. */
import { nameList, nearText } from '@generation-gateway/kit/near-names.ts'
import type { Refusal } from '@generation-gateway/kit/requests/job.ts'
import { refusal } from '@generation-gateway/kit/requests/job.ts'
import { type SpeechRequest, saidIn } from '@generation-gateway/kit/requests/speech.ts'
import { namedVoices } from '@generation-gateway/kit/requests/voices.ts'
import { eSpeakVoices } from './espeak-voices.ts'
import { type SpokenLanguage, spokenLanguages } from './language/plan.ts'
import { languageOf } from './language-of.ts'
import { languageTitle } from './language-title.ts'
import { type EngineVoice, isStoodInFor, type Maker, voiceNamed, voices } from './voices.ts'

export interface Speaker {
  voice: EngineVoice
  /** One that the front end reads, else that of a voice of eSpeak. */
  language: string
  /** The voice that was asked for. */
  asked?: string
  /** It stands in for that one, which has no voice of its own here, or whose pack is not there. */
  isStandIn: boolean
}

/** What is on this machine. */
export interface Readiness {
  /** The models of a maker; Flite needs none. */
  canSpeak(maker: Maker): boolean
  /** What tells how the words of a language are said. */
  canRead(language: SpokenLanguage): boolean
}

type Refused = { refusal: Required<Refusal> }

/** A text shorter than this does not tell its language by itself. */
const tellingLetters = 24

/** The speaker of each passage, or the one of the text; or why there is none. */
export function chooseSpeakers(request: SpeechRequest, readiness: Readiness): [Speaker, ...Speaker[]] | Refused {
  const { passages, ...rest } = request
  const whole = saidIn(request).join('\n')
  const language = request.language ?? languageOf(whole, ownLanguageOf(request.voice))
  const [first, ...others] = passages ?? []
  if (!first) {
    const speaker = chooseSpeaker(rest, readiness)
    return 'refusal' in speaker ? speaker : [speaker]
  }
  // Many passages, few speakers.
  const known = new Map<string, Speaker | Refused>()
  const speakerOf = ({ text, voice = request.voice }: typeof first): Speaker | Refused => {
    const own =
      request.language ?? ((text.match(/\p{L}/gu)?.length ?? 0) < tellingLetters ? language : languageOf(text, ownLanguageOf(voice)))
    const key = `${own} ${voice ?? ''}`
    const speaker = known.get(key) ?? chooseSpeaker({ ...rest, language: own, ...(voice === undefined ? {} : { voice }) }, readiness)
    known.set(key, speaker)
    return speaker
  }
  const speakers: [Speaker | Refused, ...(Speaker | Refused)[]] = [speakerOf(first), ...others.map(speakerOf)]
  const refused = speakers.find(each => 'refusal' in each)
  if (!refused) return speakers as [Speaker, ...Speaker[]]
  const { field, message } = refused.refusal
  // The language that nobody speaks was told from the text.
  const isTold = field === 'language' && request.language === undefined
  return isTold ? { refusal: refusal('text', message.slice('language: '.length)) } : refused
}

/** The one of a voice that was asked for, where it is read here: a text that tells no other is in it. */
function ownLanguageOf(name: string | undefined): string {
  const voice = name === undefined ? undefined : voiceNamed(name)
  return spokenLanguages.find(language => voice?.language.startsWith(`${language}-`)) ?? 'en'
}

/** The speaker, or why there is none. */
export function chooseSpeaker(request: SpeechRequest, { canSpeak, canRead }: Readiness): Speaker | Refused {
  const asked = request.voice === undefined ? undefined : voiceNamed(request.voice)
  if (request.voice !== undefined && !asked) return { refusal: unknownVoice(request.voice) }
  // A voice of a service speaks every language there; one of this engine says what it does not speak.
  const isOfService = asked !== undefined && asked.id !== request.voice
  // A voice of eSpeak has one language: its texts are taken for that.
  const told =
    request.language ?? (asked?.maker === 'ESpeak' ? asked.language : languageOf(saidIn(request).join('\n'), ownLanguageOf(request.voice)))
  const code = told.toLowerCase().split('-')[0] ?? ''
  const language = spokenLanguages.find(known => known === code)
  const own = voices.find(({ maker, name }) => maker === 'ESpeak' && name === (code === 'no' ? 'nb' : code))
  if (asked?.maker === 'ESpeak' || (!language && own)) {
    const isThere = canSpeak('ESpeak')
    return speakerByESpeak(request, { told, asked: isOfService ? undefined : asked, own, isThere })
  }
  if (!language) {
    const known = spokenLanguages.map(languageTitle).join(', ')
    const says = `this engine has no voice for ${languageTitle(told)}; it speaks ${known}, and by eSpeak ${eSpeakVoices.length} further languages.`
    return { refusal: refusal(request.language === undefined ? 'text' : 'language', says) }
  }
  const first = speakerOf(language, { asked, isBest: request.quality === 'best' })
  const isForeign = language !== 'en' && first.maker !== 'Kokoro'
  const voice = isForeign && isOfService ? nativeLike(first, language) : first
  if (isForeign && !isOfService) {
    const natives = nativesOf(language).map(({ id }) => id)
    const says = `${request.voice} speaks English only; in ${languageTitle(language)} speak ${natives.join(', ')}, and every other voice of Kokoro with its own accent.`
    return { refusal: refusal('voice', says) }
  }
  const named = request.voice === undefined ? {} : { asked: request.voice }
  if (canSpeak(voice.maker) && (voice.maker === 'Flite' || canRead(language)))
    return { ...named, voice, language, isStandIn: voice !== first || (request.voice !== undefined && isStoodInFor(request.voice)) }
  if (language !== 'en') {
    return { refusal: refusal('language', `what speaks ${languageTitle(language)} is not on this machine; npm run setup adds it.`) }
  }
  return { ...named, voice: standInFor(voice), language, isStandIn: true }
}

interface ForESpeak {
  told: string
  asked: EngineVoice | undefined
  /** The voice of eSpeak for the language. It stands in where another one was asked for that is not held to its languages. */
  own: EngineVoice | undefined
  isThere: boolean
}

/** A language that eSpeak speaks itself, or a voice of it: it has one voice for each, and each knows one language. */
function speakerByESpeak(request: SpeechRequest, { told, asked, own, isThere }: ForESpeak): Speaker | Refused {
  const voice = asked ?? own
  if (!voice || voice !== own) {
    const knows = voice?.maker === 'ESpeak' ? `speaks ${languageTitle(voice.name)} only` : `does not speak ${languageTitle(told)}`
    const others = own ? `; in ${languageTitle(told)} speaks ${own.id}` : ''
    return { refusal: refusal('voice', `${request.voice} ${knows}${others}.`) }
  }
  const field = request.voice !== undefined ? 'voice' : request.language === undefined ? 'text' : 'language'
  if (!isThere) return { refusal: refusal(field, `what speaks ${languageTitle(told)} is not on this machine; npm run setup adds it.`) }
  const named = request.voice === undefined ? {} : { asked: request.voice }
  return { ...named, voice, language: voice.name, isStandIn: request.voice !== undefined && !asked }
}

/** With the names that look like it, by ids and titles; a list of all would be longer than anybody reads. */
function unknownVoice(name: string): Required<Refusal> {
  const idOf = new Map([...namedVoices, ...voices].flatMap(({ id, title }) => [[title.toLowerCase(), id] as const, [id, id] as const]))
  const near = nearText([
    ...new Set(
      nameList(idOf.keys())
        .near(name)
        .flatMap(each => idOf.get(each) ?? []),
    ),
  ])
  const some = near ?? `there are alloy, nova, ${voices[0]?.id} and ${new Set(idOf.values()).size - 3} others`
  return refusal('voice', `there is no voice ${JSON.stringify(name.slice(0, 100))}; ${some}.`)
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

function nativesOf(language: SpokenLanguage): EngineVoice[] {
  return voices.filter(voice => voice.language.startsWith(`${language}-`))
}

function nativeLike({ sex }: EngineVoice, language: SpokenLanguage): EngineVoice {
  return nativesOf(language).find(voice => voice.sex === sex) ?? must(nativeVoices[language])
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
