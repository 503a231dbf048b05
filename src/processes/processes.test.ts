// Own process: stops and kills processes, and counts those that are left.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { needPostgres, type PostgresServer, startPostgres } from '../stores/postgres/testing/server.ts'
import { startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { textReply } from '../testing/fakes/fake-upstream-text.ts'
import { freePort } from '../testing/free-port.ts'
import { testAdminKey, testKey } from '../testing/gateway.ts'
import { type Program, startProgram } from '../testing/program.ts'
import { exchange, relayYaml } from '../testing/relay-gateway.ts'

const entry = fileURLToPath(new URL('../cli/gateway.ts', import.meta.url))
const submitPath = '/v1/ai/default/imgf/image/generate'
const { skip } = needPostgres(18)

describe('several processes on one machine', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  test('two processes share a port, sum up their metrics, and a killed one is restarted', async t => {
    const { program, lines, config } = await startTwo(t, server)
    const ask = async (path: string) => (await exchange(program.url + path, { method: 'GET', key: testAdminKey })).text
    const metrics = () => ask('/metrics')
    await t.test('the start is logged once, and each log line names its process', async () => {
      assert.equal(program.output().split('Listening on').length, 2)
      assert.match(program.output(), new RegExp(`^Listening on ${program.url}, 2 processes {2}\\(reference: `, 'm'))
      assert.equal(program.output().split('First start. Access key').length, 2)
      const listening = () => lines().filter(({ msg }) => msg === 'listening')
      await until(() => listening().length === 2, 'the lines of both')
      assert.deepEqual(
        listening()
          .map(({ node }) => node)
          .sort(),
        ['here-1', 'here-2'],
      )
    })

    await t.test('requests go to both processes in turn, and any of them returns the metrics of both', async () => {
      for (let time = 0; time < 20; time++) await ask('/healthz')
      await until(() => lines().filter(line => line.operation === '/healthz').length > 20, 'the lines of the requests')
      const served = Map.groupBy(
        lines().filter(line => line.operation === '/healthz'),
        ({ node }) => node,
      )
      for (const node of ['here-1', 'here-2']) assert.ok((served.get(node)?.length ?? 0) >= 8, node)
      const answered = lines().filter(line => line.operation === '/healthz').length
      for (let time = 0; time < 2; time++) {
        const seen = await metrics()
        assert.equal(metricOf(seen, 'gateway_http_request_duration_seconds_count{operation="/healthz",status="200"}'), answered)
        assert.equal(metricOf(seen, 'gateway_process_up{node="here-1"}'), 1)
        assert.equal(metricOf(seen, 'gateway_process_up{node="here-2"}'), 1)
        assert.ok(metricOf(seen, 'gateway_process_start_time_seconds') > 1e9)
      }
    })

    await t.test('metrics of the store are not multiplied', async () => {
      const key = await readFile(join(program.dataDir, 'access.key'), 'utf8')
      for (let time = 0; time < 3; time++) {
        const body = JSON.stringify({ prompt: 'x' })
        assert.equal((await exchange(program.url + submitPath, { body, key: key.trim() })).status, 200)
      }
      const jobs = async () => (await metrics()).split('\n').filter(line => /^gateway_jobs\{.*state="ready"\}/.test(line))
      // The gateway caches the number of jobs in the store for a second, so the first answer may be
      // too old.
      await until(async () => (await jobs()).join().endsWith('} 3'), 'three tasks that wait')
    })

    await t.test('both processes read a changed configuration file: at SIGHUP, and when one of them is told to', async () => {
      const inForce = (node: string) => lines().filter(line => line.node === node && line.msg === 'configuration file in force').length
      const before = inForce('here-1')
      program.process.kill('SIGHUP')
      await until(() => inForce('here-1') === before + 1 && inForce('here-2') === before + 1, 'the reload')
      assert.equal((await exchange(`${program.url}/admin/reload`, { key: testAdminKey })).status, 200)
      await until(() => inForce('here-1') === before + 2 && inForce('here-2') === before + 2, 'the reload of the other')
      await writeFile(config, 'models: 7')
      program.process.kill('SIGHUP')
      await until(() => program.output().includes('The configuration file was not taken'), 'the refusal')
      await writeFile(config, '')
      program.process.kill('SIGHUP')
      await until(() => inForce('here-1') === before + 3 && inForce('here-2') === before + 3, 'the reload of the repaired file')
      assert.equal(program.output().split('The configuration file was not taken').length, 2)
    })

    await t.test(
      'a process that hangs delays neither the metrics nor the others; when killed, it leaves no connection open and is restarted',
      async () => {
        const [hung] = childrenOf(program.process.pid)
        assert.ok(hung !== undefined)
        const before = metricOf(await metrics(), 'gateway_http_request_duration_seconds_count{operation="/healthz",status="200"}')
        process.kill(hung, 'SIGSTOP')
        // One of the four connections went to the process that hangs and gets no answer. The other
        // three are answered.
        const open = Array.from({ length: 4 }, () => connected(program.url))
        await until(() => open.filter(({ answer }) => answer() !== '').length === 3, 'three answers')
        const seen = await metrics()
        assert.equal([...seen.matchAll(/^gateway_process_up\{.*\} 0$/gm)].length, 1)
        assert.ok(metricOf(seen, 'gateway_http_request_duration_seconds_count{operation="/healthz",status="200"}') >= before)
        process.kill(hung, 'SIGKILL')
        await until(() => open.every(({ socket }) => socket.destroyed), 'the end of all connections')
        await until(
          () => !childrenOf(program.process.pid).includes(hung) && childrenOf(program.process.pid).length === 2,
          'another process',
        )
        await until(async () => !/^gateway_process_up\{.*\} 0$/m.test(await metrics()), 'metrics of the new process')
        assert.ok(
          metricOf(await metrics(), 'gateway_http_request_duration_seconds_count{operation="/healthz",status="200"}') >= before + 3,
          'counters do not fall',
        )
        const [ended] = lines().filter(({ msg }) => msg === 'a process has ended and is started again')
        assert.deepEqual([ended?.node, ended?.signal, ended?.restartInMs], ['here', 'SIGKILL', 0])
      },
    )

    await t.test('a process that gets SIGTERM alone ends in order and is replaced', async () => {
      const [member] = childrenOf(program.process.pid)
      assert.ok(member !== undefined)
      process.kill(member, 'SIGTERM')
      await until(() => lines().filter(({ msg }) => msg === 'listening').length === 4, 'two starts and two restarts')
      const [, ended] = lines().filter(({ msg }) => msg === 'a process has ended and is started again')
      assert.deepEqual([ended?.code, ended?.restartInMs], [0, 0])
    })

    await t.test('another gateway that needs the same port says so once and ends', async () => {
      const other = await run({
        ...environment(server.url),
        PORT: new URL(program.url).port,
        GATEWAY_DATA_DIR: join(program.dataDir, 'other'),
      })
      assert.equal(other.code, 1)
      assert.equal(other.output.trim(), `HOST is 127.0.0.1 and PORT is ${new URL(program.url).port}; another program listens there.`)
    })

    await t.test('Ctrl-C, which reaches every process, stops each of them once', async () => {
      const members = childrenOf(program.process.pid)
      assert.equal(members.length, 2)
      const ended = once(program.process, 'exit')
      process.kill(-(program.process.pid ?? 0), 'SIGINT')
      process.kill(-(program.process.pid ?? 0), 'SIGINT')
      assert.deepEqual(await ended, [0, null])
      assert.ok(!members.some(isRunning))
      await until(() => lines().filter(({ msg }) => msg === 'stopped').length === 3, 'the last lines')
      assert.equal(lines().filter(({ msg }) => msg === 'stopping').length, 3, 'with the one that stopped before')
    })
  })

  test('a stop lets answers end, also when the primary was killed', async t => {
    const upstream = await startFakeUpstream()
    t.after(() => upstream.close())
    let answers = Promise.withResolvers<void>()
    upstream.answer(async (response, request) => {
      await answers.promise
      await textReply(response, request)
    })
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      answers = Promise.withResolvers()
      const { program, lines } = await startTwo(t, server, { yaml: relayYaml([{ url: upstream.baseUrl }]), key: testKey })
      const members = childrenOf(program.process.pid)
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
      const before = upstream.received.length
      const chats = [1, 2].map(() => exchange(`${program.url}/v1/chat/completions`, { body }))
      await until(() => upstream.received.length === before + 2, 'both requests at the upstream')
      const ended = once(program.process, 'exit')
      program.process.kill(signal)
      await until(() => lines().filter(({ msg }) => msg === 'stopping').length === 2, 'the stop of both')
      answers.resolve()
      for (const chat of chats) assert.equal((await chat).status, 200)
      assert.deepEqual(await ended, signal === 'SIGTERM' ? [0, null] : [null, signal])
      await until(() => !members.some(isRunning), 'the end of all processes')
      await until(() => lines().filter(({ msg }) => msg === 'stopped').length === 2, 'the last lines')
    }
  })
})

