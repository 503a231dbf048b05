/** The child process for tests of the pool: succeeds, fails or misbehaves, as the method says. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { GatewayError } from '../errors.ts'
import { serveEngine } from '../process/child.ts'

const kept: Buffer[] = []

serveEngine({
  add: async ({ a, b }: { a: number; b: number }, { progress, tell }) => {
    progress(0.5)
    tell({ type: 'event', event: a })
    return { sum: a + b, pid: process.pid }
  },
  refuse: async () => {
    throw new GatewayError('instruction_not_followed', 'That cannot be done.')
  },
  stumble: async () => {
    throw new TypeError('secret detail of a bug')
  },
  /** Works in pieces and reports each one when it is done. */
  pieces: async ({ count }: { count: number }, { tell, giveWay }) => {
    for (let piece = 0; piece < count; piece++) {
      if (piece > 0) await giveWay()
      const until = performance.now() + 5
      while (performance.now() < until) Math.random()
      tell(piece)
    }
    return process.pid
  },
  crash: async () => process.abort(),
  leave: async () => process.exit(3),
  hang: async () => new Promise(resolve => setInterval(resolve, 2 ** 30)),
  spin: async (_: unknown, { progress }) => {
    progress(0)
    for (;;) Math.random()
  },
  grow: async ({ bytes }: { bytes: number }) => {
    kept.push(Buffer.alloc(bytes, 1))
    return process.pid
  },
  fill: async () => {
    for (;;) kept.push(Buffer.alloc(4 * 2 ** 20, 1))
  },
  bomb: async ({ bytes }: { bytes: number }) => Buffer.alloc(bytes, 1).length,
  hoard: async () => {
    const all: unknown[] = []
    for (;;) all.push({ at: all.length })
  },
  work: async ({ cpuMs }: { cpuMs: number }) => {
    const used = ({ user, system } = process.cpuUsage()) => (user + system) / 1000
    const end = used() + cpuMs
    while (used() < end) Math.random()
    return process.pid
  },
  environment: async () => Object.keys(process.env),
  call: async ({ port }: { port: number }) =>
    new Promise<string>((resolve, reject) => {
      connect(port, '127.0.0.1', () => resolve('connected')).on('error', reject)
    }),
  write: async ({ file }: { file: string }) => writeFileSync(file, 'from the child'),
  read: async ({ file }: { file: string }) => readFileSync(file, 'utf8'),
  thread: async () => new Worker('', { eval: true }).threadId,
  spawn: async () => String(spawnSync('true').error ?? 'started'),
})
