import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { ffmpegProblem } from '@generation-gateway/kit/audio/ffmpeg-program.ts'
import { readAs } from '@generation-gateway/kit/check-json.ts'
import { type DriverTools, defineEngine, engineQueue, engineSlots, parkedBecause, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { FairQueue } from '@generation-gateway/kit/process/fair-queue.ts'
import { createEnginePool, type EnginePool } from '@generation-gateway/kit/process/pool.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { TranscribeRequest, TranscriptEvent, TranslateRequest } from '@generation-gateway/kit/requests/transcript.ts'
import Type from 'typebox'
import { programFile, programPack, recognitionPacks, voiceFile, voicePack, weightsFile, weightsPack } from './packs.ts'
import type { Recogniser } from './recognise.ts'
import { refusesRecording } from './refuse.ts'
import type { IdentifyJob } from './speakers/identify-job.ts'
import { speakersPack, speakersPacks, voiceWeightsFile } from './speakers/packs.ts'
import { transcribe, translate } from './transcribe.ts'
import { openTranslator } from './translation/apertium.ts'
import { translationPacks } from './translation/packs.ts'
import { withTextModel } from './translation/text-model.ts'
import type { Translator } from './translation/translator.ts'
import type { VoiceFacts } from './voice/silero.ts'
import { programOnPath } from './whisper/program.ts'

const parked = parkedBecause('recognition')
/** Largest number of whisper.cpp processes at a time. Each one holds the weights in memory; three
 *  need at most 1.2 GB together. */
const mostPrograms = 3

const settings = Type.Object(
  {
    model_file: Type.Optional(
      Type.String({ minLength: 1, description: 'Path of weights of Whisper in ggml; without it those of the pack whisper-base.' }),
    ),
    program: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Path of a whisper-cli of whisper.cpp 1.6 or newer, such as one for a GPU; without it that of the pack whisper-program, else one on the PATH.',
      }),
    ),
    text_model: Type.Optional(
      Type.String({ minLength: 1, description: 'Text model that translates where Apertium has no direction, as its service calls it.' }),
    ),
    text_model_url: Type.Optional(
      Type.String({ pattern: '^https?://', description: 'Base URL of its OpenAI-compatible API, such as http://localhost:8080/v1.' }),
    ),
    text_model_key: Type.Optional(Type.String({ secret: true, description: 'Its key; text_model_key_env names a variable.' })),
    threads: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, description: 'Threads of each program; else the cores shared out among at most three.' }),
    ),
  },
  { additionalProperties: false },
)

/** The built-in recogniser: Whisper run by whisper.cpp on the parts of a recording in which the
 *  neural network Silero detects speech. */
export default defineEngine({
  id: 'recognition',
  title: 'Built-in speech recognition',
  kind: 'engine',
  settings,
  capabilities: ['audio.transcribe', 'audio.translate'],
  models: [
    {
      id: 'MaaS_Whisper_base',
      title: 'Whisper base, built in',
      capability: 'audio.transcribe',
      name: 'whisper-base',
      notes: '99 languages; on the CPU by whisper.cpp.',
    },
  ],
  packs: [...recognitionPacks, ...speakersPacks, ...translationPacks],
  open: tools => {
    const atOnce = Math.max(1, Math.min(mostPrograms, tools.cores))
    const shares = { programs: new FairQueue({ places: atOnce }), decoders: new FairQueue({ places: Math.max(1, tools.cores) }) }
    const pool = createEnginePool({
      module: new URL('./process.ts', import.meta.url),
      size: 1,
      // Largest number of paused child processes; each one needs about 150 MB.
      paused: 4,
      queueLimit: engineSlots,
      jobTimeoutMs: 30 * 60_000,
      maxRssBytes: 600 * 2 ** 20,
      writable: [tools.scratchDirectory],
      priority: tools.priority,
      onLog: message => tools.log.warn({ engine: 'recognition' }, message),
    })
    const translator = openTranslator(tools)
    const open = ({ settings: given, model, account }: Pick<Job<unknown>, 'settings' | 'model' | 'account'>): Recogniser =>
      recogniserOf({ tools, pool, ...shares, atOnce, given, model, account })
    return {
      id: 'recognition',
      title: 'Built-in speech recognition',
      queue: engineQueue('recognition', { cores: tools.cores, accountSlots: 4 }),
      offers: {
        'audio.transcribe': streamed<TranscribeRequest, TranscriptEvent>(job => transcribe(open(job), job), { refuses: refusesRecording }),
        'audio.translate': streamed<TranslateRequest, TranscriptEvent>(
          job => translate(open(job), translatorOf(translator, job.settings, tools), job),
          { refuses: refusesRecording },
        ),
      },
      unusable: (given, model) => whyUnusable(tools, given, model) ?? ffmpegProblem(),
      close: () => pool.close(),
    }
  },
})

