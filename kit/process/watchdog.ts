/** Ends an engine's process soon after the gateway that started it, also while its main thread is busy. */
import { Worker } from 'node:worker_threads'

const lookMs = 500

// A thread of its own: the main thread hears of a lost channel only between two pieces of work. The parent's id comes from the parent: by the time it could be read here, the parent may be gone.
const look = `
const { workerData: { parent, lookMs } } = require('node:worker_threads')
${isParentGone}
setInterval(() => {
  if (isParentGone(parent)) process.kill(process.pid, 'SIGKILL')
}, lookMs)
`

/** Arguments for a process that calls `dieWithParent`. */
export const parentArgument = (): string[] => [String(process.pid)]

// Supervisors signal every process of the program; when this one ends is the parent's to say. From its first moment on: loading an engine takes a second.
const unmoved = "for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})"

/** Flags of Node for a process that calls `dieWithParent`: the right its thread needs, which it gives up again, and deafness to SIGINT and SIGTERM. */
export const watchdogFlags: readonly string[] = ['--allow-worker', '--import', `data:text/javascript,${encodeURIComponent(unmoved)}`]

/** Whether the process that was the parent of this one has ended. Its source is all it needs. */
export function isParentGone(parent: number): boolean {
  if (process.platform !== 'win32') return process.ppid !== parent
  try {
    return !process.kill(parent, 0)
  } catch {
    return true
  }
}

/** Starts the thread that looks at the parent twice a second, and gives up the right to start another. Call it first thing in a process started with `parentArgument`. */
export function dieWithParent(): void {
  const parent = Number(process.argv[2])
  if (!Number.isSafeInteger(parent)) throw new TypeError('the process was not told who its parent is')
  const thread = new Worker(look, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: { parent, lookMs },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  })
  thread.unref()
  process.permission?.drop('worker')
}
