/** An S3 server for tests: a real one, with a temporary data folder, on 127.0.0.1 only. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Guard, startGuard } from '../../postgres/testing/guard.ts'
import { freeQuietPort } from '../../testing/quiet-port.ts'
import type { S3Bucket } from '../bucket.ts'
import { S3Client } from '../client.ts'
import { usualPatience } from '../retry.ts'
import { findS3 } from './binaries.ts'

export { needS3 } from './binaries.ts'

export interface S3Server {
  /** Base URL of the service. */
  readonly endpoint: URL
  readonly pid: number | undefined
  /** Creates a bucket, and returns it with a prefix. */
  bucket(): Promise<S3Bucket>
  /** Sends SIGKILL to the server; resolves when it has ended. */
  kill(): Promise<void>
  /** Starts the server again with the same data and address, after a `kill`. */
  restart(): Promise<void>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

const keys = { accessKeyId: 'testkey', secretAccessKey: 'testsecretkey' }

/** Returns the settings of a gateway whose blobs are in the bucket. */
export function settingsFor({ bucket, prefix, endpoint, region }: S3Bucket): Record<string, string> {
  return {
    GATEWAY_BLOBS_URL: `s3://${bucket}/${prefix.replace(/\/$/, '')}?endpoint=${endpoint.origin}&region=${region}`,
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  }
}

/** Starts a server and resolves when it accepts connections. It ends with this process at the
 *  latest. Throws with the reason when this machine has no server. */
export async function startS3(): Promise<S3Server> {
  const found = findS3()
  if ('missing' in found) throw new Error(`No S3 server can be started: this test ${found.missing}`)
  if (found.kind === 'swift') throw new Error('Swift is not supported yet')
  const server = new VersityServer(found.path)
  try {
    await server.start()
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}

class VersityServer implements S3Server {
  readonly #program: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'gateway-s3-'))
  readonly #guard: Guard
  #port = 0
  #buckets = 0
  #child: ChildProcess | undefined

  constructor(program: string) {
    this.#program = program
    this.#guard = startGuard(this.#folder)
    mkdirSync(join(this.#folder, 'data'))
  }

  get endpoint(): URL {
    return new URL(`http://127.0.0.1:${this.#port}`)
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  async start(): Promise<void> {
    for (let tries = 1; ; tries++) {
      this.#port = await freeQuietPort()
      try {
        return await this.restart()
      } catch (error) {
        // Another process took the port in the meantime.
        if (tries === 5 || !this.#log().includes('address already in use')) throw error
      }
    }
  }

  async bucket(): Promise<S3Bucket> {
    this.#buckets += 1
    const bucket = { bucket: `test-${this.#buckets}`, prefix: 'in/here/', endpoint: this.endpoint, region: 'us-east-1' }
    const made: S3Bucket = { ...bucket, style: 'path', credentials: () => keys }
    await new S3Client(made, usualPatience).text({ method: 'PUT', key: '' })
    return made
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  async restart(): Promise<void> {
    const child = this.#spawn()
    this.#child = child
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
    })
    // The guard ends a server that a test has forgotten.
    child.unref()
    while (!(await this.#isReady())) {
      if (this.#child !== child) throw new Error(`The S3 server ended at its start:\n${this.#log()}`)
      await sleep(10)
    }
  }

  async stop(): Promise<void> {
    await this.#end('SIGKILL')
    await this.#guard.end()
  }

  #spawn(): ChildProcess {
    const log = openSync(join(this.#folder, 'log'), 'w')
    const args = ['--port', `127.0.0.1:${this.#port}`, '--region', 'us-east-1', '--quiet', 'posix', join(this.#folder, 'data')]
    // Limits of a child that shares the machine with the tests.
    const limits = { GOMAXPROCS: '2', GOMEMLIMIT: '256MiB' }
    const env = { PATH: process.env.PATH, ROOT_ACCESS_KEY: keys.accessKeyId, ROOT_SECRET_KEY: keys.secretAccessKey, ...limits }
    try {
      return this.#guard.spawn(this.#program, args, { env, log })
    } finally {
      closeSync(log)
    }
  }

  #isReady(): Promise<boolean> {
    return new Promise(resolve => {
      const socket = connect(this.#port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child) return
    child.ref()
    child.kill(signal)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  #log(): string {
    return readFileSync(join(this.#folder, 'log'), 'utf8').slice(-4000)
  }
}