/** Returns the translator; if the target's settings name a text model, that model serves the
 *  directions that Apertium lacks. */
function translatorOf(translator: Translator, given: JsonObject, { outbound }: DriverTools): Translator {
  const { text_model: model, text_model_url: url, text_model_key: key } = readAs(settings, given, 'settings')
  return model === undefined || url === undefined ? translator : withTextModel(translator, { model, url, key, route: outbound.routeOf() })
}

interface RecogniserOptions extends Pick<Recogniser, 'programs' | 'decoders' | 'atOnce' | 'account'> {
  tools: DriverTools
  pool: EnginePool
  given: JsonObject
  model: string
}

/** Returns the recogniser. Throws `capability_unavailable` when it cannot run, with the reason or
 *  with the way to install the missing parts. */
function recogniserOf({ tools, pool, given, model, ...turns }: RecogniserOptions): Recogniser {
  const why = tools.cores <= 0 ? parked : whyUnusable(tools, given, model)
  const { program, weights, voice } = partsOf(tools, given)
  if (why !== undefined || program === undefined || weights === undefined || voice === undefined)
    throw new GatewayError('capability_unavailable', why ?? tools.packs.howToGet(weightsPack))
  const { threads: set } = readAs(settings, given, 'settings')
  const { account } = turns
  const threads = set ?? Math.max(1, Math.floor(tools.cores / turns.atOnce))
  return {
    setup: { program, weights, threads, priority: tools.priority },
    ...turns,
    ...(set === undefined ? { cores: tools.cores } : {}),
    // The child process's method `listen` returns this type (process.ts).
    listen: async (path, signal) => {
      const payload = { path, model: voice }
      const { size } = await stat(path)
      return (await pool.run({ method: 'listen', payload, account, workMs: size * listeningMsOfByte, signal })) as VoiceFacts
    },
    identify: async (recording, signal) => {
      const weights = tools.packs.file(speakersPack, voiceWeightsFile)
      if (weights === undefined) throw new GatewayError('capability_unavailable', tools.packs.howToGet(speakersPack))
      const payload: IdentifyJob = { ...recording, weights, threads }
      const workMs = recording.sound.seconds * identifyingMsOfSecond
      return (await pool.run({ method: 'identify', payload, account, workMs, signal })) as string[]
    },
  }
}

/** Estimated run times in ms: speech detection per byte of 16-bit samples at 16 kHz, and speaker
 *  identification per second of a recording with two speakers. The queue uses these numbers to run
 *  an account's short jobs before its long ones. */
const listeningMsOfByte = 6 / 32_000
const identifyingMsOfSecond = 15

function partsOf({ packs }: DriverTools, given: JsonObject): Record<'program' | 'weights' | 'voice', string | undefined> {
  const { model_file, program } = readAs(settings, given, 'settings')
  return {
    weights: model_file ?? packs.file(weightsPack, weightsFile),
    program: program ?? packs.file(programPack, programFile) ?? programOnPath(),
    voice: packs.file(voicePack, voiceFile),
  }
}

function whyUnusable(tools: DriverTools, given: JsonObject, model: string): string | undefined {
  const { model_file, program, text_model, text_model_url } = readAs(settings, given, 'settings')
  if ((text_model === undefined) !== (text_model_url === undefined))
    return `text_model and text_model_url go together (settings of the target ${model}).`
  if (model_file !== undefined && !existsSync(model_file))
    return `There is no file of weights at ${model_file} (settings.model_file of the target ${model}).`
  if (program !== undefined && !existsSync(program)) return `There is no program at ${program} (settings.program of the target ${model}).`
  // Each family has its own model name for this engine; all names stand for the weights in the
  // pack, unless the target's settings name another file.
  const parts = partsOf(tools, given)
  if (parts.weights === undefined) return tools.packs.howToGet(weightsPack)
  if (parts.program === undefined) return tools.packs.howToGet(programPack)
  return parts.voice === undefined ? tools.packs.howToGet(voicePack) : undefined
}
