import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { constants, getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, mock, test } from 'node:test'
import type { GatewayError } from '../errors.ts'
import { orphanLifeMs } from '../testing/orphan.ts'
import { refusedProcesses } from '../testing/refused-processes.ts'
import { addIn as add, failureOf as failure, openTestPool, runIn as run } from '../testing/test-pool.ts'
import { until } from '../testing/until.ts'
import { JobEnded } from './job-ended.ts'
import type { PoolOptions } from './pool.ts'

const folder = await mkdtemp(join(tmpdir(), 'gateway-pool-'))
const outside = await mkdtemp(join(tmpdir(), 'gateway-outside-'))
after(async () => {
  await rm(folder, { recursive: true, force: true })
  await rm(outside, { recursive: true, force: true })
})

const open = (changes: Partial<PoolOptions> = {}) => openTestPool({ writable: [folder], ...changes })

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function closing(server: Server): Server & Disposable {
  return Object.assign(server, { [Symbol.dispose]: () => server.close() })
}

/** Returns the child's stack trace, as the log receives it. */
function stackOf({ cause }: GatewayError): string {
  return cause instanceof Error ? (cause.stack ?? '') : ''
}

test('a job is answered, with its progress, by a child that also serves the next job', async () => {
  await using pool = open()
  const seen: number[] = []
  const first = await pool.run({
    method: 'add',
    payload: { a: 40, b: 2 },
    signal: new AbortController().signal,
    progress: fraction => seen.push(fraction),
  })
  assert.deepEqual(seen, [0.5])
  const { sum, pid } = await add(pool)
  assert.equal(sum, 3)
  assert.deepEqual(first, { sum: 42, pid })
})

test("errors of a method reach the caller: the gateway's own unchanged, all others as internal_error", async () => {
  await using pool = open()
  const refusal = await failure(run(pool, 'refuse'))
  assert.deepEqual([refusal.code, refusal.message], ['instruction_not_followed', 'That cannot be done.'])
  const bug = await failure(run(pool, 'stumble'))
  assert.equal(bug.code, 'internal_error')
  assert.doesNotMatch(bug.message, /secret/)
  assert.match(stackOf(bug), /secret detail of a bug/)
  assert.equal((await failure(run(pool, 'no-such-method'))).code, 'internal_error')
  assert.equal((await add(pool)).sum, 3)
})

test('a crash fails only the job that ran in the child; waiting jobs run in a new child', async () => {
  await using pool = open()
  const before = await add(pool)
  for (const method of ['crash', 'leave']) {
    const jobs = [failure(run(pool, method)), add(pool), add(pool)] as const
    assert.equal((await jobs[0]).code, 'internal_error')
    assert.match((await jobs[0]).message, /ended during the job/)
    assert.equal((await jobs[1]).sum, 3)
    assert.equal((await jobs[2]).sum, 3)
  }
  assert.notEqual((await add(pool)).pid, before.pid)
})

test('a child that dies between two jobs gets no further job', async () => {
  await using pool = open()
  const { pid } = await add(pool)
  process.kill(pid, 'SIGKILL')
  await until(() => !isAlive(pid), 'the death')
  const next = await add(pool)
  assert.equal(next.sum, 3)
  assert.notEqual(next.pid, pid)
})

test('an abort ends the job at once, kills its child and makes room', async () => {
  await using pool = open()
  const { pid } = await add(pool)
  for (const method of ['hang', 'spin']) {
    const controller = new AbortController()
    const reason = new Error('cancelled')
    const job = run(pool, method, {}, controller.signal)
    const waiting = add(pool)
    controller.abort(reason)
    await assert.rejects(job, reason)
    assert.equal((await waiting).sum, 3)
  }
  assert.equal(isAlive(pid), false)
})

test('an abort removes a waiting job from the queue, and an earlier one starts nothing', async () => {
  await using pool = open()
  const holder = new AbortController()
  const held = run(pool, 'hang', {}, holder.signal)
  const controller = new AbortController()
  const waiting = run(pool, 'add', { a: 1, b: 1 }, controller.signal)
  const reason = new Error('no longer wanted')
  controller.abort(reason)
  await assert.rejects(waiting, reason)
  await assert.rejects(run(pool, 'add', {}, controller.signal), reason)
  holder.abort(reason)
  await assert.rejects(held, reason)
})

