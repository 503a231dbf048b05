/** The part of an engine pool that runs in the child process: receives one job at a time over
 *  the process channel and sends back its result. */
import { defined } from '../defined.ts'
import { GatewayError } from '../errors.ts'
import { sealCompileCache } from './compile-cache.ts'
import { exitWithParent } from './watchdog.ts'

export type ParentMessage = { kind: 'job'; id: number; method: string; payload: unknown } | { kind: 'go'; id: number }
export type ChildMessage =
  | { kind: 'begun'; id: number }
  | { kind: 'pause'; id: number }
  | { kind: 'progress'; id: number; fraction: number }
  | { kind: 'part'; id: number; part: unknown }
  | { kind: 'done'; id: number; value: unknown; rssBytes: number }
  | { kind: 'failed'; id: number; code: string; message: string; field?: string; stack: string; rssBytes: number }

export interface EngineCall {
  progress(fraction: number): void
  /** Reports a part of the result before the end. */
  tell(part: unknown): void
  /** Pauses between two pieces of work; call it after some tens of milliseconds to a few seconds of
   *  work. Resolves when the job may continue. Meanwhile work of other accounts, and shorter work
   *  of the same account, runs. */
  giveWay(): Promise<void>
}

type EngineMethod = (payload: never, call: EngineCall) => Promise<unknown>

/** Runs one of these methods each time that the parent process requests it. When the parent process
 *  ends, this process ends as well, even in the middle of a job. Arguments and results must be
 *  structured-cloneable; files are passed by path. */
export function serveEngine(methods: Record<string, EngineMethod>): void {
  const watch = exitWithParent()
  sealCompileCache()
  process.on('message', (message: ParentMessage) => {
    if (message.kind === 'go') return goOn.get(message.id)?.()
    watch.begin()
    void answer(methods, message).then(reply => {
      watch.end()
      process.send?.(reply)
    })
  })
  process.on('disconnect', () => process.exit(0))
}

/** Functions that resume paused jobs, by job id. A job is paused while it waits in `giveWay`. */
const goOn = new Map<number, () => void>()

function giveWay(id: number): Promise<void> {
  return new Promise(resolve => {
    goOn.set(id, () => {
      goOn.delete(id)
      resolve()
    })
    process.send?.({ kind: 'pause', id } satisfies ChildMessage)
  })
}

type JobMessage = Extract<ParentMessage, { kind: 'job' }>

async function answer(methods: Record<string, EngineMethod>, { id, method, payload }: JobMessage): Promise<ChildMessage> {
  try {
    const run = methods[method]
    if (!run) throw new TypeError(`the engine has no method ${method}`)
    process.send?.({ kind: 'begun', id } satisfies ChildMessage)
    // The cast is needed because the channel does not know the payload's type, on which the
    // parent's driver and this method agree.
    const value = await run(payload as never, {
      progress: fraction => process.send?.({ kind: 'progress', id, fraction } satisfies ChildMessage),
      tell: part => process.send?.({ kind: 'part', id, part } satisfies ChildMessage),
      giveWay: () => giveWay(id),
    })
    return { kind: 'done', id, value, rssBytes: process.memoryUsage.rss() }
  } catch (error) {
    const isKnown = error instanceof GatewayError
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return {
      kind: 'failed',
      id,
      code: isKnown ? error.code : 'internal_error',
      message: isKnown ? error.message : 'The engine failed on this request.',
      ...(isKnown ? defined({ field: error.field }) : {}),
      stack,
      rssBytes: process.memoryUsage.rss(),
    }
  }
}
