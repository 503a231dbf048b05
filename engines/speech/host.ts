/** The two child processes for speech. One analyses texts and runs the fast voices; the other runs
 *  only Kokoro, which is slow, so that texts and fast voices do not wait for it. */
import type { DriverTools } from '@generation-gateway/kit/driver.ts'
import { FairQueue, type FairRequest } from '@generation-gateway/kit/process/fair-queue.ts'
import { chunksByESpeak, isReadByESpeak } from './language/espeak/espeak.ts'
import type { Chunk, SpokenText } from './language/index.ts'
import type { HastenJob, ModelFiles, ReadAnswer, ReadJob, SpeakAnswer, SpeakJob, SpokenPart } from './messages.ts'
import { modelFilesOf } from './model-packs.ts'
import { spokenByESpeak } from './models/espeak-sound.ts'
import { SpeechProcess } from './speech-process.ts'
import type { Maker } from './voices.ts'

const MiB = 1024 ** 2
const idleMs = 10 * 60_000
/** Threads for the fast voices. Their networks are so small that more threads would not make them
 *  faster. */
const fastThreads = 2

export interface SpeechHost {
  /** Yields the chunks of a text; each chunk is analysed when the caller requests it. */
  read(text: SpokenText, turn: FairRequest): AsyncGenerator<Chunk, void>
  /** Returns mono samples, about -1 to 1, at the sample rate of the voice's model. */
  speak(job: Omit<SpeakJob, 'files' | 'threads'>, turn: FairRequest): Promise<Float32Array>
  /** Returns the samples sped up by `factor` (1 to 2) at the same pitch. */
  hasten(job: HastenJob, turn: FairRequest): Promise<Float32Array>
  /** Starts the process of the fast voices before it is needed. */
  warm(): void
  close(): Promise<void>
}

export function createSpeechHost({ packs, scratchDirectory, cores, priority, log }: DriverTools): SpeechHost {
  const common = { scratchDirectory, idleMs, priority, onLog: (message: string) => log.warn({ engine: 'speech' }, message) }
  // Between jobs, the process of the fast voices needs 460 MB (with the voices heart and joe
  // loaded). The process of Kokoro needs 535 MB, and up to 850 MB after a long sentence, until the
  // allocator returns the memory. The limits are well above these numbers, because replacing a
  // process is expensive: reopening Kokoro takes two seconds, and a text that the process was
  // analysing is lost.
  const fast = new SpeechProcess({ ...common, maxRssBytes: 768 * MiB })
  const large = new SpeechProcess({ ...common, maxRssBytes: 1024 * MiB })
  const eSpeak = new FairQueue({ places: Math.max(1, cores) })
  const files = new Map<Maker, ModelFiles>()
  const filesFor = (maker: Maker): ModelFiles => {
    const known = files.get(maker) ?? modelFilesOf(maker, packs)
    files.set(maker, known)
    return known
  }
  const byESpeak = async (job: Pick<SpeakJob, 'part' | 'voice' | 'speed'>, turn: FairRequest): Promise<SpokenPart> => {
    using _place = await eSpeak.take(turn)
    return await spokenByESpeak(job, packs, turn.signal)
  }
  let texts = 0

  return {
    async *read(text, turn) {
      const { language } = text
      if (isReadByESpeak(language))
        return yield* chunksByESpeak({ ...text, language }, packs, { signal: turn.signal, take: () => eSpeak.take(turn) })
      texts += 1
      yield* chunksBy(fast, { id: String(texts), text, files: filesFor('Hibari') }, turn)
    },
    async speak(job, turn) {
      const isLarge = job.maker === 'Kokoro'
      const payload: SpeakJob = {
        ...job,
        part: job.maker === 'ESpeak' ? await byESpeak(job, turn) : job.part,
        files: filesFor(job.maker),
        threads: Math.max(1, isLarge ? cores : Math.min(cores, fastThreads)),
      }
      // The child process's method `speak` returns this type.
      const { samples } = (await (isLarge ? large : fast).run('speak', payload, turn)) as SpeakAnswer
      return samples
    },
    hasten: async (job, turn) => ((await fast.run('hasten', job, turn)) as SpeakAnswer).samples,
    warm: () => fast.warm(),
    close: async () => {
      await Promise.all([fast.close(), large.close()])
    },
  }
}

/** Yields the chunks of a text that the child process analyses. When the caller leaves the loop,
 *  the process discards the rest of the text. */
async function* chunksBy(reader: SpeechProcess, { id, text, files }: Required<ReadJob>, turn: FairRequest): AsyncGenerator<Chunk> {
  let isOver = false
  let isFirst = true
  try {
    for (;;) {
      const job: ReadJob = { id, files, ...(isFirst ? { text } : {}) }
      // The child process's method `read` returns this type.
      const { chunk } = (await reader.run('read', job, isFirst ? { ...turn, workMs: 0 } : turn)) as ReadAnswer
      isFirst = false
      isOver = chunk === undefined
      if (!chunk) return
      yield chunk
    }
  } finally {
    if (!isOver && !isFirst)
      reader.run('leave', { id }, { ...turn, workMs: 0, signal: new AbortController().signal }).catch(() => undefined)
  }
}
