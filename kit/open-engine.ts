/** Opens an engine in a program without the gateway, and runs jobs on it. */
import { randomUUID } from 'node:crypto'
import { mkdir, rmdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DriverTools, EngineSpec } from './driver.ts'
import { GatewayError } from './errors.ts'
import type { JsonObject } from './json.ts'
import { createInspection } from './media/open-inspection.ts'
import { directOutbound } from './outbound/outbound.ts'
import { packFilesIn } from './pack-files.ts'
import { packsDirectory } from './packs.ts'
import type { Capability, RequestOf } from './requests/capabilities.ts'
import type { Done, InputFile, Job, Offer, Outcome, OutputFile, RunSubRequest } from './requests/job.ts'

export interface EngineOptions {
  /** Folder for the output: one subfolder per job, and the subfolder `kept` for data that the
   *  engine stores for later jobs. */
  folder: string
  /** Number of processes or threads that the engine may use; one for each core when absent. */
  cores?: number
  /** Folder of the packs that `npm run setup` installs; this user's default folder when absent. */
  packs?: string
  /** Receives messages about problems that no outcome reports; they are written to stderr when
   *  absent. */
  onLog?(message: string): void
}

export interface RunOptions {
  /** The account to which the job belongs. The engine divides its time fairly between accounts. */
  account?: string
  /** The engine's own name of the model; its first model when absent. */
  model?: string
  /** Settings of the engine, as its schema describes them. */
  settings?: JsonObject
  inputs?: readonly InputFile[]
  signal?: AbortSignal
  /** Runs parts of a job on other models when the engine requests it. When absent, the engine works
   *  without other models. */
  subRequest?: RunSubRequest
  /** Receives each part of a streamed answer. When it returns a promise, the next part is read only
   *  once that has resolved. */
  onEvent?(event: unknown): unknown
  /** Receives the progress, 0 to 1. */
  onProgress?(fraction: number): void
}

export interface OpenEngine extends AsyncDisposable {
  /** Runs one job to its end. Throws a GatewayError with the reason when the engine refuses the job
   *  or fails; for `capability_unavailable`, the message says what the engine lacks. */
  run<C extends Capability>(capability: C, request: RequestOf<C>, options?: RunOptions): Promise<Done>
  /** Ends the engine's processes. */
  close(): Promise<void>
}

/** Opens an engine. Its processes start with the first job and run until `close`. Throws what the
 *  `open` function of the engine throws. */
export function openEngine(spec: EngineSpec, options: EngineOptions): OpenEngine {
  const folder = resolve(options.folder)
  const { onLog = message => process.stderr.write(`${message}\n`), cores = availableParallelism() } = options
  const packs = packFilesIn(options.packs ?? packsDirectory(process.env), spec.packs ?? [])
  const log: DriverTools['log'] = { info: () => undefined, warn: (_fields, message) => onLog(message) }
  const inspection = createInspection({ scratchDirectory: folder, onLog })
  const driver = spec.open({
    packs,
    scratchDirectory: folder,
    dataDirectory: join(folder, 'kept'),
    cores,
    priority: 'normal',
    allowPrivateUrls: false,
    outbound: directOutbound,
    inspection,
    log,
  })
  const close = async (): Promise<void> => {
    await driver.close?.()
    await inspection.close()
  }
  return {
    async run(
      capability,
      request,
      { model = spec.models?.[0]?.name ?? '', settings = {}, inputs = [], account, signal, subRequest, onEvent, onProgress } = {},
    ) {
      // The cast is needed because TypeScript does not connect the type of `offers[capability]`
      // with the type of `request`; the signature of `run` ensures that they match.
      const offer = driver.offers[capability] as Offer<typeof request, unknown> | undefined
      if (!offer) throw new GatewayError('capability_unavailable', `${spec.title} does not offer ${capability}.`)
      const why = driver.unusable?.(settings, model)
      if (why !== undefined) throw new GatewayError('capability_unavailable', why)
      const id = randomUUID()
      const scratch = join(folder, id)
      await mkdir(scratch, { recursive: true })
      const job = { id, request, inputs, scratch, model, settings, attempt: 1, progress: (fraction: number) => onProgress?.(fraction) }
      const given = { account, signal: signal ?? new AbortController().signal, ...(subRequest ? { subRequest } : {}) }
      const outcome = await runOffer(offer, { ...job, ...given }, onEvent)
      if (outcome.state === 'failed') throw new GatewayError(outcome.code, [outcome.message, ...(outcome.reasons ?? [])].join(' '))
      if (outcome.files.length === 0) await rmdir(scratch)
      return outcome
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function runOffer<Request>(offer: Offer<Request, unknown>, job: Job<Request>, onEvent: RunOptions['onEvent']): Promise<Outcome> {
  switch (offer.kind) {
    case 'once':
      return offer.run(job)
    case 'streamed': {
      const files: OutputFile[] = []
      for await (const part of offer.run(job)) {
        if (part.type === 'outcome')
          return part.outcome.state === 'done' ? { ...part.outcome, files: [...files, ...part.outcome.files] } : part.outcome
        if (part.type === 'file') files.push(part.file)
        if (part.type === 'event') await onEvent?.(part.event)
      }
      throw new GatewayError('internal_error', 'The engine ended without an outcome.')
    }
    case 'polled': {
      const started = await offer.start(job)
      if (started.state !== 'started') return started
      for (;;) {
        const state = await offer.check(job, started.handle)
        if (state.state !== 'running') return state
        if (state.progress !== undefined) job.progress(state.progress)
        await sleep(state.checkAfterMs ?? offer.pollEveryMs, undefined, { signal: job.signal })
      }
    }
  }
}
