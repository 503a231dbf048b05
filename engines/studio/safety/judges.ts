/** The offer of `text.moderate`, which judges texts in a child process of its own. */
import { type DriverTools, engineSlots, parkedBecause, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createEnginePool } from '@generation-gateway/kit/process/pool.ts'
import { streamJob } from '@generation-gateway/kit/process/stream-job.ts'
import { type JobFacts, type Refusal, refusal, type StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import type { ModerateEvent, ModerateRequest } from '@generation-gateway/kit/requests/moderate.ts'

interface Judges {
  offer: StreamedOffer<ModerateRequest, ModerateEvent>
  close(): Promise<void>
}

/** Returns the offer, and a function that closes its process. With 0 cores, its runs throw
 *  `capability_unavailable`. */
export function openJudges({ cores, priority, log }: Pick<DriverTools, 'cores' | 'priority' | 'log'>): Judges {
  const pool = createEnginePool({
    module: new URL('./process.ts', import.meta.url),
    size: 1,
    paused: 2,
    queueLimit: engineSlots,
    jobTimeoutMs: 60_000,
    maxRssBytes: 2 ** 29,
    writable: [],
    priority,
    onLog: message => log.warn({ engine: 'studio' }, message),
  })
  const offer = streamed<ModerateRequest, ModerateEvent>(
    ({ account, request, signal, progress }) => {
      if (cores <= 0) throw new GatewayError('capability_unavailable', parkedBecause('moderation'))
      return streamJob(pool, { method: 'moderate', payload: request, account, workMs: workMs(request), signal, progress })
    },
    { refuses: refusesPictures },
  )
  return { offer, close: () => pool.close() }
}

/** Returns the estimated time in ms: about 1 ms per 1,000 characters. */
function workMs({ inputs }: ModerateRequest): number {
  return 1 + inputs.flat().reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0) / 1000
}

function refusesPictures({ request: { inputs } }: JobFacts<ModerateRequest>): Refusal | undefined {
  const hasPicture = inputs.some(parts => parts.some(({ type }) => type === 'image'))
  return hasPicture ? refusal('inputs', 'has a picture; the built-in rules read only text.') : undefined
}