test('a job that hangs is ended after its time limit', async () => {
  await using pool = open({ jobTimeoutMs: 20_000 })
  await add(pool)
  mock.timers.enable({ apis: ['setTimeout'] })
  const hanging = failure(run(pool, 'hang'))
  mock.timers.tick(20_000)
  mock.timers.reset()
  const late = await hanging
  assert.equal(late.code, 'engine_timeout')
  assert.match(late.message, /within 20 seconds/)
  assert.equal((await add(pool)).sum, 3)
})

test('a busy child ends within seconds after the gateway was killed', async () => {
  const ms = await orphanLifeMs(new URL('../testing/pool-parent.ts', import.meta.url))
  assert.ok(ms < 20_000, `${ms.toFixed(0)} ms`)
})

test('a child cannot start threads', async () => {
  await using pool = open()
  assert.match(stackOf(await failure(run(pool, 'thread'))), /ERR_ACCESS_DENIED|restricted/)
})

test('when all children are busy and the queue is full, a job is refused as engine_busy', async () => {
  await using pool = open({ size: 2, queueLimit: 2 })
  const controller = new AbortController()
  const jobs = Array.from({ length: 4 }, () => run(pool, 'hang', {}, controller.signal))
  const refused = await failure(run(pool, 'add', { a: 1, b: 2 }))
  assert.equal(refused.code, 'engine_busy')
  assert.ok((refused.retryAfterSeconds ?? 0) >= 1)
  controller.abort(new Error('enough'))
  for (const job of jobs) await assert.rejects(job, /enough/)
  assert.equal((await add(pool)).sum, 3)
})

test('a child that has grown too large is replaced after its job, without affecting the next one', async () => {
  await using pool = open({ maxRssBytes: 300 * 2 ** 20 })
  const pids = new Set<unknown>()
  for (let round = 0; round < 4; round++) pids.add(await run(pool, 'grow', { bytes: 300 * 2 ** 20 }))
  assert.equal(pids.size, 4)
  for (const pid of pids) await until(() => !isAlive(Number(pid)), 'the end of a large child')
})

test('a job above its CPU or memory limit ends with its child, and the error names the limit; the next job is served', async () => {
  const rssBytes = 256 * 2 ** 20
  await using brief = open({ jobLimits: { cpuMs: 500, rssBytes } })
  // Filling the memory may take more than 500 ms of CPU time on a busy machine, so the limit here
  // is 10 s.
  await using patient = open({ jobLimits: { cpuMs: 10_000, rssBytes } })
  for (const [pool, method, payload, reasons] of [
    [brief, 'spin', {}, ['cpu']],
    [patient, 'fill', {}, ['memory', 'crash']],
    // `bomb` allocates all memory in one call, and `hoard` allocates it as JavaScript values. The
    // kernel or the JavaScript engine may refuse that before the watchdog checks.
    [patient, 'bomb', { bytes: 2 ** 31 }, ['memory', 'crash', 'refused']],
    [brief, 'hoard', {}, ['memory', 'crash', 'cpu']],
  ] as const) {
    const error = await failure(run(pool, method, payload))
    const reason = error instanceof JobEnded ? error.reason : 'refused'
    assert.ok((reasons as readonly string[]).includes(reason), `${method}: ${reason}: ${error.message}`)
    assert.equal((await add(pool)).sum, 3, method)
  }
})

test('CPU time is measured for each job: many short jobs share a child', async () => {
  await using pool = open({ jobLimits: { cpuMs: 1000 } })
  const pids = new Set<unknown>()
  for (let round = 0; round < 4; round++) pids.add(await run(pool, 'work', { cpuMs: 350 }))
  assert.equal(pids.size, 1)
})

test('a child that is killed from outside is distinguished from one that its job has ended', async () => {
  await using pool = open()
  const { pid } = await add(pool)
  const job = failure(run(pool, 'hang'))
  process.kill(pid, 'SIGKILL')
  const error = await job
  assert.ok(error instanceof JobEnded && error.reason === 'outside', error.message)
  const crash = await failure(run(pool, 'crash'))
  assert.ok(crash instanceof JobEnded && crash.reason === 'crash', crash.message)
})

test('a child that ends before it has begun a job is distinguished from one that the job has ended', async () => {
  const { execPath } = process
  await using missing = open({ module: new URL('./no-such-child.ts', import.meta.url) })
  const exited = await failure(run(missing, 'add'))
  assert.ok(exited instanceof JobEnded && exited.reason === 'outside', exited.message)
  assert.match(exited.message, /before the job began: it ended with code 1/)
  await using pool = open()
  process.execPath = '/no/such/node'
  const notFound = await failure(run(pool, 'add')).finally(() => {
    process.execPath = execPath
  })
  assert.ok(notFound instanceof JobEnded && notFound.reason === 'outside', notFound.message)
  assert.match(notFound.message, /before the job began: it ended with code 127/)
  assert.equal((await add(pool)).sum, 3)
})

