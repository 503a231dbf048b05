/** Runs the program as `npm start` does, and stops it as a terminal, a supervisor or a container
 *  does. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isRunning } from '@generation-gateway/kit/testing/orphan.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { readOwner } from '../stores/sqlite/open.ts'
import { startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { textReply } from '../testing/fakes/fake-upstream-text.ts'
import { freePort } from '../testing/free-port.ts'
import { testAdminKey, testKey } from '../testing/gateway.ts'
import { type Program, startProgram } from '../testing/program.ts'
import { relayYaml } from '../testing/relay-gateway.ts'
import { onlyEmbedded } from '../testing/stores/database.ts'

const alone = onlyEmbedded('finds the process by the lock of the embedded store')
const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-npm-'))
})
after(() => rm(folder, { recursive: true, force: true }))

interface Served extends Program {
  dataDir: string
  /** Process id of the gateway, which is a descendant of npm. */
  pid: number
  /** Sends a signal to every process of the group, as a terminal does. */
  signalGroup(signal: NodeJS.Signals): void
}

async function startByNpm(t: TestContext, { command = ['npm', 'start'] as [string, ...string[]], env = {} } = {}): Promise<Served> {
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const program = await startProgram({ dataDir, port: await freePort(), command, env: { GATEWAY_ENGINE_WORKERS: '1', ...env } })
  const { pid } = JSON.parse(await readFile(join(dataDir, 'owner.json'), 'utf8'))
  const { pid: group } = program.process
  assert.ok(group !== undefined && pid !== group)
  t.after(() => {
    for (const each of [-group, pid]) {
      try {
        process.kill(each, 'SIGKILL')
      } catch {
        // The process had already ended, as the test expects.
      }
    }
  })
  return { ...program, dataDir, pid, signalGroup: signal => process.kill(-group, signal) }
}

/** Asserts that the gateway has ended, that nothing listens on its port, and that its data
 *  folder is no longer locked. */
async function assertNothingLeft({ url, dataDir, pid }: Served): Promise<void> {
  const { port, hostname } = new URL(url)
  const isRefused = await new Promise(resolve => {
    const socket = connect(Number(port), hostname, () => resolve(socket.destroy() === undefined))
    socket.once('error', () => resolve(true))
  })
  assert.deepEqual([isRefused, readOwner(dataDir), isRunning(pid)], [true, undefined, false])
}

