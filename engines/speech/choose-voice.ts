/** Chooses the voice and the language for a request, or returns a refusal when no voice can speak
 *  it. */
import { nameList, nearText } from '@generation-gateway/kit/near-names.ts'
import type { Refusal } from '@generation-gateway/kit/requests/job.ts'
import { refusal } from '@generation-gateway/kit/requests/job.ts'
import { type SpeechRequest, spokenTexts } from '@generation-gateway/kit/requests/speech.ts'
import { namedVoices } from '@generation-gateway/kit/requests/voices.ts'
import { eSpeakVoices } from './espeak-voices.ts'
import { type SpokenLanguage, spokenLanguages } from './language/plan.ts'
import { languageOf } from './language-of.ts'
import { languageTitle } from './language-title.ts'
import { type EngineVoice, isStoodInFor, type Maker, voiceNamed, voices } from './voices.ts'

export interface VoiceChoice {
  voice: EngineVoice
  /** Language of the text: one that the engine's own text analysis supports, or the language of an
   *  eSpeak voice. */
  language: string
  /** Name of the voice that the request asks for. */
  requested?: string
  /** True when the chosen voice replaces one that this engine lacks, that does not speak the
   *  language, or whose pack is not installed. */
  isStandIn: boolean
}

/** The speech models and language data installed on this machine. */
export interface Readiness {
  /** True when the models of a maker (Kokoro, Piper ...) are installed; Flite needs none. */
  canSpeak(maker: Maker): boolean
  /** True when the data for the pronunciation of a language is installed. */
  canRead(language: SpokenLanguage): boolean
}

type VoiceRefusal = { refusal: Required<Refusal> }

/** Least number of letters for language detection. A passage with fewer letters is taken to be in
 *  the language of the whole text. */
const tellingLetters = 24

/** Returns the voice of each passage, or one voice for a text without passages; a refusal when a
 *  text has no voice. */
export function chooseSpeakers(request: SpeechRequest, readiness: Readiness): [VoiceChoice, ...VoiceChoice[]] | VoiceRefusal {
  const { passages, ...rest } = request
  const whole = languageIn(request)
  const [first, ...others] = passages ?? []
  if (!first) {
    const speaker = chooseSpeaker(rest, readiness, whole)
    return 'refusal' in speaker ? speaker : [speaker]
  }
  // Choices are cached by language and voice name, because many passages share few voices.
  const known = new Map<string, VoiceChoice | VoiceRefusal>()
  const speakerOf = ({ text, voice = request.voice }: typeof first): VoiceChoice | VoiceRefusal => {
    const isShort = (text.match(/\p{L}/gu)?.length ?? 0) < tellingLetters
    const own = request.language ?? (isShort ? whole : languageOf(text, ownLanguageOf(voice)))
    const key = `${own} ${voice ?? ''}`
    const speaker = known.get(key) ?? chooseSpeaker({ ...rest, ...(voice === undefined ? {} : { voice }) }, readiness, own)
    known.set(key, speaker)
    return speaker
  }
  const speakers: [VoiceChoice | VoiceRefusal, ...(VoiceChoice | VoiceRefusal)[]] = [speakerOf(first), ...others.map(speakerOf)]
  return speakers.find(each => 'refusal' in each) ?? (speakers as [VoiceChoice, ...VoiceChoice[]])
}

/** Returns the language of the request, or else of its texts. */
function languageIn(request: SpeechRequest): string {
  return request.language ?? languageOf(spokenTexts(request).join('\n'), ownLanguageOf(request.voice))
}

/** Returns the language that is assumed for a text whose language cannot be detected: that of the
 *  requested voice if the engine supports it, else English. */
function ownLanguageOf(name: string | undefined): string {
  const voice = name === undefined ? undefined : voiceNamed(name)
  return spokenLanguages.find(language => voice?.language.startsWith(`${language}-`)) ?? 'en'
}

/** Returns the voice for a request, or a refusal. `detected` is the language of the text, for a
 *  request that names none. */
