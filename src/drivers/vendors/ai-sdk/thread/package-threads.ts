/** Runs each provider package in a thread of its own. A package may parse an answer of 100 MB, loop
 *  for ever, leak memory or end the process: none of this may delay or end the gateway. */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { DriverTools } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type PackageSource, wordOf } from '../packages.ts'
import { servePackages } from './host.ts'

/** The place where the packages of targets run. */
export interface PackageHost {
  /** Opens the package for one more run of the driver and returns the port of that run. `onEnd` is
   *  called with the reason when the thread ends before the run. */
  open(name: string, onEnd: (reason: GatewayError) => void): UsePort
  /** Ends the thread of the package if it does not react within five seconds. */
  check(name: string): void
  close(): Promise<void>
}

export interface UsePort extends Disposable {
  port: MessagePort
}

/** Largest heap of a thread in MB. 16 runs may hold answers with pictures at the same time. Node
 *  ends a thread that reaches its limit in small steps. One list of more than the limit ends the
 *  whole process (nodejs/node#47224), so answers have to be limited before a package reads
 *  them. */
const mostHeapMb = 2_048
const reactWithinMs = 5_000
const longestLine = 300

/** Returns a host that runs the packages in the calling thread. Tests need it when their packages
 *  are objects, which cannot be loaded in another thread. */
export function inlineHost(source: PackageSource): PackageHost {
  const { port1, port2 } = new MessageChannel()
  servePackages(port2, source)
  for (const port of [port1, port2]) port.unref()
  return {
    open: () => openedUse(port1),
    check: () => {},
    close: async () => port1.close(),
  }
}

/** Returns a host that starts a thread for each package at its first use, and again at the next use
 *  after a thread has ended. Tests replace the module that the threads run, and their largest heap
 *  in MB. */
export function threadHost(
  log: DriverTools['log'],
  { program = new URL('./entry.ts', import.meta.url), heapMb = mostHeapMb } = {},
): PackageHost {
  const threads = new Map<string, PackageThread>()
  const threadOf = (name: string): PackageThread => {
    const running = threads.get(name)
    if (running !== undefined) return running
    const thread = new PackageThread({ name, log, program, heapMb, onEnd: () => void threads.delete(name) })
    threads.set(name, thread)
    return thread
  }
  return {
    open: (name, onEnd) => threadOf(name).open(onEnd),
    check: name => threads.get(name)?.check(),
    close: async () => {
      await Promise.all([...threads.values()].map(thread => thread.close()))
    },
  }
}

interface ThreadOptions {
  name: string
  log: DriverTools['log']
  program: URL
  heapMb: number
  onEnd(): void
}

class PackageThread {
  readonly #worker: Worker
  readonly #uses = new Set<(reason: GatewayError) => void>()
  #checking: NodeJS.Timeout | undefined
  #isClosing = false
  /** The reason why the thread ends. */
  #why = 'it ended itself'

  constructor({ name, log, program, heapMb, onEnd }: ThreadOptions) {
    this.#worker = new Worker(program, {
      name: 'ai-sdk',
      stdout: true,
      stderr: true,
      env: environment(),
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    for (const output of [this.#worker.stdout, this.#worker.stderr])
      output.setEncoding('utf8').on('data', (text: string) => log.warn({ package: name }, text.trim().slice(0, longestLine)))
    this.#worker.on('message', () => this.#react())
    this.#worker.on('error', (error: unknown) => {
      this.#why = wordOf(error)
    })
    this.#worker.on('exit', () => {
      clearTimeout(this.#checking)
      onEnd()
      const why = this.#why
      if (!this.#isClosing) log.warn({ package: name, why }, 'the thread of a provider package has ended; the next request starts it again')
      const reason = this.#isClosing
        ? new GatewayError('cancelled', 'The gateway is stopping.')
        : new GatewayError('upstream_error', `The thread of the package ${name} has ended (${why}).`)
      for (const end of this.#uses) end(reason)
    })
    this.#worker.unref()
  }

  open(onEnd: (reason: GatewayError) => void): UsePort {
    this.#uses.add(onEnd)
    const use = openedUse(this.#worker)
    return { port: use.port, [Symbol.dispose]: () => void this.#uses.delete(onEnd) }
  }

  check(): void {
    if (this.#checking !== undefined) return
    this.#worker.postMessage('ping')
    // The first timer may fire late because the gateway's own thread was blocked. The package's
    // reaction, if it has already arrived, is then read before the second timer fires.
    this.#checking = setTimeout(() => {
      this.#checking = setTimeout(() => {
        this.#why = 'it did not react'
        void this.#worker.terminate()
      }, 1)
    }, reactWithinMs)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#worker.terminate()
  }

  #react(): void {
    clearTimeout(this.#checking)
    this.#checking = undefined
  }
}

/** Returns the environment of this process without the gateway's own settings, some of which are
 *  secret. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GATEWAY_')))
}

function openedUse(to: Worker | MessagePort): UsePort {
  const { port1, port2 } = new MessageChannel()
  to.postMessage({ open: port2 }, [port2])
  return { port: port1, [Symbol.dispose]: () => {} }
}
