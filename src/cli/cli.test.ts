import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { errorReply, type FakeReply, type FakeUpstream, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { freePort } from '../testing/free-port.ts'
import { startTestGateway, type TestGateway, testAdminKey, testKey } from '../testing/gateway.ts'
import { type CommandRun, endOfCommand, startProgram } from '../testing/program.ts'
import { llamaCppReply, vllmReply } from '../testing/stateless-servers.ts'
import { databaseSettings, onlyEmbedded, storeContains } from '../testing/stores/database.ts'
import { type CommandHost, startCommandHost } from './testing/command-host.ts'

const dataFolder = onlyEmbedded('is about the data folder, its lock and the keys in it')
const submitPath = '/v1/ai/default/imgf/image/generate'
let gateway: TestGateway
let folder: string
let host: CommandHost
before(async () => {
  host = startCommandHost()
  gateway = await startTestGateway()
  folder = await mkdtemp(join(tmpdir(), 'gateway-cli-'))
})
after(async () => {
  await host[Symbol.asyncDispose]()
  await gateway[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command in the process that `startCommandHost` started. The environment of the command
 *  contains only the given variables, the data folder, and the variables that name the database
 *  which belongs to that data folder. */
async function run(args: string[], given: Record<string, string> = {}): Promise<CommandRun> {
  return host.run(args, await environment(given))
}

/** Runs a command like `run`, but in a process of its own, which has to end by itself. */
async function runAlone(args: string[], given: Record<string, string> = {}): Promise<CommandRun> {
  return endOfCommand(args, { env: await environment(given), timeoutMs: 180_000 })
}

async function environment(given: Record<string, string>): Promise<Record<string, string>> {
  const env = { GATEWAY_DATA_DIR: join(folder, 'data'), ...given }
  return { ...(await databaseSettings(env.GATEWAY_DATA_DIR)), ...env }
}

/** Runs a command on the data folder of the gateway that this test file keeps running. */
const ask = (...args: string[]) => run(args, asking())
const asking = () => ({ GATEWAY_DATA_DIR: gateway.dataDir, GATEWAY_ADMIN_KEY: testAdminKey })
const askJson = async (...args: string[]) => {
  const { code, out, error } = await ask(...args, '--json')
  assert.equal(code, 0, error)
  return JSON.parse(out)
}

test('help names every command and setting; an unknown command is an error that says where to look', async () => {
  const help = await runAlone(['--help'])
  assert.equal(help.code, 0)
  for (const word of ['serve', 'demo', 'doctor', 'openapi', 'keys', 'endpoints', 'tasks', 'GATEWAY_DATA_DIR', 'PORT'])
    assert.match(help.out, new RegExp(word))
  assert.deepEqual(await run([]), help)
  const unknown = await runAlone(['sreve'])
  assert.equal(unknown.code, 1)
  assert.match(unknown.error, /There is no command sreve\. Try: gateway --help/)
  const verb = await run(['keys', 'destroy'])
  assert.equal(verb.code, 1)
  assert.match(verb.error, /There is no command keys destroy[\s\S]*gateway keys create/)
  const usage = await run(['keys', '--help'])
  assert.equal(usage.code, 0)
  assert.match(usage.out, /--rate-per-minute +Requests a minute/)
})

test('a mistyped option is reported in words, without a stack', async () => {
  for (const args of [
    ['setup', '--nope'],
    ['demo', '--nope'],
    ['keys', 'create', '--nope'],
    ['keys', 'create', 'a', 'b'],
    ['keys', 'create', '--rate-per-minute', 'many'],
  ]) {
    const { code, error } = await ask(...args)
    assert.equal(code, 1, args.join(' '))
    assert.match(error, /nope|one word too many|rate_per_minute/)
    assert.doesNotMatch(error, /\n {4}at /)
  }
})

test('usage works without a verb, open lines are listed, and an unknown one cannot be settled', async () => {
  const usage = await runAlone(['usage', '--by', 'account,model'], asking())
  assert.equal(usage.code, 0, usage.error)
  assert.match((await ask('usage', 'open')).out, /No lines/)
  const settled = await ask('usage', 'settle', '--task', 'none', '--outcome', 'charge')
  assert.equal(settled.code, 1)
  assert.match(settled.error, /no open line/)
})

test('keys are created, listed and revoked through the running gateway, at once', async () => {
  const made = await askJson('keys', 'create', 'ci', '--rate-per-minute', '600', '--families', 'F1', '--expires', '2099-01-01')
  assert.match(made.secret, /^sk-/)
  assert.deepEqual([made.key.name, made.key.limits.ratePerMinute, made.key.scopes.families], ['ci', 600, ['F1']])
  const submit = () => gateway.call(submitPath, { key: made.secret, body: { prompt: 'x' } })
  assert.equal((await submit()).status, 200)
  const listed = await ask('keys', 'list')
  assert.equal(listed.code, 0)
  assert.match(listed.out, new RegExp(made.key.id))
  assert.doesNotMatch(listed.out, new RegExp(`${made.secret}|sha256`))
  assert.equal((await ask('keys', 'revoke', made.key.id)).code, 0)
  assert.equal((await submit()).status, 401)
  const missing = await ask('keys', 'revoke', 'key_none')
  assert.equal(missing.code, 1)
  assert.match(missing.error, /There is no access key key_none/)
})

test('limits of an account are set and removed', async () => {
  await askJson('accounts', 'create', 'limited', '--rate-per-minute', '5', '--concurrent-tasks', '2', '--quotas', 'images=3/day')
  const limits = async (): Promise<unknown> =>
    (await askJson('accounts', 'list')).accounts.find(({ id }: { id: string }) => id === 'limited').limits
  assert.deepEqual(await limits(), { ratePerMinute: 5, concurrentTasks: 2, quotas: [{ unit: 'images', window: 'day', atMost: 3 }] })
  assert.deepEqual((await askJson('accounts', 'limit', 'limited', '--concurrent-tasks', '4')).account.limits, { concurrentTasks: 4 })
  assert.deepEqual(await limits(), { concurrentTasks: 4 })
  assert.equal((await askJson('accounts', 'limit', 'limited')).account.limits, undefined)
  assert.equal(await limits(), undefined)
  const missing = await ask('accounts', 'limit', 'nobody')
  assert.match(missing.error, /There is no account nobody/)
})

test('endpoints are created and removed, tasks are listed, shown and cancelled', async () => {
  const made = await askJson('endpoints', 'create', 'studio', '--routes', 'F1=MaaS_ImgF_KG')
  assert.deepEqual(made.endpoint.routes, { F1: { model: 'MaaS_ImgF_KG' } })
  const { body } = await gateway.call('/v1/ai/studio/imgf/image/generate', { body: { prompt: 'x' } })
  const { tasks } = await askJson('tasks', 'list', '--limit', '1')
  assert.deepEqual([tasks[0].id, tasks[0].model, tasks[0].state], [body.id, 'MaaS_ImgF_KG', 'queued'])
  assert.equal((await askJson('tasks', 'show', body.id)).task.request.prompt, 'x')
  assert.equal((await askJson('tasks', 'cancel', body.id)).outcome, 'cancelled')
  assert.equal((await askJson('endpoints', 'remove', 'studio')).removed, 'studio')
  const refused = await ask('endpoints', 'create', 'studio', '--routes', 'F99')
  assert.equal(refused.code, 1)
  assert.match(refused.error, /There is no family F99/)
})

test('a wrong admin key is refused by the gateway with a message', dataFolder, async () => {
  const wrong = await run(['keys', 'list'], { GATEWAY_DATA_DIR: gateway.dataDir, GATEWAY_ADMIN_KEY: 'another' })
  assert.equal(wrong.code, 1)
  assert.match(wrong.error, /admin key does not fit/)
  const none = await run(['keys', 'list'], { GATEWAY_DATA_DIR: gateway.dataDir })
  assert.equal(none.code, 1)
  assert.match(none.error, /set GATEWAY_ADMIN_KEY/)
})

test('commands work on the store of a stopped gateway', dataFolder, async () => {
  const dataDir = join(folder, 'stopped')
  const offline = (...args: string[]) => run(args, { GATEWAY_DATA_DIR: dataDir })
  await using made = await startTestGateway({ dataDir })
  await made.stop()
  const first = await runAlone(['keys', 'create', 'ci', '--json'], { GATEWAY_DATA_DIR: dataDir })
  assert.equal(first.code, 0, first.error)
  const { secret, key } = JSON.parse(first.out)
  const second = await offline('keys', 'list')
  assert.equal(second.error, '')
  assert.match(second.out, new RegExp(key.id))
  await using started = await startTestGateway({ dataDir })
  // This prompt makes the request too large for the row of its task, so the request is stored as a
  // blob.
  const prompt = 'ä'.repeat(8_000)
  const { status, body } = await started.call(submitPath, { key: secret, body: { prompt } })
  assert.equal(status, 200)
  await started.stop()
  const shown = await offline('tasks', 'show', body.id, '--json')
  assert.equal(JSON.parse(shown.out).task.request.prompt, prompt)
  assert.equal((await offline('keys', 'revoke', key.id)).code, 0)
  await using again = await startTestGateway({ dataDir })
  assert.equal((await again.call(submitPath, { key: secret, body: { prompt: 'x' } })).status, 401)
})

test('commands that need a gateway of before refuse a data folder without one, and make nothing', dataFolder, async () => {
  const dataDir = join(folder, 'mistyped')
  const commands = [['accounts', 'list'], ['keys', 'create', 'ci'], ['usage'], ['migrate'], ['migrate', '--check']]
  const moving = [
    ['export', join(folder, 'exported')],
    ['backup', join(folder, 'backup')],
    ['search', 'import', join(folder, 'none.jsonl')],
  ]
  for (const args of [...commands, ...moving]) {
    const { code, out, error } = await run(args, { GATEWAY_DATA_DIR: dataDir })
    assert.equal(code, 1, `${args.join(' ')}: ${out}`)
    assert.match(error, new RegExp(`^There is no .* ${dataDir}.*GATEWAY_DATA_DIR`), args.join(' '))
    await assert.rejects(stat(dataDir), { code: 'ENOENT' }, args.join(' '))
  }
  await mkdir(dataDir)
  const empty = await run(['accounts', 'list'], { GATEWAY_DATA_DIR: dataDir })
  assert.match(empty.error, /^There is no database in the data folder/)
  assert.deepEqual(await readdir(dataDir), [])
})

test('doctor reports the prerequisites of a start, with exit code 1 when one would prevent it', dataFolder, async () => {
  const fine = await runAlone(['doctor'])
  assert.equal(fine.code, 0, fine.out)
  assert.match(fine.out, /data folder +ok .*free/)
  assert.match(fine.out, /Studio.*ready/)
  const file = join(folder, 'broken.yaml')
  await writeFile(file, 'acounts: []\n')
  const broken = await run(['doctor'], { GATEWAY_CONFIG: file })
  assert.equal(broken.code, 1)
  assert.match(broken.out, /configuration file +wrong .*line 1: acounts is not known/)
  const owned = await ask('doctor')
  assert.match(owned.out, new RegExp(`in use by process ${process.pid} at ${gateway.url}`))
  const wrongSetting = await run(['doctor'], { PORT: 'eighty' })
  assert.equal(wrongSetting.code, 1)
  assert.match(wrongSetting.error, /PORT is "eighty"; it must be a whole number from 0 to 65535/)
})

test('doctor shows the proxies and the way to each target, without credentials', async () => {
  const file = join(folder, 'ways.yaml')
  const target = (more: string) => `{ driver: openai-compatible, protocols: [chat], stateless: true, ${more} }`
  const targets = [
    target('base_url: "https://llm.example/v1"'),
    target('base_url: "https://llm.example/v1", proxy: "https://user:topsecret@own.example:8443"'),
    target('base_url: "http://127.0.0.1:1/v1"'),
    target('base_url: "https://near.example/v1"'),
  ]
  await writeFile(file, `models:\n  - { id: m, family: chat, targets: [${targets.join(', ')}] }\n`)
  const env = { GATEWAY_CONFIG: file, HTTPS_PROXY: 'http://user:topsecret@proxy.example:3128', NO_PROXY: 'near.example' }
  const { code, out, error } = await run(['doctor'], env)
  assert.equal(code, 0, out)
  assert.match(out, /outbound +ok +https by http:\/\/proxy\.example:3128 with credentials, except near\.example, URLs of callers directly/)
  assert.match(out, /m#1 +https:\/\/llm\.example +by http:\/\/proxy\.example:3128 with credentials\n/)
  assert.match(out, /m#2 +https:\/\/llm\.example +by https:\/\/own\.example:8443 with credentials\n/)
  assert.match(out, /m#3 +http:\/\/127\.0\.0\.1:1 +directly \(this machine\)\n/)
  assert.match(out, /m#4 +https:\/\/near\.example +directly\n/)
  assert.doesNotMatch(out + error, /topsecret/)
  const migration = await run(['migrate', '--check'], { GATEWAY_CA_FILE: '/nowhere.pem' })
  assert.match(migration.error, /GATEWAY_CA_FILE names \/nowhere\.pem, which cannot be read/)
  const wrong = await run(['doctor'], { GATEWAY_CA_FILE: '/nowhere.pem' })
  assert.equal(wrong.code, 1)
  assert.match(wrong.out, /outbound +wrong +GATEWAY_CA_FILE names \/nowhere\.pem, which cannot be read \(ENOENT\)/)
})

test('doctor reports for each target what is relayed, translated and emulated, and where responses are stored', async () => {
  const servers = await Promise.all([llamaCppReply, vllmReply, errorReply(503, {})].map(startOn))
  const [llama, vllm, down] = servers.map(server => `driver: openai-compatible, base_url: "${server.baseUrl}"`)
  const file = join(folder, 'targets.yaml')
  const lines = [
    `{ id: llama, family: [chat, responses], targets: [{ ${llama} }, { ${llama}, protocols: [chat] }, { ${llama}, stateless: false, dialect: openai }] }`,
    `{ id: vllm, family: responses, targets: [{ ${vllm} }, { ${down} }, { ${vllm}, api_key_env: NOBODY_SETS_THIS }] }`,
    '{ id: other, family: chat, targets: [{ driver: gateway, base_url: "http://127.0.0.1:9", api_key: sk-other-gateway }, { driver: text, file: /none.gguf }] }',
  ]
  await writeFile(file, `models:\n${lines.map(line => `  - ${line}\n`).join('')}`)
  const { code, out } = await run(['doctor'], { GATEWAY_CONFIG: file, GATEWAY_ADMIN_KEY: testAdminKey })
  await Promise.all(servers.map(server => server.close()))
  assert.equal(code, 0, out)
  const basic = 'free-text tools, allowed_tools, single tool calls, verbosity, efforts beside low, medium and high'
  for (const [target, ...cells] of [
    ['llama#1', 'chat, responses relayed; others translated to chat', 'kept here', basic],
    ['llama#2', 'chat relayed; others translated to chat', 'kept here', basic],
    ['llama#3', 'chat, responses relayed; others translated to chat', 'kept by the server'],
    ['vllm#1', 'responses relayed; others translated to responses', 'kept here', basic],
    ['vllm#2', 'responses relayed; others translated to responses', 'by the server, as it seems: it did not tell; set stateless', basic],
    ['vllm#3', 'cannot be used: The variable NOBODY_SETS_THIS is not set\\.'],
    ['other#1', 'chat, responses, messages, generate-content relayed', 'kept by the server'],
    ['other#2', 'answered here', 'kept here'],
  ])
    assert.match(out, new RegExp(`^${target} +${cells.join(' +')}$`, 'm'))
})

async function startOn(reply: FakeReply): Promise<FakeUpstream> {
  const server = await startFakeUpstream()
  server.answer(reply)
  return server
}

test('openapi prints the document that the gateway serves', async () => {
  const { code, out } = await runAlone(['openapi'])
  assert.equal(code, 0)
  assert.deepEqual(JSON.parse(out), (await gateway.call('/openapi.json')).body)
})

test('a reader that disconnects causes no failure, and an output that cannot be written is reported in a sentence', async () => {
  const program = [process.execPath, fileURLToPath(new URL('gateway.ts', import.meta.url))]
  const outputOf = async (rest: string): Promise<[out: string, error: string]> => {
    const shell = spawn('sh', ['-c', `"$0" "$1" openapi ${rest}`, ...program], { stdio: ['ignore', 'pipe', 'pipe'] })
    return Promise.all([text(shell.stdout), text(shell.stderr)])
  }
  const [out, error] = await outputOf('| head -c 10')
  assert.deepEqual([out.length, error], [10, ''])
  if (process.platform !== 'linux') return
  const [code, says] = await outputOf('> /dev/full; echo $?')
  assert.equal(code, '1\n')
  assert.match(says, /^The output cannot be written: ENOSPC[^\n]*\n$/)
})

test('a start that is impossible is reported in a sentence and leaves nothing running', dataFolder, async () => {
  const taken = new URL(gateway.url).port
  const port = await runAlone(['serve'], { PORT: taken, GATEWAY_ENGINE_WORKERS: '1', GATEWAY_DATA_DIR: join(folder, 'a') })
  assert.equal(port.code, 1)
  assert.match(port.error, new RegExp(`PORT is ${taken}; another program listens there`))
  const dataDir = await runAlone(['serve'], { PORT: '0', GATEWAY_DATA_DIR: gateway.dataDir })
  assert.equal(dataDir.code, 1)
  assert.match(dataDir.error, new RegExp(`in use by process ${process.pid}`))
  const file = join(folder, 'bad.yaml')
  await writeFile(file, 'models: 7\n')
  const yaml = await runAlone(['serve'], { PORT: '0', GATEWAY_CONFIG: file, GATEWAY_DATA_DIR: join(folder, 'b') })
  assert.equal(yaml.code, 1)
  assert.match(yaml.error, /bad\.yaml, line 1: models is 7; it must be array/)
  for (const { error } of [port, dataDir, yaml]) assert.doesNotMatch(error, /\n {4}at /)
})

test('a data folder that cannot be written is reported in a sentence by every command that needs one', dataFolder, async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  // `doctor` checks each folder as a start does. The other commands need a folder that exists, so
  // one folder each is enough for them.
  const inFile = join(file, 'x')
  const cases = [
    ...[file, inFile, '/proc/x', '/sys/x'].map(dataDir => ({ dataDir, args: ['doctor'] })),
    { dataDir: '/proc/x', args: ['serve'] },
    ...[['usage'], ['keys', 'list']].map(args => ({ dataDir: inFile, args })),
    { dataDir: file, args: ['search', 'import', file] },
  ]
  for (const { dataDir, args } of cases) {
    const given = { PORT: '0', GATEWAY_DATA_DIR: dataDir, GATEWAY_ENGINE_WORKERS: '0' }
    const { code, out, error } = await (args[0] === 'serve' ? runAlone : run)(args, given)
    assert.equal(code, 1, `${args.join(' ')} at ${dataDir}: ${out}${error}`)
    assert.match(
      `${out}${error}`,
      new RegExp(`GATEWAY_DATA_DIR is "${dataDir}", which cannot be written: `),
      `${args.join(' ')} at ${dataDir}`,
    )
    assert.doesNotMatch(error, /\n {4}at /)
  }
})

test('SIGTERM ends with code 0, SIGHUP reads the file again, and the log contains no key or prompt', { timeout: 180_000 }, async t => {
  const dataDir = join(folder, 'served')
  const file = join(folder, 'served.yaml')
  const yaml = (name: string) =>
    `accounts:\n  - { id: acme, keys: [{ name: ${name}, secret: sk-${name}-key-00000001 }], endpoints: [{ name: lab }] }\n`
  await writeFile(file, yaml('one'))
  const env = { GATEWAY_CONFIG: file, GATEWAY_LOG_LEVEL: 'trace', GATEWAY_ENGINE_WORKERS: '0' }
  const program = await startProgram({ dataDir, port: await freePort(), env })
  t.after(() => program.kill())
  const submit = (key: string, endpoint: string) =>
    fetch(`${program.url}/v1/ai/${endpoint}/imgf/image/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'a whispered prompt', webhook_url: 'http://127.0.0.1:9/?token=hush', webhook_secret: 'hook-secret' }),
    })
  assert.equal((await submit('sk-one-key-00000001', 'lab')).status, 200)
  assert.equal((await submit(testKey, 'default')).status, 200)
  assert.equal((await submit('sk-never-existed-0001', 'lab')).status, 401)
  await writeFile(file, 'accounts: 7\n')
  program.process.kill('SIGHUP')
  const written = (text: RegExp) => until(() => text.test(program.output()), `the line ${text}`)
  await written(/was not taken, the old one stays in force: .*line 1: accounts is 7/)
  assert.equal((await submit('sk-one-key-00000001', 'lab')).status, 200)
  await writeFile(file, yaml('two'))
  program.process.kill('SIGHUP')
  await written(/in force"[\s\S]*in force"/)
  assert.equal((await submit('sk-one-key-00000001', 'lab')).status, 401)
  assert.equal((await submit('sk-two-key-00000001', 'lab')).status, 200)
  assert.equal(await program.stop(), 0)
  assert.match(program.output(), /"msg":"stopped"/)
  assert.doesNotMatch(program.output(), /whispered|hush|hook-secret|sk-one|sk-two|sk-never|sk-test|admin-test/)
  for (const secret of ['sk-one-key', 'hook-secret']) assert.equal(await storeContains(dataDir, secret), false, secret)
})

test('a program whose log is no longer read still ends', { timeout: 180_000 }, async t => {
  const env = { GATEWAY_LOG_LEVEL: 'info', GATEWAY_ENGINE_WORKERS: '0' }
  const program = await startProgram({ dataDir: join(folder, 'unread'), port: await freePort(), env })
  t.after(() => program.kill())
  program.process.stdout?.destroy()
  program.process.stderr?.destroy()
  const startedAt = performance.now()
  assert.equal(await program.stop(), 0)
  assert.ok(performance.now() - startedAt < 20_000)
})
