/** docs/adding-a-driver.md followed to the letter: its files are added to a copy of the program, its tests run there, and it makes a picture. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { type FakeReply, jsonReply, rawReply, startFakeUpstream } from '../testing/fake-upstream.ts'
import { freePort } from '../testing/free-port.ts'
import { testKey } from '../testing/gateway.ts'
import { startProgram } from '../testing/program.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const page = join(root, 'docs/adding-a-driver.md')
const block = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm
const tsc = join(root, 'node_modules/typescript/bin/tsc')

/** The program with the page's driver in it. */
let copy: string
let yaml: string
before(async () => {
  copy = await mkdtemp(join(tmpdir(), 'adding-a-driver-'))
  await cp(join(root, 'src'), join(copy, 'src'), { recursive: true })
  for (const name of await readdir(root)) if (name !== 'src' && name !== '.git') await symlink(join(root, name), join(copy, name))
  const blocks = [...(await readFile(page, 'utf8')).matchAll(block)]
  for (const [, , path, text = ''] of blocks) {
    if (path === undefined) continue
    await mkdir(dirname(join(copy, path)), { recursive: true })
    await writeFile(join(copy, path), text)
  }
  yaml = blocks.find(([, language]) => language === 'yaml')?.[3] ?? ''
  const index = join(copy, 'src/drivers/index.ts')
  const list = await readFile(index, 'utf8')
  await writeFile(index, `import acme from './acme/driver.ts'\n${list.replace('readonly DriverSpec[] = [', '$&acme, ')}`)
})
after(() => rm(copy, { recursive: true }))

test('its types are right', async () => {
  const config = join(copy, 'tsconfig.acme.json')
  const files = ['src/drivers/index.ts', 'src/drivers/acme/driver.test.ts']
  await writeFile(config, JSON.stringify({ extends: './tsconfig.json', include: files }))
  await run(process.execPath, [tsc, '--noEmit', '-p', config]).catch(error => assert.fail(error.stdout))
})

test('its tests pass', async () => {
  const file = join(copy, 'src/drivers/acme/driver.test.ts')
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', file], { env }).catch(error => assert.fail(error.stdout))
  assert.match(stdout, /^# pass [1-9]/m)
})

test('the program with it makes a picture', async () => {
  const drawn = await sharp({ create: { width: 96, height: 64, channels: 3, background: '#3366aa' } })
    .png()
    .toBuffer()
  const acme = await startFakeUpstream()
  const link = acme.baseUrl.replace('/v1', '/files/t1.png')
  let looks = 0
  const answer: FakeReply = (response, request) => {
    if (request.method === 'POST') return jsonReply({ id: 't1' }, 202)(response, request)
    if (request.path === '/files/t1.png') return rawReply(drawn)(response, request)
    return jsonReply(looks++ === 0 ? { state: 'drawing' } : { state: 'ready', url: link })(response, request)
  }
  acme.answer(answer)
  const dataDir = join(copy, 'acme-data')
  await mkdir(dataDir)
  const config = join(copy, 'acme.yaml')
  await writeFile(config, yaml.replace('https://api.acme.example/v1', acme.baseUrl))
  const program = await startProgram({
    dataDir,
    port: await freePort(),
    env: { GATEWAY_CONFIG: config, ACME_KEY: 'sk-acme-0123456789', GATEWAY_ENGINE_WORKERS: '0', GATEWAY_ALLOW_PRIVATE_URLS: '0' },
    command: [process.execPath, join(copy, 'src/cli/gateway.ts'), 'serve'],
  })
  try {
    const call = async (url: string, body?: object) => {
      const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
      const answered = await fetch(url, body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) })
      assert.equal(answered.status, 200, await answered.clone().text())
      return answered
    }
    const body = { model: 'acme-draws', prompt: 'a cat', width: 96, height: 64, seed: 7, output_format: 'png' }
    const { polling_url: poll } = Object(await (await call(`${program.url}/v1/ai/default/imgf/image/generate`, body)).json())
    let task = Object(await (await call(poll)).json())
    for (let tries = 0; task.status === 'Pending' && tries < 600; tries++) {
      await sleep(100)
      task = Object(await (await call(poll)).json())
    }
    assert.equal(task.status, 'Ready', JSON.stringify(task))
    assert.deepEqual(Buffer.from(await (await call(task.result.sample)).arrayBuffer()), drawn)
    const [submit] = acme.received
    assert.deepEqual(submit?.json, { seed: 7, model: 'acme-1', prompt: 'a cat', width: 96, height: 64, style: 'ink' })
    assert.equal(submit?.headers.authorization, 'Bearer sk-acme-0123456789')
  } finally {
    await program.stop()
    await acme.close()
  }
})