test('a child whose channel has just broken fails its job as if it was killed from outside', async () => {
  await using pool = open()
  const { pid } = await add(pool)
  process.kill(pid, 'SIGKILL')
  // This loop blocks the event loop until the child is dead. So the pool learns of the death only
  // when it sends the job.
  while (readdirSync(`/proc/${pid}/task`).length > 1 || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) Math.random()
  const error = await failure(run(pool, 'add'))
  assert.ok(error instanceof JobEnded && error.reason === 'outside', error.message)
  assert.equal((await add(pool)).sum, 3)
})

test('a child that the system refuses to start fails its job, but not the place in the pool', async () => {
  await using pool = open()
  for (let round = 0; round < 2; round++) {
    using _refused = refusedProcesses()
    const error = await failure(run(pool, 'add'))
    assert.ok(error instanceof JobEnded && error.reason === 'outside', error.message)
    assert.match(error.message, /could not be started: spawn E2BIG/)
    pool.warm()
  }
  assert.equal((await add(pool)).sum, 3)
})

test('a child has no network, starts no process, writes only to its folders, and knows no secret of the gateway', async () => {
  process.env.GATEWAY_ADMIN_KEY = 'admin-secret'
  await using pool = open()
  let calls = 0
  using server = closing(
    createServer(socket => {
      calls += 1
      socket.destroy()
    }),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  assert.match(stackOf(await failure(run(pool, 'call', { port }))), /ERR_ACCESS_DENIED|restricted/)
  assert.equal(calls, 0)
  assert.match(stackOf(await failure(run(pool, 'spawn'))), /ERR_ACCESS_DENIED|restricted/)
  const stray = join(outside, 'stray.txt')
  assert.match(stackOf(await failure(run(pool, 'write', { file: stray }))), /ERR_ACCESS_DENIED|restricted/)
  assert.equal(existsSync(stray), false)
  const allowed = join(folder, 'allowed.txt')
  await run(pool, 'write', { file: allowed })
  assert.equal(await readFile(allowed, 'utf8'), 'from the child')
  assert.equal(await run(pool, 'read', { file: allowed }), 'from the child')
  const names = (await run(pool, 'environment')) as string[]
  assert.deepEqual(
    names.filter(name => name.startsWith('GATEWAY_')),
    [],
  )
  assert.ok(names.includes('ORT_DISABLE_TELEMETRY'))
  delete process.env.GATEWAY_ADMIN_KEY
})

test('a child leaves its compiled code for the next one, and cannot change it once it has a job', async () => {
  enableCompileCache(join(outside, 'compiled'))
  const kept = join(getCompileCacheDir() ?? '', 'engines')
  await using pool = open()
  await add(pool)
  const [versions, ...more] = await readdir(kept)
  assert.deepEqual(more, [])
  const files = await readdir(join(kept, versions ?? ''))
  assert.ok(files.length > 2, `${files.length} files`)
  for (const file of [join(kept, versions ?? '', files[0] ?? ''), join(kept, 'stray')])
    assert.match(stackOf(await failure(run(pool, 'write', { file }))), /ERR_ACCESS_DENIED|restricted/)
  await run(pool, 'write', { file: join(folder, 'allowed.txt') })
})

test('closing ends children and waiting jobs, and refuses new ones', async () => {
  const pool = open({ size: 1 })
  const { pid } = await add(pool)
  const running = failure(run(pool, 'hang'))
  const waiting = failure(run(pool, 'add', { a: 1, b: 2 }))
  await pool.close()
  assert.equal((await running).code, 'internal_error')
  assert.equal((await waiting).code, 'draining')
  assert.equal((await failure(run(pool, 'add', {}))).code, 'draining')
  assert.equal(isAlive(pid), false)
})

test('children that were started ahead serve the first jobs', async () => {
  await using pool = open({ size: 2 })
  pool.warm()
  const answers = await Promise.all([add(pool), add(pool)])
  assert.equal(new Set(answers.map(answer => answer.pid)).size, 2)
})

test('children have a lower priority than other programs, or the same one if configured', async () => {
  for (const [priority, niceness] of [
    ['low', constants.priority.PRIORITY_BELOW_NORMAL],
    ['normal', getPriority()],
  ] as const) {
    await using pool = open({ priority })
    const { pid } = await add(pool)
    assert.equal(getPriority(pid), niceness, priority)
  }
})