export function chooseSpeaker(
  request: SpeechRequest,
  { canSpeak, canRead }: Readiness,
  detected = languageIn(request),
): VoiceChoice | VoiceRefusal {
  const requested = request.voice === undefined ? undefined : voiceNamed(request.voice)
  if (request.voice !== undefined && !requested) return { refusal: unknownVoice(request.voice) }
  // A service's voice name (such as `alloy`) is accepted in every language. A name of the engine's
  // own voices is refused in a language that the voice does not speak.
  const isOfService = requested !== undefined && requested.id !== request.voice
  // An eSpeak voice has one language, so the text is assumed to be in it.
  const reported = request.language ?? (requested?.maker === 'ESpeak' ? requested.language : detected)
  // A refusal of a language that was detected names the text, because the request has no language.
  const languageField = request.language === undefined ? 'text' : 'language'
  const code = reported.toLowerCase().split('-')[0] ?? ''
  const language = spokenLanguages.find(known => known === code)
  const own = voices.find(({ maker, name }) => maker === 'ESpeak' && name === (code === 'no' ? 'nb' : code))
  if (requested?.maker === 'ESpeak' || (!language && own)) {
    const isThere = canSpeak('ESpeak')
    return speakerByESpeak(request, { reported, requested: isOfService ? undefined : requested, own, isThere })
  }
  if (!language) {
    const known = spokenLanguages.map(languageTitle).join(', ')
    const says = `this engine has no voice for ${languageTitle(reported)}; it speaks ${known}, and by eSpeak ${eSpeakVoices.length} further languages.`
    return { refusal: refusal(languageField, says) }
  }
  const first = speakerOf(language, { asked: requested, isBest: request.quality === 'best' })
  const isForeign = language !== 'en' && first.maker !== 'Kokoro'
  const voice = isForeign && isOfService ? nativeLike(first, language) : first
  if (isForeign && !isOfService) {
    const natives = nativesOf(language).map(({ id }) => id)
    const says = `${request.voice} speaks English only; in ${languageTitle(language)} speak ${natives.join(', ')}, and every other voice of Kokoro with its own accent.`
    return { refusal: refusal('voice', says) }
  }
  const named = request.voice === undefined ? {} : { requested: request.voice }
  if (canSpeak(voice.maker) && (voice.maker === 'Flite' || canRead(language)))
    return { ...named, voice, language, isStandIn: voice !== first || (request.voice !== undefined && isStoodInFor(request.voice)) }
  if (language !== 'en') {
    return { refusal: refusal(languageField, `what speaks ${languageTitle(language)} is not on this machine; npm run setup adds it.`) }
  }
  return { ...named, voice: standInFor(voice), language, isStandIn: true }
}

interface ESpeakChoice {
  reported: string
  requested: EngineVoice | undefined
  /** The eSpeak voice for the language of the text. This voice also replaces a service voice (such
   *  as `alloy`) that the request names, because the name of a service voice does not stand for a
   *  language. */
  own: EngineVoice | undefined
  isThere: boolean
}

/** Returns the voice for a language that only eSpeak speaks, or for a request that names an eSpeak
 *  voice. eSpeak has one voice per language, and each speaks only that language. */
function speakerByESpeak(request: SpeechRequest, { reported, requested, own, isThere }: ESpeakChoice): VoiceChoice | VoiceRefusal {
  const voice = requested ?? own
  if (!voice || voice !== own) {
    const knows = voice?.maker === 'ESpeak' ? `speaks ${languageTitle(voice.name)} only` : `does not speak ${languageTitle(reported)}`
    const others = own ? `; in ${languageTitle(reported)} speaks ${own.id}` : ''
    return { refusal: refusal('voice', `${request.voice} ${knows}${others}.`) }
  }
  const field = request.voice !== undefined ? 'voice' : request.language === undefined ? 'text' : 'language'
  if (!isThere) return { refusal: refusal(field, `what speaks ${languageTitle(reported)} is not on this machine; npm run setup adds it.`) }
  const named = request.voice === undefined ? {} : { requested: request.voice }
  return { ...named, voice, language: voice.name, isStandIn: request.voice !== undefined && !requested }
}

/** Returns the refusal of an unknown voice. It names a few similar voices, or examples when none
 *  is similar, because the full list would be too long to read. */
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

/** Returns the requested voice; when the request names none, a native speaker of the language. The
 *  Hibari voice is replaced when the language is not English, or when the best quality is
 *  requested: the result is then the Kokoro voice on whose speech the Hibari voice was trained. */
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
