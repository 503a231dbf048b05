/** Runs tasks whose callers wait for the result: each task is pinned to this node, and its parts
 *  are streamed to the callers. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { capabilities, type EventOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { CapabilityFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { Clock, TaskStore } from '../ports/store.ts'
import { newId } from '../records/id.ts'
import { type Artifact, type InlinePart, isFinal, type Task, type TaskCapability, type TaskFailure } from '../records/task.ts'
import type { PrivateRequests } from './private-requests.ts'
import type { TaskFeed } from './task-feed.ts'
import type { TaskSubmission, Tasks } from './tasks.ts'

/** Something that a run produces before its end: an event, or a stored file. */
export type RunPart = { type: 'event'; event: unknown; isPreview: boolean } | { type: 'file'; artifact: Artifact }

export interface InlineSubmission<C extends TaskCapability> extends Omit<TaskSubmission<C>, 'id' | 'pin' | 'isInline'> {
  /** True for a caller that uses only the files and the result: it gets no events of the run. */
  isWhole?: true
}

export interface InlineRuns {
  /** Submits a task with one try to this node and yields its parts. Throws the errors of
   *  `Tasks.submit`, the failure of the task, and the signal's reason. When the caller
   *  disconnects (`signal` is aborted, or the iteration ends early), the task is cancelled. A
   *  task with an idempotency key continues instead, so that a repeat of the request gets its
   *  result. */
  run<C extends TaskCapability>(submission: InlineSubmission<C>, signal: AbortSignal): AsyncGenerator<InlinePart<C>>
  /** Called by the worker: delivers a part of a run to the callers that wait for it. While a caller
   *  reads too slowly, previews are dropped (`CapabilityFacts.previewOf`); for other events a
   *  promise is returned, and the run waits for it. */
  tell(taskId: string, part: RunPart): Promise<void> | undefined
  /** True when a caller receives the events of this task. */
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

/** Interval in ms at which the task is read again even without a signal, because the signal that
 *  another node has changed it may be lost. */
const checkEveryMs = 2_000
/** Largest number of events that may wait for a slow caller. `mostBytes` is the largest size of
 *  these events together. */
const mostEvents = 32
const mostBytes = 4 * 1024 * 1024

export function createInlineRuns({ store, tasks, feed, nodeId, privates, clock }: Deps): InlineRuns {
  const listeners = new Map<string, Listener>()
  return {
    run: async function* run<C extends TaskCapability>({ isWhole, ...submission }: InlineSubmission<C>, signal: AbortSignal) {
      signal.throwIfAborted()
      const listener = new Listener(isWhole !== true)
      const made = newId(clock.now())
      // The listener is registered before the submit: the first parts of the run may arrive before
      // the submit resolves.
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
            // The cast is safe: the worker runs the task with the capability with which it was
            // submitted.
            yield part as InlinePart<C>
            signal.throwIfAborted()
          }
          const task = await store.get(id)
          if (!task) throw new GatewayError('gone', 'The task was swept.')
          isOver = isFinal(task.state)
          // All parts of a run are delivered before its task ends. When the task has ended and the
          // listener is empty, nothing more can arrive.
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

/** The parts that the waiting caller has already received. */
interface DeliveredParts {
  /** Ids of the blobs that were delivered. */
  files: Set<string>
  hasEvents: boolean
}

/** Yields the parts that were not delivered yet, then the end of the task. The outputs of a
 *  failed task are delivered as well, because they are outputs of the task and are charged. */
function* lastParts<C extends TaskCapability>(task: Task, reported: DeliveredParts): Generator<InlinePart<C>> {
  const hasSucceeded = task.state === 'succeeded'
  if (hasSucceeded && !reported.hasEvents) {
    // The cast is safe: the look-up returns the entry of this task's capability, but its type is
    // the union of all entries.
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

/** Buffer of parts for one caller. Its size is limited, because events may be large; a part of
 *  type `file` contains only facts about the file. */
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

  /** Yields the parts that have arrived since the last call, one by one. */
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
