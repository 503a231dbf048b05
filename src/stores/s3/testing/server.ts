/** An S3 server for tests: a real one, with a temporary data folder, on 127.0.0.1 only. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../testing/free-port.ts'
import { type Guard, startGuard } from '../../postgres/testing/guard.ts'
import type { S3Bucket } from '../bucket.ts'
import { S3Client } from '../client.ts'
import { usualPatience } from '../retry.ts'
import { findS3, type S3Program } from './binaries.ts'
import { type SwiftPart, swiftKeys, writeSwift } from './swift.ts'

export { needS3 } from './binaries.ts'

export interface S3Server {
  readonly kind: S3Program['kind']
  /** Base URL of the service. */
  readonly endpoint: URL
  /** Creates a bucket, and returns it with a prefix. */
  bucket(): Promise<S3Bucket>
  /** Sends SIGKILL to all processes of the server; resolves when they have ended. */
  kill(): Promise<void>
  /** Starts the server again with the same data and address, after a `kill`. */
  restart(): Promise<void>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

const versityKeys = { accessKeyId: 'testkey', secretAccessKey: 'testsecretkey' }

/** Returns the settings of a gateway whose blobs are in the bucket. */
export function settingsFor({ bucket, prefix, endpoint, region, credentials }: S3Bucket): Record<string, string> {
  const { accessKeyId, secretAccessKey } = credentials()
  return {
    GATEWAY_BLOBS_URL: `s3://${bucket}/${prefix.replace(/\/$/, '')}?endpoint=${endpoint.origin}&region=${region}`,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  }
}

/** Starts a server and resolves when it serves requests. It ends with this process at the latest.
 *  Throws with the reason when this machine has no server. */
export async function startS3(): Promise<S3Server> {
  const found = findS3()
  if ('missing' in found) throw new Error(`No S3 server can be started: this test ${found.missing}`)
  for (let tries = 1; ; tries++) {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-s3-'))
    const parts = found.kind === 'versitygw' ? await versityParts(folder, found.path) : await swiftParts(folder)
    const server = new TestServer(found.kind, folder, parts)
    try {
      await server.restart()
      return server
    } catch (error) {
      await server.stop()
      // The start is repeated when another process took a port in the meantime.
      if (tries === 3 || !/address already in use/i.test(String(error))) throw error
    }
  }
}

async function versityParts(folder: string, program: string): Promise<SwiftPart[]> {
  const port = await freePort()
  mkdirSync(join(folder, 'data'))
  const args = ['--port', `127.0.0.1:${port}`, '--region', 'us-east-1', '--quiet', 'posix', join(folder, 'data')]
  return [{ name: 'versitygw', program, args, port }]
}

async function swiftParts(folder: string): Promise<SwiftPart[]> {
  const names = ['proxy', 'account', 'container', 'object', 'memcached'] as const
  const ports: number[] = []
  while (ports.length < names.length) {
    const port = await freePort()
    if (!ports.includes(port)) ports.push(port)
  }
  const [proxy = 0, account = 0, container = 0, object = 0, memcached = 0] = ports
  return writeSwift(folder, { proxy, account, container, object, memcached })
}

class TestServer implements S3Server {
  readonly kind: S3Program['kind']
  readonly #programs: GuardedProgram[]
  readonly #guard: Guard
  readonly #keys: typeof versityKeys
  #buckets = 0

  constructor(kind: S3Program['kind'], folder: string, parts: readonly SwiftPart[]) {
    this.kind = kind
    this.#keys = kind === 'swift' ? swiftKeys : versityKeys
    // At the end, the guard removes the folder with everything in it.
    this.#guard = startGuard(folder)
    this.#programs = parts.map(part => new GuardedProgram(folder, part))
  }

  get endpoint(): URL {
    return new URL(`http://127.0.0.1:${this.#programs.at(-1)?.port}`)
  }

  async bucket(): Promise<S3Bucket> {
    this.#buckets += 1
    const bucket: S3Bucket = {
      bucket: `test-${this.#buckets}`,
      prefix: 'in/here/',
      endpoint: this.endpoint,
      region: 'us-east-1',
      style: 'path',
      credentials: () => this.#keys,
    }
    await new S3Client(bucket, usualPatience).text({ method: 'PUT', key: '' })
    return bucket
  }

  async kill(): Promise<void> {
    await Promise.all(this.#programs.map(program => program.kill()))
  }

  async restart(): Promise<void> {
    for (const program of this.#programs) await program.start()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#programs.map(program => program.end()))
    await this.#guard.end()
  }
}

/** A program that is killed when this process ends. */
class GuardedProgram {
  readonly #part: SwiftPart
  readonly #log: string
  readonly #guard: Guard
  #child: ChildProcess | undefined

  constructor(folder: string, part: SwiftPart) {
    this.#part = part
    this.#log = join(folder, `${part.name}.log`)
    const own = join(folder, `run-${part.name}`)
    mkdirSync(own)
    this.#guard = startGuard(own)
  }

  get port(): number {
    return this.#part.port
  }

  async start(): Promise<void> {
    const child = this.#spawn()
    this.#child = child
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
    })
    // The guard ends a program that a test has forgotten.
    child.unref()
    while (!(await this.#isReady())) {
      if (this.#child !== child) throw new Error(`${this.#part.name} ended at its start:\n${readFileSync(this.#log, 'utf8').slice(-4000)}`)
      await sleep(10)
    }
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (!child) return
    child.ref()
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  async end(): Promise<void> {
    await this.kill()
    await this.#guard.end()
  }

  #spawn(): ChildProcess {
    const log = openSync(this.#log, 'w')
    // Limits of a program that shares the machine with the tests.
    const limits = { GOMAXPROCS: '2', GOMEMLIMIT: '256MiB' }
    const env = {
      PATH: process.env.PATH,
      ROOT_ACCESS_KEY: versityKeys.accessKeyId,
      ROOT_SECRET_KEY: versityKeys.secretAccessKey,
      ...limits,
    }
    try {
      return this.#guard.spawn(this.#part.program, this.#part.args, { env, log })
    } finally {
      closeSync(log)
    }
  }

  #isReady(): Promise<boolean> {
    return new Promise(resolve => {
      const socket = connect(this.#part.port, '127.0.0.1')
      socket
        .once('error', () => resolve(false))
        .once('connect', () => {
          resolve(true)
          socket.destroy()
        })
    })
  }
}
