/** Ends an engine's process soon after the gateway that started it, and when one of its jobs passes a limit, also while its main thread is busy. */
import { Worker } from 'node:worker_threads'

/** What one job may use of the process that runs it. */
export interface JobLimits {
  /** CPU milliseconds of all its threads, user and system. */
  cpuMs?: number
  /** Resident bytes of the whole process while the job runs. */
  rssBytes?: number
}

/** Marks the jobs of a process for its watchdog: one at a time. */
interface JobWatch {
  begin(): void
  end(): void
}

/** Signals that a process ends itself with; nothing else here sends them. */
export const limitSignals = { cpu: 'SIGXCPU', memory: 'SIGUSR2' } as const

const lookMs = 500
/** With limits: a job passes them by what it can use in this time. */
const limitLookMs = 100
const noJob = -1

// A thread of its own: the main thread hears of a lost channel only between two pieces of work. The parent's id comes from the parent: by the time it could be read here, the parent may be gone.
const look = `
const { workerData: { parent, lookMs, limits, signals, job } } = require('node:worker_threads')
${isParentGone}
${cpuMsOfProcess}
const kill = signal => {
  try {
    process.kill(process.pid, signal)
  } catch {
    // Windows has no such signal.
    process.kill(process.pid, 'SIGKILL')
  }
}
setInterval(() => {
  if (isParentGone(parent)) kill('SIGKILL')
  if (job[0] < 0) return
  if (limits.cpuMs && cpuMsOfProcess() - job[0] > limits.cpuMs) kill(signals.cpu)
  if (limits.rssBytes && process.memoryUsage.rss() > limits.rssBytes) kill(signals.memory)
}, lookMs)
`

/** Arguments for a process that calls `dieWithParent`, with the limits of its jobs. */
export const parentArgument = (limits: JobLimits = {}): string[] => [String(process.pid), JSON.stringify(limits)]

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

/** CPU milliseconds that this process has used, all threads together. Its source is all it needs. */
function cpuMsOfProcess(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Starts the thread that looks at the parent twice a second, with limits for jobs ten times, and gives up the right to start another.
 *  Call it first thing in a process started with `parentArgument`. A job counts from `begin` to `end`; the process ends with one of `limitSignals` above its limits. */
export function dieWithParent(): JobWatch {
  const parent = Number(process.argv[2])
  if (!Number.isSafeInteger(parent)) throw new TypeError('the process was not told who its parent is')
  const limits: JobLimits = JSON.parse(process.argv[3] ?? '{}')
  const isLimited = limits.cpuMs !== undefined || limits.rssBytes !== undefined
  // The process's CPU time at which the job began.
  const job = new Float64Array(new SharedArrayBuffer(8)).fill(noJob)
  const thread = new Worker(look, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: { parent, lookMs: isLimited ? limitLookMs : lookMs, limits, signals: limitSignals, job },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  })
  thread.unref()
  process.permission?.drop('worker')
  return {
    begin: () => {
      job[0] = cpuMsOfProcess()
    },
    end: () => {
      job[0] = noJob
    },
  }
}
