/** Work whose caller waits for it: a task pinned to this node, whose parts are streamed to
 *  callers waiting here. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { capabilities, type EventOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { CapabilityFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { Clock, TaskStore } from '../ports/store.ts'
import { newId } from '../records/id.ts'
import { type Artifact, type InlinePart, isFinal, type Task, type TaskCapability, type TaskFailure } from '../records/task.ts'
import type { PrivateRequests } from './private-requests.ts'
import type { TaskFeed } from './task-feed.ts'
import type { TaskSubmission, Tasks } from './tasks.ts'

/** A part that a run produces before its end, in order. */
export type RunPart = { type: 'event'; event: unknown; isPreview: boolean } | { type: 'file'; artifact: Artifact }

export interface InlineSubmission<C extends TaskCapability> extends Omit<TaskSubmission<C>, 'id' | 'pin' | 'isInline'> {
  /** The caller uses only files and the end: events on the way are not delivered. */
  isWhole?: true
}

export interface InlineRuns {
  /** Submits a task of one try to this node and yields its parts. Throws the errors of
   *  `Tasks.submit`, the task's failure, and the signal's reason.
   *  When the caller leaves, by the signal or by ending the iteration, the task is cancelled;
   *  with an idempotency key it continues, so that a repeat finds it. */
  run<C extends TaskCapability>(submission: InlineSubmission<C>, signal: AbortSignal): AsyncGenerator<InlinePart<C>>
  /** For the worker: delivers a part to the waiting callers. While they are behind, previews are
   *  dropped (`CapabilityFacts.previewOf`), and for other events a promise is returned, which the
   *  run waits for. */
  tell(taskId: string, part: RunPart): Promise<void> | undefined
  /** True when a caller receives the events of the task's run. */
  hears(taskId: string): boolean
}

interface Deps {
  store: Pick<TaskStore, 'get'>
  tasks: Pick<Tasks, 'submit' | 'cancel'>
  feed: Pick<TaskFeed, 'watch'>
  /** Node id of the worker on this node. */
  nodeId(): string
  privates?: PrivateRequests
  clock: Clock
}

/** Poll interval: writes of other nodes give no signal here. */
const checkEveryMs = 2_000
/** Limits of how far a waiting caller may be behind: events, and their bytes. */
const mostEvents = 32
const mostBytes = 4 * 1024 * 1024

export function createInlineRuns({ store, tasks, feed, nodeId, privates, clock }: Deps): InlineRuns {
  const listeners = new Map<string, Listener>()
  return {
    run: async function* run<C extends TaskCapability>({ isWhole, ...submission }: InlineSubmission<C>, signal: AbortSignal) {
      signal.throwIfAborted()
      const listener = new Listener(isWhole !== true)
      const made = newId(clock.now())
      // Registered before the submit: its first parts may come before the submit resolves.
      listeners.set(made, listener)
      using stack = new DisposableStack()
      stack.defer(() => {
        listeners.delete(made)
        privates?.delete(made)
        listener.leave()
      })
      const { id } = await tasks.submit({ ...submission, id: made, pin: nodeId(), isInline: true })
      const wake = () => listener.wake()
      stack.defer(feed.watch(id, wake))
      signal.addEventListener('abort', wake, { once: true })
      stack.defer(() => signal.removeEventListener('abort', wake))
      const timer = setInterval(wake, checkEveryMs)
      stack.defer(() => clearInterval(timer))
      let isOver = false
      try {
        yield { type: 'start', taskId: id }
        const reported: DeliveredParts = { files: new Set(), hasEvents: false }
        for (;;) {
          const changed = listener.next()
          signal.throwIfAborted()
          for (const part of listener.take()) {
            if (part.type === 'file') reported.files.add(part.artifact.id)
            else reported.hasEvents ||= !part.isPreview
            // The worker runs it as the capability it was submitted as.
            yield part as InlinePart<C>
            signal.throwIfAborted()
          }
          const task = await store.get(id)
          if (!task) throw new GatewayError('gone', 'The task was swept.')
          isOver = isFinal(task.state)
          // A run delivers all its events before its task ends, so after the end an empty listener
          // receives nothing more.
          if (isOver && listener.isEmpty) return yield* lastParts<C>(task, reported)
          if (listener.isEmpty) await changed
        }
      } finally {
        if (!isOver && submission.idempotency === undefined) await tasks.cancel(id)
      }
    },
    tell: (taskId, part) => listeners.get(taskId)?.put(part),
    hears: taskId => listeners.get(taskId)?.takesEvents === true,
  }
}

/** The parts that the waiting caller has received already. */
interface DeliveredParts {
  /** By blob id. */
  files: Set<string>
  hasEvents: boolean
}

/** Yields the parts not yet delivered, then the end: outputs of a failed task still belong to its
 *  caller. */
function* lastParts<C extends TaskCapability>(task: Task, reported: DeliveredParts): Generator<InlinePart<C>> {
  const hasSucceeded = task.state === 'succeeded'
  if (hasSucceeded && !reported.hasEvents) {
    // Result and events are those of this very capability, which the union of all entries cannot
    // express.
    const { keptEvents } = capabilities[task.capability] as CapabilityFacts<never, unknown, EventOf<C>>
    for (const event of keptEvents?.(task.result) ?? []) yield { type: 'event', event }
  }
  for (const artifact of task.artifacts) {
    if (artifact.kind === 'output' && !reported.files.has(artifact.id)) yield { type: 'file', artifact }
  }
  if (hasSucceeded) return yield { type: 'finish', task }
  const { code, message, ...further }: TaskFailure = task.failure ?? { code: 'internal_error', message: `The task is ${task.state}.` }
  throw new GatewayError(code, message, further)
}

/** Buffer of parts for one caller. File parts hold only facts; events may be large. */
class Listener {
  #parts: RunPart[] = []
  #events = 0
  #bytes = 0
  #changed = Promise.withResolvers<void>()
  #room: PromiseWithResolvers<void> | undefined
  #hasLeft = false
  readonly takesEvents: boolean

  constructor(takesEvents: boolean) {
    this.takesEvents = takesEvents
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  put(part: RunPart): Promise<void> | undefined {
    const isPreview = part.type === 'event' && part.isPreview
    if (this.#hasLeft || (isPreview && this.#isFull) || (part.type === 'event' && !this.takesEvents)) return undefined
    this.#parts.push(part)
    this.#count(part, 1)
    this.wake()
    if (part.type === 'file' || isPreview || !this.#isFull) return undefined
    this.#room ??= Promise.withResolvers()
    return this.#room.promise
  }

  /** Yields the parts that arrived since the last call, one by one. */
  *take(): Generator<RunPart> {
    for (let part = this.#parts.shift(); part; part = this.#parts.shift()) {
      this.#count(part, -1)
      if (!this.#isFull) this.#free()
      yield part
    }
  }

  /** Resolves at the next `wake` or `put`. */
  next(): Promise<void> {
    this.#changed = Promise.withResolvers()
    return this.#changed.promise
  }

  wake(): void {
    this.#changed.resolve()
  }

  leave(): void {
    this.#hasLeft = true
    this.#parts = []
    this.#free()
  }

  get #isFull(): boolean {
    return this.#events >= mostEvents || this.#bytes >= mostBytes
  }

  #count(part: RunPart, by: 1 | -1): void {
    if (part.type !== 'event') return
    const { bytes }: { bytes?: unknown } = Object(part.event)
    this.#events += by
    this.#bytes += bytes instanceof Uint8Array ? by * bytes.length : 0
  }

  #free(): void {
    this.#room?.resolve()
    this.#room = undefined
  }
}