const send = (program: Program, path: string, body: object) =>
  fetch(program.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

for (const [title, stop] of [
  ['SIGTERM to npm alone', program => program.process.kill('SIGTERM')],
  ['SIGTERM to npm and all it started, and once more from npm', program => program.signalGroup('SIGTERM')],
  ['Ctrl-C, which reaches all and is passed on by npm', program => program.signalGroup('SIGINT')],
] satisfies [string, (program: Served) => unknown][]) {
  test(`npm start: ${title} lets the current answer end and leaves nothing behind`, { timeout: 300_000, ...alone }, async t => {
    const upstream = await startFakeUpstream()
    t.after(() => upstream.close())
    const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>()
    upstream.answer(async (response, request) => {
      await mayAnswer
      await textReply(response, request)
    })
    const file = join(folder, 'models.yaml')
    await writeFile(file, relayYaml([{ url: upstream.baseUrl }]))
    const program = await startByNpm(t, { env: { GATEWAY_CONFIG: file, GATEWAY_LOG_LEVEL: 'info' } })
    const ended = new Promise(resolve => program.process.once('exit', (code, signal) => resolve([code, signal])))
    const answer = send(program, '/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
    await until(() => upstream.received.length > 0, 'the request at the upstream')
    stop(program)
    await until(() => /"msg":"stopping"/.test(program.output()), 'the stop')
    letAnswer()
    assert.equal((await answer).status, 200)
    assert.deepEqual(await ended, [0, null])
    await assertNothingLeft(program)
  })
}

async function metrics(program: Program): Promise<string> {
  return (await fetch(`${program.url}/metrics`, { headers: { authorization: `Bearer ${testAdminKey}` } })).text()
}

test('a picture that is being drawn when Ctrl-C reaches every process is finished', { timeout: 300_000, ...alone }, async t => {
  const program = await startByNpm(t)
  const ended = new Promise(resolve => program.process.once('exit', resolve))
  const draw = async (): Promise<string> => {
    const body = { prompt: 'a fox in a forest, watercolor', width: 256, height: 256 }
    return ((await (await send(program, '/v1/ai/default/imgf/image/generate', body)).json()) as { id: string }).id
  }
  // The first picture starts the engine process. Without it, the signal would reach an engine
  // process that is still starting, and the task would be returned to the queue instead of
  // finished.
  const first = await draw()
  const stateOf = async (id: string) => {
    const answer = await fetch(`${program.url}/v1/tasks/${id}`, { headers: { authorization: `Bearer ${testKey}` } })
    return ((await answer.json()) as { state: string }).state
  }
  await until(async () => (await stateOf(first)) === 'succeeded', 'the first picture')
  const areRunning = async (count: number) => new RegExp(`^gateway_tasks_running ${count}$`, 'm').test(await metrics(program))
  await until(() => areRunning(0), 'the end of the first run')
  let id = await draw()
  // The store may say that a task is `running` before a worker draws the picture. If the signal
  // came then, the task would be returned to the queue. So the test waits for the count of running
  // tasks in the metrics. If the picture was finished before the test saw that count, another
  // picture is drawn.
  await until(async () => {
    if (await areRunning(1)) return true
    if ((await stateOf(id)) === 'succeeded') id = await draw()
    return false
  }, 'the start of the drawing')
  program.signalGroup('SIGINT')
  assert.equal(await ended, 0)
  await assertNothingLeft(program)
  const shown = spawnSync(process.execPath, ['src/cli/gateway.ts', 'tasks', 'show', id, '--json'], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', GATEWAY_DATA_DIR: program.dataDir },
  })
  assert.equal(JSON.parse(shown.stdout).task.state, 'succeeded', shown.stderr)
})

test('a gateway stops when its npm is killed', { timeout: 300_000, ...alone }, async t => {
  const program = await startByNpm(t)
  await program.kill()
  await until(() => !isRunning(program.pid), 'the end of the gateway')
  assert.equal(existsSync(join(program.dataDir, 'owner.json')), false, 'it ended in order')
  await assertNothingLeft(program)
})

test('a gateway stops when its launcher is killed', { timeout: 300_000, ...alone }, async t => {
  const program = await startByNpm(t, { command: [process.execPath, 'bin/gateway.js', 'serve'] })
  await program.kill()
  await until(() => !isRunning(program.pid), 'the end of the gateway')
  await assertNothingLeft(program)
})

const hasScript = spawnSync('script', ['--version']).status === 0
for (const [title, line] of [
  ['npm start', 'npm start'],
  ['the command itself', `${process.execPath} src/cli/gateway.ts serve`],
] as const) {
  test(`closing the terminal of ${title} stops the gateway`, {
    timeout: 300_000,
    skip: !hasScript && 'there is no script(1)',
    ...alone,
  }, async t => {
    const program = await startByNpm(t, { command: ['script', '-qfc', line, '/dev/null'] })
    await program.kill()
    await until(() => !isRunning(program.pid), 'the end of the gateway')
    assert.equal(existsSync(join(program.dataDir, 'owner.json')), false, 'it ended in order')
    await assertNothingLeft(program)
  })
}

test('a second SIGINT, seconds after the first, ends a gateway that still waits for an answer', { timeout: 300_000, ...alone }, async t => {
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  upstream.answer(() => new Promise(() => {}))
  const file = join(folder, 'stuck.yaml')
  await writeFile(file, relayYaml([{ url: upstream.baseUrl }]))
  const program = await startByNpm(t, { env: { GATEWAY_CONFIG: file, GATEWAY_LOG_LEVEL: 'info' } })
  const ended = new Promise(resolve => program.process.once('exit', resolve))
  const answer = send(program, '/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }).catch(() => 'cut')
  await until(() => upstream.received.length > 0, 'the request at the upstream')
  program.signalGroup('SIGINT')
  await until(() => /"msg":"stopping"/.test(program.output()), 'the stop')
  const timer = setInterval(() => program.process.kill('SIGINT'), 400)
  t.after(() => clearInterval(timer))
  assert.equal(await ended, 130)
  assert.equal(await answer, 'cut')
  await assertNothingLeft(program)
})

test('npm run demo stops with npm, and removes its data folder', { timeout: 300_000 }, async t => {
  const temporary = join(folder, 'temporary')
  await mkdir(temporary)
  const child = spawn('npm', ['run', 'demo', '--', '--family', 'F1', '--out', join(folder, 'demo')], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The compile cache is switched off: npm in its newer versions would write its own into the
    // folder for temporary files, where this test looks for files left behind.
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      TMPDIR: temporary,
      GATEWAY_OFFLINE: '1',
      NODE_DISABLE_COMPILE_CACHE: '1',
    },
  })
  const { pid } = child
  assert.ok(pid !== undefined)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text))
  const ended = new Promise(resolve => child.once('close', resolve))
  t.after(() => isRunning(pid) && process.kill(-pid, 'SIGKILL'))
  const url = await until(() => /running on (http:\S+)/.exec(said)?.[1], 'the start of the demo')
  child.kill('SIGTERM')
  assert.equal(await ended, 1)
  assert.match(said, /\nStopped\. The results made so far are in the output folder\.\n/)
  assert.deepEqual(await readdir(temporary), [])
  await assert.rejects(fetch(url))
})
