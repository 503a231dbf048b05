import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { namedVoices, type OwnVoice, type VoiceFacts } from '@generation-gateway/kit/requests/voices.ts'
import type { CallContext } from '../../contract/context.ts'
import { implement } from '../../contract/family.ts'
import type { TargetVoice } from '../../contract/needs/voices.ts'
import { FileReply } from '../../contract/replies.ts'
import { type Artifact, isFinal } from '../../core/records/task.ts'
import { fileOf } from '../shared/speech-run.ts'
import { outputsOf } from '../shared/task-answers.ts'
import { mostRuns, sampleLinkMs, voicesFamily } from './family.ts'

/** The sample sentence, by the language of the voice; other languages get the English one. */
const sentences: Readonly<Record<string, string>> = {
  de: 'Guten Tag. So klingt diese Stimme.',
  en: 'Hello there. This is how this voice sounds.',
  es: 'Hola. Así suena esta voz.',
  fr: 'Bonjour. Voici comment cette voix sonne.',
  hi: 'नमस्ते। यह आवाज़ ऐसी सुनाई देती है।',
  it: 'Buongiorno. Questa voce suona così.',
  ja: 'こんにちは。これがこの声です。',
  pt: 'Olá. É assim que esta voz soa.',
  zh: '你好。这个声音听起来就是这样。',
}
export const voicesEntry = implement(voicesFamily, {
  list: async context => {
    const own = context.voices.ofEngines()
    const data = [
      ...namedVoices.map(voice => present(context, voice, { spokenBy: own.find(({ speaksFor = [] }) => speaksFor.includes(voice.id)) })),
      ...own.map(voice => present(context, voice, { own: voice })),
    ]
    const reported = Map.groupBy(context.voices.ofTargets(), ({ name }) => name)
    const known = new Set(data.map(({ id }) => id))
    const services = [...reported].filter(([name]) => !known.has(name)).map(([name, voices]) => presentService(name, voices))
    return {
      object: 'list' as const,
      data: [...data.map(voice => ({ ...voice, targets: targetsOf(reported.get(voice.id)) })), ...services],
    }
  },
  sample: async (context, { params }) => {
    const id = params.voice_id ?? ''
    const voices = [...namedVoices, ...context.voices.ofEngines()]
    const voice = voices.find(each => each.id === id)
    if (!voice) throw new GatewayError('not_found', `There is no voice ${JSON.stringify(id.slice(0, 64))}.`)
    return new FileReply((await earlierSample(context, id, voices.length)) ?? (await newSample(context, voice)))
  },
})

function present(
  context: CallContext,
  { id, title, language, sex, age, manner }: VoiceFacts,
  { own, spokenBy }: { own?: OwnVoice; spokenBy?: OwnVoice | undefined },
) {
  const facts = { id, title, language, sex, age, manner }
  const mapping = { maker: own?.maker ?? null, spoken_by: spokenBy?.id ?? null, speaks_for: [...(own?.speaksFor ?? [])] }
  return { ...facts, ...mapping, sample_url: context.signedUrl('sample', { voice_id: id }, sampleLinkMs) }
}

/** Returns the entry of a voice that only a configured target has. Its language is known only
 *  when the target's name of the voice begins with a locale, as Azure's names do. */
function presentService(name: string, voices: readonly TargetVoice[]) {
  const [first] = voices
  const language = /^([a-z]{2,3}-[A-Z]{2})-/.exec(first?.own ?? '')?.[1] ?? null
  const facts = { id: name, title: name, language, sex: null, age: null, manner: '', maker: first?.maker ?? null }
  return { ...facts, spoken_by: null, speaks_for: [], targets: targetsOf(voices), sample_url: null }
}

function targetsOf(voices: readonly TargetVoice[] = []) {
  return voices.map(({ model, own }) => ({ model, voice: own }))
}

/** Returns a sample of the voice that an earlier call of the account created; undefined when the
 *  newest samples contain none. `voices` is the number of voices. Two samples for each of them
 *  are searched, because calls at two endpoints may both create one. */
async function earlierSample(context: CallContext<'accountTasks'>, voice: string, voices: number): Promise<Artifact | undefined> {
  const tasks = await context.accountTasks.list({ family: voicesFamily.id, state: 'succeeded', limit: 2 * voices })
  const spoken = tasks.find(({ shown }) => shown?.voice === voice)
  return spoken && outputsOf(spoken)[0]
}

/** Creates a sample and returns it. All calls for this voice on the same day share one run, which
 *  continues when a caller disconnects. After a failed run, the next call starts another one. */
async function newSample(context: CallContext<'accountTasks'>, { id, language }: VoiceFacts): Promise<Artifact> {
  const spoken = language.split('-')[0] ?? ''
  const known = sentences[spoken] === undefined ? 'en' : spoken
  const request: SpeechRequest = {
    text: sentences[known] ?? '',
    voice: id,
    language: known,
    speed: 1,
    volume: 0,
    format: { container: 'mp3' },
  }
  const once = await nextRun(context, id)
  return (await fileOf(context, { capability: 'speech.synthesize', request, shown: { voice: id }, once })).file
}

/** Returns the name of the run that a call joins (`Submission.once`): the first run of the day that
 *  has not failed, or the last allowed run when all before it have failed. */
async function nextRun(context: CallContext<'accountTasks'>, voice: string): Promise<string> {
  const nameOf = (run: number) => `sample of ${voice} at ${context.endpoint} → ${run}`
  for (let run = 1; run < mostRuns; run++) {
    const [task] = await context.accountTasks.list({ family: voicesFamily.id, idempotencyKey: nameOf(run), limit: 1 })
    if (!task || !isFinal(task.state) || task.state === 'succeeded') return nameOf(run)
  }
  return nameOf(mostRuns)
}
