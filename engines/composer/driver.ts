import { ffmpegProblem } from '@generation-gateway/kit/audio/ffmpeg-program.ts'
import {
  type DriverTools,
  defineEngine,
  engineQueue,
  engineSlots,
  noSettings,
  parkedBecause,
  streamed,
} from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createEnginePool } from '@generation-gateway/kit/process/pool.ts'
import { type Job, type JobFacts, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { MusicEvent, MusicRequest } from '@generation-gateway/kit/requests/music.ts'
import { hibariNetwork, hibariPack } from '@generation-gateway/kit/voice/hibari-pack.ts'
import { parseLyrics } from './form/lyrics.ts'
import type { SoundFiles } from './messages.ts'
import { makeMusic } from './music-job.ts'
import { composerPacks, soundfontFile, soundfontPack } from './packs.ts'
import { isReadable, unreadable, wordsOf } from './sing/writing.ts'

const MiB = 1024 ** 2
const title = 'Composer, the built-in music engine'
const parked = parkedBecause('music')

/** Limits of a request. A request outside of them is refused. */
const leastSeconds = 5
const mostSeconds = 600
const mostPieces = 4
const mostLyrics = 10_000
const mostPrompt = 4000
/** Roles of input files. A request may have one file for each role. */
const roles = ['reference', 'vocal', 'melody', 'instrumental']

/** The built-in music engine: composes a piece, arranges it, renders the instruments and the
 *  voice, and masters the mix. The instruments are those of a sound bank or synthesised; the
 *  voice is synthesised. */
export default defineEngine({
  id: 'composer',
  title,
  kind: 'engine',
  settings: noSettings,
  capabilities: ['music.song', 'music.instrumental'],
  packs: composerPacks,
  open: tools => {
    const pool = createEnginePool({
      module: new URL('./process.ts', import.meta.url),
      size: Math.max(1, tools.cores),
      queueLimit: engineSlots,
      jobTimeoutMs: 10 * 60_000,
      maxRssBytes: 700 * MiB,
      writable: [tools.scratchDirectory],
      priority: tools.priority,
      onLog: message => tools.log.warn({ engine: 'composer' }, message),
    })
    const run = (job: Job<MusicRequest>) => makeMusic(pool, soundsFor(tools, job.request), job)
    return {
      id: 'composer',
      title,
      queue: engineQueue('composer', { cores: tools.cores, accountSlots: 2 * tools.cores }),
      offers: {
        'music.song': streamed<MusicRequest, MusicEvent>(run, { refuses: refusesSong }),
        'music.instrumental': streamed<MusicRequest, MusicEvent>(run, { refuses: refusesInstrumental }),
      },
      unusable: () =>
        tools.packs.file(soundfontPack, soundfontFile) === undefined ? tools.packs.howToGet(soundfontPack) : ffmpegProblem(),
      close: () => pool.close(),
    }
  },
})

/** Returns the path of the sound bank and, for a request with lyrics, of the voice. Throws
 *  `capability_unavailable` with instructions when one of them is not installed, or when the engine
 *  may not use any core. */
function soundsFor({ packs, cores }: DriverTools, { lyrics = '' }: MusicRequest): SoundFiles {
  if (cores <= 0) throw new GatewayError('capability_unavailable', parked)
  const fileOf = (pack: string, name: string) => {
    const path = packs.file(pack, name)
    if (path === undefined) throw new GatewayError('capability_unavailable', packs.howToGet(pack))
    return path
  }
  const bank = fileOf(soundfontPack, soundfontFile)
  return { bank, ...(lyrics.trim() === '' ? {} : { voice: fileOf(hibariPack, hibariNetwork) }) }
}

function refusesSong(jobFacts: JobFacts<MusicRequest>): Refusal | undefined {
  const { lyrics = '' } = jobFacts.request
  const isSung = jobFacts.inputs.some(({ role }) => role === 'vocal')
  const wrong = refusesAny(jobFacts)
  if (wrong || isSung) return wrong
  const words = parseLyrics(lyrics).flatMap(({ lines }) => lines.flatMap(wordsOf))
  if (words.length === 0) return refusal('lyrics', 'a song needs words, or a recording of the voice (vocal).')
  const word = words.find(each => !isReadable(each))
  return word === undefined ? undefined : refusal('lyrics', unreadable(word))
}

function refusesInstrumental(jobFacts: JobFacts<MusicRequest>): Refusal | undefined {
  if ((jobFacts.request.lyrics ?? '').trim() !== '') return refusal('lyrics', 'an instrumental has no words; ask for a song.')
  return refusesAny(jobFacts)
}

function refusesAny({ request: { seconds, count, lyrics = '', prompt = '' }, inputs }: JobFacts<MusicRequest>): Refusal | undefined {
  if (seconds !== undefined && !(seconds >= leastSeconds && seconds <= mostSeconds)) {
    return refusal('seconds', `${seconds} is out of range; ${leastSeconds} to ${mostSeconds}.`)
  }
  if (!(count >= 1 && count <= mostPieces)) return refusal('count', `${count} is out of range; 1 to ${mostPieces}.`)
  if (lyrics.length > mostLyrics) return refusal('lyrics', `has ${lyrics.length} characters; at most ${mostLyrics}.`)
  if (prompt.length > mostPrompt) return refusal('prompt', `has ${prompt.length} characters; at most ${mostPrompt}.`)
  for (const role of roles) {
    const given = inputs.filter(input => input.role === role).length
    // The role of an input is also the name of its request field.
    if (given > 1) return refusal(role as 'melody', `is given ${given} times; at most once.`)
  }
  return undefined
}
