/** Starts a whole gateway inside the test process, on a free port and with an empty data folder. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import { readConfig } from '../config/settings.ts'
import type { FamilyEntry } from '../contract/family.ts'
import type { Clock } from '../core/ports/store.ts'
import { type Gateway, startGateway } from '../main.ts'
import { databaseSettings, dropDatabase } from './stores/database.ts'

export interface TestGateway {
  url: string
  dataDir: string
  gateway: Gateway
  /** Calls a path; `key: false` sends no key. */
  call(path: string, options?: CallOptions): Promise<Answer>
  /** Calls a path of the admin API. */
  admin(path: string, options?: CallOptions): Promise<Answer>
  /** Polls a task of family F1 until it has ended, and returns the last answer. */
  result(pollingUrl: string): Promise<Record<string, unknown>>
  /** Stops the gateway and keeps its data folder, so that another gateway can be started on it. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface CallOptions {
  method?: string
  body?: unknown
  /** The body as text or bytes, sent unchanged; replaces `body`. */
  raw?: string | Buffer
  key?: string | false
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  /** The parsed body of the answer; undefined when its content type is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any
  bytes: Buffer
}

export interface TestOptions {
  env?: Record<string, string>
  /** Text of the configuration file. */
  yaml?: string
  drivers?: readonly DriverSpec[]
  /** Families in addition to the program's own. */
  families?: readonly FamilyEntry[]
  clock?: Clock
  /** Interval in ms at which the gateway checks its connections. */
  checkEveryMs?: number
  /** Returns the number of free bytes that the gateway gets in place of the real one. Called
   *  with the path of the data folder. */
  freeBytes?: (dataDir: string) => number
  /** Data folder of an earlier run, on which the gateway is started again. */
  dataDir?: string
  /** Receives log lines; logging is off unless `GATEWAY_LOG_LEVEL` is set. */
  logTo?: NodeJS.WritableStream
}

export const testKey = 'sk-test-access-key-0001'
export const testAdminKey = 'admin-test-key-0001'

/** Starts a gateway. Its engines run only when `GATEWAY_ENGINE_WORKERS` is set, and even then
 *  load nothing before their first use. */
export async function startTestGateway(options: TestOptions = {}): Promise<TestGateway> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'gateway-test-')))
  const env: Record<string, string> = {
    PORT: '0',
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_ACCESS_KEY: testKey,
    GATEWAY_ADMIN_KEY: testAdminKey,
    GATEWAY_ENGINE_WORKERS: '0',
    GATEWAY_ENGINE_PRELOAD: '0',
    GATEWAY_ALLOW_PRIVATE_URLS: '1',
    GATEWAY_LOG_LEVEL: 'silent',
    GATEWAY_MIN_FREE_MB: '1',
    ...(options.env?.GATEWAY_DATABASE_URL === undefined ? await databaseSettings(dataDir) : {}),
    ...options.env,
  }
  if (options.yaml !== undefined) {
    env.GATEWAY_CONFIG = join(dataDir, 'gateway.yaml')
    await writeFile(env.GATEWAY_CONFIG, options.yaml)
  }
  const gateway = await startGateway({
    config: readConfig(env),
    env,
    ...(options.drivers ? { extraDrivers: options.drivers } : {}),
    ...(options.families ? { extraFamilies: options.families } : {}),
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.checkEveryMs ? { checkEveryMs: options.checkEveryMs } : {}),
    ...(options.logTo ? { logTo: options.logTo } : {}),
    ...(options.freeBytes ? { freeBytes: () => options.freeBytes?.(dataDir) ?? 0 } : {}),
  })
  const call = (path: string, request: CallOptions = {}) =>
    send(path.startsWith('http') ? path : gateway.url + path, { key: testKey, ...request })
  return {
    url: gateway.url,
    dataDir,
    gateway,
    call,
    admin: (path, request = {}) => call(path, { key: testAdminKey, ...request }),
    result: pollingUrl => pollUntilEnded(call, pollingUrl),
    stop: () => gateway.stop(1_000),
    [Symbol.asyncDispose]: async () => {
      await gateway.stop(0)
      await rm(dataDir, { recursive: true, force: true })
      await dropDatabase(dataDir)
    },
  }
}

async function send(url: string, { method, body, raw, key, headers }: CallOptions): Promise<Answer> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url, {
    method: method ?? (payload === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key === false || key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: typeof payload === 'string' ? payload : new Uint8Array(payload) }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined,
    bytes,
  }
}

async function pollUntilEnded(call: TestGateway['call'], pollingUrl: string): Promise<Record<string, unknown>> {
  // Polls for up to five minutes: the engines start while other tests use the same two cores.
  for (let tries = 0; tries < 6_000; tries++) {
    const { body } = await call(pollingUrl)
    if (body.status !== 'Pending') return body
    await sleep(50)
  }
  throw new Error('the task was still pending after five minutes')
}
