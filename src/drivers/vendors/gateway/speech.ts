/** Speech of another gateway: over T1, T2 or T3, by its model there. */
import { streamed } from '@generation-gateway/kit/driver.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { type AskedJob, type Refusal, refusal, type StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechEvent, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { refusesOpenai, type SpeechService, speakOpenai } from '../../shared/sound/openai-speech.ts'
import { voiceOf } from '../../shared/sound/speech-words.ts'
import type { SpeechJob, SpeechPart } from '../../shared/sound/spoken.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { narrate, refusesNarration } from './narration.ts'
import { settings } from './settings.ts'
import type { SpeechFamily } from './sound-settings.ts'
import { gatewayName, soundTarget, speechFamilyOf } from './sound-target.ts'
import { refusesVoice, speakInVoice } from './voice-speech.ts'

/** What each family has a field for. */
const extras = {
  T1: ['instructions'],
  T2: [],
  T3: ['style', 'isPrivate', 'previousText', 'nextText'],
} as const satisfies Record<SpeechFamily, readonly FieldName[]>
const all = ['instructions', 'style', 'isPrivate', 'previousText', 'nextText'] as const

const t1Service: SpeechService = {
  owner: gatewayName,
  targetOf: asked => ({ ...settings.targetOf(asked.settings), ...soundTarget(asked) }),
}

/** Paid; a call of it is not repeated. */
export function speechThere(tools: ServiceTools): StreamedOffer<SpeechRequest, SpeechEvent> {
  return streamed<SpeechRequest, SpeechEvent>(job => speak(tools, job), { follows: [...all], refuses })
}

function refuses(asked: AskedJob<SpeechRequest>): Refusal | undefined {
  const family = speechFamilyOf(asked)
  if (asked.request.isPrivate && family !== 'T3') return refusal('isPrivate', `is asked for; ${gatewayName} keeps sounds of ${family}.`)
  switch (family) {
    case 'T1':
      return refusesOpenai(t1Service, asked)
    case 'T2':
      return refusesNarration(asked)
    case 'T3':
      return refusesVoice(asked, voiceOf(asked.request, settings.targetOf(asked.settings)))
  }
}

async function* speak(tools: ServiceTools, job: SpeechJob): AsyncGenerator<SpeechPart> {
  const family = speechFamilyOf(job)
  const parts = family === 'T1' ? speakOpenai(tools, t1Service, job) : family === 'T2' ? narrate(tools, job) : speakInVoice(tools, job)
  const leftOut = all.filter(field => job.request[field] !== undefined && !extras[family].some(each => each === field))
  for await (const part of parts) yield told(part, leftOut)
}

/** With what the family there has no field for. */
function told(part: SpeechPart, leftOut: readonly string[]): SpeechPart {
  if (part.type !== 'outcome' || part.outcome.state !== 'done' || leftOut.length === 0) return part
  return { ...part, outcome: { ...part.outcome, report: { ...part.outcome.report, notFollowed: [...leftOut] } } }
}
