/** Starts and ends the processes in which provider packages run. The code of a package is not ours:
 *  it may run long, fill its memory or end its process. None of this may delay or end the
 *  gateway. */
import { duplexPair } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { DriverTools } from '@generation-gateway/kit/driver.ts'
import { GatewayError, LostRunError } from '@generation-gateway/kit/errors.ts'
import { nodeDataBytes } from '@generation-gateway/kit/process/child-process.ts'
import { type LimitedProcess, type ProcessEnd, startLimited } from '@generation-gateway/kit/process/limited-process.ts'
import { type PackageSource, wordOf } from '../packages.ts'
import { type Channel, FramedChannels } from './frames.ts'
import { servePackages } from './host.ts'

/** A program that gives the descriptor 3 to its standard output, and sends what it prints to the
 *  standard error: not only Node prints, but also programs that a package starts. */
const ownOutput = 'exec "$0" "$@" 3>&1 1>&2'

/** The place where the packages of targets run. */
export interface PackageHost {
  /** Opens the package for one more run of the driver and returns the channel of that run.
   *  `onEnd` is called with the reason when the process ends before the run. Throws
   *  `LostRunError` when no process can be started, and `cancelled` once the host is closed. */
  open(name: string, onEnd: (reason: GatewayError) => void): UseChannel
  /** Ends the process of the package if it does not react within five seconds. */
  check(name: string): void
  close(): Promise<void>
}

export interface UseChannel extends Disposable {
  channel: Channel
}

/** Largest heap of a process in MiB. 16 runs may hold answers with pictures at the same time. */
const mostHeapMb = 2_048
/** Limit for the buffers of a process outside of its heap: 16 runs, each with answers of 128
 *  MiB. */
const mostBufferBytes = 16 * 128 * 2 ** 20
/** Largest file in bytes that a process may write. No package of the AI SDK writes any. */
const mostFileBytes = 2 ** 30
const reactWithinMs = 5_000
/** Time in ms for which a process that a package has started may delay the end of the package's own
 *  process. */
const lingerMs = 500
const longestLine = 300

/** Returns a host that runs the packages in this process. Tests need it when their packages are
 *  objects, which cannot be loaded in another process. */
export function inlineHost(source: PackageSource): PackageHost {
  const [ours, theirs] = duplexPair()
  servePackages({ input: theirs, output: theirs }, source)
  const channels = new FramedChannels({ input: ours, output: ours, onPing: () => {} })
  return {
    open: () => ({ channel: channels.open(), [Symbol.dispose]: () => {} }),
    check: () => {},
    close: async () => void ours.destroy(),
  }
}

/** Returns a host that starts a process for each package at its first use, and again at the next
 *  use after a process has ended. Tests replace the module that the processes run, and their
 *  largest heap in MiB. */
export function processHost(
  log: DriverTools['log'],
  { program = new URL('./entry.ts', import.meta.url), heapMb = mostHeapMb } = {},
): PackageHost {
  const processes = new Map<string, PackageProcess>()
  let isClosed = false
  const processOf = (name: string): PackageProcess => {
    const running = processes.get(name)
    if (running !== undefined) return running
    const onEnd = () => {
      if (processes.get(name) === started) processes.delete(name)
    }
    const started = new PackageProcess({ name, log, program, heapMb, onEnd })
    processes.set(name, started)
    return started
  }
  return {
    open: (name, onEnd) => {
      if (isClosed) throw stopping()
      return processOf(name).open(onEnd)
    },
    check: name => processes.get(name)?.check(),
    close: async () => {
      isClosed = true
      await Promise.all([...processes.values()].map(each => each.close()))
    },
  }
}

interface ProcessOptions {
  name: string
  log: DriverTools['log']
  program: URL
  heapMb: number
  /** Called when the process ends or is about to be ended. */
  onEnd(): void
}

class PackageProcess {
  readonly #options: ProcessOptions
  readonly #child: LimitedProcess
  readonly #channels: FramedChannels
  readonly #ended: Promise<void>
  readonly #uses = new Set<(reason: GatewayError) => void>()
  #checking: NodeJS.Timeout | undefined
  #isClosing = false
  /** The reason why the gateway ends the process. */
  #why: string | undefined

  constructor(options: ProcessOptions) {
    this.#options = options
    this.#child = startPackage(options)
    const { stdin: output, stdout: input, ended } = this.#child
    this.#channels = new FramedChannels({ input, output, onPing: () => this.#react() })
    input.once('error', () => this.#kill('its messages cannot be read'))
    this.#ended = ended.then(
      end => this.#end(wayOf(end)),
      (error: unknown) => this.#end(wordOf(error)),
    )
  }

  open(onEnd: (reason: GatewayError) => void): UseChannel {
    this.#uses.add(onEnd)
    return { channel: this.#channels.open(), [Symbol.dispose]: () => void this.#uses.delete(onEnd) }
  }

  check(): void {
    if (this.#checking !== undefined) return
    this.#channels.ping()
    // The first timer may fire late because the gateway's own thread was blocked. The package's
    // reaction, if it has already arrived, is then read before the second timer fires.
    this.#checking = setTimeout(() => {
      this.#checking = setTimeout(() => this.#kill('it did not react'), 1)
    }, reactWithinMs)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#kill('the gateway is stopping')
    await this.#ended
  }

  #kill(why: string): void {
    this.#why ??= why
    this.#options.onEnd()
    this.#child.kill()
  }

  #react(): void {
    clearTimeout(this.#checking)
    this.#checking = undefined
  }

  #end(way: string): void {
    const { name, log, onEnd } = this.#options
    clearTimeout(this.#checking)
    onEnd()
    const why = this.#why ?? way
    if (!this.#isClosing) log.warn({ package: name, why }, 'the process of a provider package has ended; the next request starts it again')
    const reason = this.#isClosing
      ? stopping()
      : new GatewayError('upstream_error', `The process of the package ${name} has ended (${why}).`)
    for (const end of this.#uses) end(reason)
  }
}

const stopping = () => new GatewayError('cancelled', 'The gateway is stopping.')

function startPackage({ name, log, program, heapMb }: ProcessOptions): LimitedProcess {
  try {
    const [command = '', ...args] = commandOf([process.execPath, `--max-old-space-size=${heapMb}`, fileURLToPath(program)])
    return startLimited(command, args, {
      lingerMs,
      env: environment(),
      fileBytes: mostFileBytes,
      dataBytes: nodeDataBytes + heapMb * 2 ** 20 + mostBufferBytes,
      priority: 'normal',
      onSaid: text => log.warn({ package: name }, text.trim().slice(0, longestLine)),
    })
  } catch (error) {
    throw new LostRunError('upstream_error', `The process of the package ${name} cannot be started (${wordOf(error)}).`)
  }
}

function commandOf(node: readonly string[]): string[] {
  return process.platform === 'win32' ? [...node, '1'] : ['/bin/sh', '-c', ownOutput, ...node, '3']
}

/** Returns how a process ended that the gateway has not ended. */
function wayOf({ kind, how }: ProcessEnd): string {
  return kind === 'done' ? 'it ended itself' : how
}

/** Returns the environment of this process without the gateway's own settings, some of which are
 *  secret. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GATEWAY_')))
}