test('without a database several processes are refused, with the reason', async () => {
  for (const processes of ['2', 'auto']) {
    const { code, output } = await run({ GATEWAY_PROCESSES: processes })
    assert.equal(code, 1)
    assert.equal(
      output.trim(),
      `GATEWAY_PROCESSES is ${processes}; several processes need GATEWAY_DATABASE_URL, because the embedded database belongs to one process.`,
    )
  }
})

interface Line {
  node?: string
  msg?: string
  operation?: string
  code?: number
  signal?: string
  restartInMs?: number
}

interface Two {
  program: Program & { dataDir: string }
  /** Returns the log lines so far. */
  lines(): Line[]
  /** Path of the configuration file. */
  config: string
}

/** Starts a gateway of two processes, in a process group of their own and with a new database.
 *  Without `key`, the program creates an access key. */
async function startTwo(t: TestContext, server: PostgresServer, { yaml = '', key = '' } = {}): Promise<Two> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-processes-'))
  const config = join(dataDir, 'gateway.yaml')
  await writeFile(config, yaml)
  const program = await startProgram({
    dataDir,
    port: await freePort(),
    command: [process.execPath, entry, 'serve'],
    env: {
      ...environment(await server.database()),
      GATEWAY_CONFIG: config,
      GATEWAY_ACCESS_KEY: key,
      GATEWAY_LOG_LEVEL: 'info',
      GATEWAY_ENGINE_WORKERS: '0',
    },
  })
  t.after(async () => {
    for (const pid of [program.process.pid, ...childrenOf(program.process.pid)])
      if (pid !== undefined && isRunning(pid)) process.kill(pid, 'SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  await until(() => program.output().includes('Listening on'), 'the start of both')
  const lines = () =>
    program
      .output()
      .split('\n')
      .filter(line => line.startsWith('{'))
      .map((line): Line => JSON.parse(line))
  return { program: { ...program, dataDir }, lines, config }
}

function environment(databaseUrl: string): Record<string, string> {
  return {
    GATEWAY_DATABASE_URL: databaseUrl,
    GATEWAY_SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
    GATEWAY_ADMIN_KEY: testAdminKey,
    GATEWAY_NODE_NAME: 'here',
    GATEWAY_PROCESSES: '2',
  }
}

/** Runs `serve` until it ends. */
async function run(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [entry, 'serve'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, output: out + error }
}

/** Opens a connection and sends one request for `/healthz`. */
function connected(url: string): { socket: Socket; answer(): string } {
  const { port, host } = new URL(url)
  let answer = ''
  const socket = connect(Number(port), '127.0.0.1')
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part
  })
  socket.on('error', () => {})
  socket.write(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
  return { socket, answer: () => answer }
}

function metricOf(metrics: string, name: string): number {
  const line = metrics.split('\n').find(each => each.startsWith(`${name} `))
  assert.ok(line !== undefined, `${name} is missing`)
  return Number(line.slice(name.length))
}

function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
