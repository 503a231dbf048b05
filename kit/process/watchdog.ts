/** Ends an engine's process soon after the gateway that started it has ended, and when one of its
 *  jobs passes a limit, even while its main thread is busy. */
import { Worker } from 'node:worker_threads'

/** Limits of one job on the process that runs it. */
export interface JobLimits {
  /** Limit of CPU time of all threads of the process, user and system, in milliseconds. */
  cpuMs?: number
  /** Limit of resident memory of the whole process while the job runs, in bytes. */
  rssBytes?: number
}

/** Marks begin and end of a process's jobs for its watchdog; one job at a time. */
interface JobWatch {
  begin(): void
  end(): void
}

/** Signals that the watchdog sends to its own process when a job exceeds a limit. Nothing else in
 *  this program sends them, so the signal shows the reason. */
export const limitSignals = { cpu: 'SIGXCPU', memory: 'SIGUSR2' } as const

const checkEveryMs = 500
/** Milliseconds between two checks of the limits. Between two checks, a job can exceed a limit
 *  without being noticed. */
const limitLookMs = 100
const noJob = -1

// The script of the watchdog. It runs on a separate thread, because the main thread may be busy for
// long and would notice only afterwards that the channel to the parent has closed. The parent
// passes its own process id as an argument. If the child asked for the id of its parent, the parent
// might already have ended, and the child would get the id of another process.
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

/** Returns the arguments for a process that calls `exitWithParent`, with the limits of its jobs. */
export const parentArgument = (limits: JobLimits = {}): string[] => [String(process.pid), JSON.stringify(limits)]

// A module that makes the process ignore SIGINT and SIGTERM. Supervisors send these signals to all
// processes of the program, but only the parent may decide when this process ends. Node loads the
// module before the engine, because loading an engine takes a second, and a signal would otherwise
// end the process in that time.
const unmoved = "for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})"

/** Node flags for a process that calls `exitWithParent`: the permission to start the watchdog's
 *  thread, which the process gives up again, and handlers that ignore SIGINT and SIGTERM. */
export const watchdogFlags: readonly string[] = ['--allow-worker', '--import', `data:text/javascript,${encodeURIComponent(unmoved)}`]

/** Returns true when the process that was the parent of this one has ended. The function is copied
 *  into a script by its source text, so it must refer to nothing outside itself. */
export function isParentGone(parent: number): boolean {
  if (process.platform !== 'win32') return process.ppid !== parent
  try {
    return !process.kill(parent, 0)
  } catch {
    return true
  }
}

/** Returns the CPU milliseconds that all threads of this process have used. The function is copied
 *  into a script by its source text, so it must refer to nothing outside itself. */
function cpuMsOfProcess(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Starts the watchdog's thread and gives up the permission to start another thread. The thread
 *  checks twice a second whether the parent still runs; with job limits it checks ten times a
 *  second. Call it first in a process that was started with `parentArgument`. The limits apply from
 *  a call of `begin` to the call of `end`; when a job exceeds one, the process ends itself with one
 *  of `limitSignals`. */
export function exitWithParent(): JobWatch {
  const parent = Number(process.argv[2])
  if (!Number.isSafeInteger(parent)) throw new TypeError('the process was not told who its parent is')
  const limits: JobLimits = JSON.parse(process.argv[3] ?? '{}')
  const isLimited = limits.cpuMs !== undefined || limits.rssBytes !== undefined
  // CPU time that the process had used when the job began, in memory shared with the watchdog's
  // thread.
  const job = new Float64Array(new SharedArrayBuffer(8)).fill(noJob)
  const thread = new Worker(look, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: { parent, lookMs: isLimited ? limitLookMs : checkEveryMs, limits, signals: limitSignals, job },
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
