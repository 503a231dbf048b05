// Own process: this test starts and kills programs with engines.
/** A node that was installed without engines, together with two nodes that have them. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { isOffline } from '@generation-gateway/kit/packs.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { needPack } from '../../packs/testing/need-pack.ts'
import { needPostgres } from '../../stores/postgres/testing/server.ts'
import { document } from '../../testing/documented.ts'
import { freePort } from '../../testing/free-port.ts'
import { testAdminKey, testKey } from '../../testing/gateway.ts'
import { installLean } from '../../testing/lean-install.ts'
import { sendParts } from '../../testing/multipart.ts'
import { type Program, startProgram } from '../../testing/program.ts'
import { startTestNodes, type TestNodes } from '../../testing/stores/nodes.ts'

const offline = isOffline(process.env) ? { skip: 'installs packages, and GATEWAY_OFFLINE=1 is set' } : {}
const needs = { ...needPostgres(18), ...offline }
const speech = '/v1/ai/default/audio/speech'
const slides = '/v1/ai/default/ppt'

describe('a node without engine packages', { ...needs, timeout: 900_000 }, () => {
  let folder: string
  let started: TestNodes
  let api: Program
  const engines = new Map<string, Program>()
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-lean-api-'))
    await installLean(folder)
    started = await startTestNodes(0)
    for (const name of ['engines-1', 'engines-2']) engines.set(name, await start(name, 'work,engines'))
    api = await start('api-1', 'api', [process.execPath, join(folder, 'src/cli/gateway.ts'), 'serve'])
    await until(async () => (await nodesOf('studio')).length === 2, 'both engine nodes to be known')
  })
  after(async () => {
    for (const program of [api, ...engines.values()]) await program?.kill()
    await started?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  async function start(name: string, roles: string, command?: [string, ...string[]]): Promise<Program> {
    const env = { ...started.envOf(name), GATEWAY_ROLES: roles, GATEWAY_ENGINE_WORKERS: '1', GATEWAY_ADMIN_KEY: testAdminKey }
    return startProgram({ dataDir: join(folder, `data-${name}`), port: await freePort(), env, ...(command ? { command } : {}) })
  }

  async function ask(path: string, body?: object, key = testKey) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(path.startsWith('http') ? path : api.url + path, { headers, ...sent })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    return { status: answer.status, bytes, body: isJson ? JSON.parse(bytes.toString()) : undefined }
  }

  async function nodesOf(engine: string): Promise<string[]> {
    const { engines: shown } = (await ask('/readyz', undefined, testAdminKey)).body
    return shown.find(({ id }: { id: string }) => id === engine).nodes
  }

  test('has the same description, models, voices and templates as a node with engines', async () => {
    const { paths, components } = (await ask('/openapi.json')).body
    // The two documents are compared without a message, because a printed difference would fill a
    // hundred pages.
    assert.ok(
      isDeepStrictEqual({ paths, components }, JSON.parse(JSON.stringify({ paths: document.paths, components: document.components }))),
    )
    const models = (await ask('/v1/models')).body.data
    assert.ok(models.some(({ id, available }: { id: string; available: boolean }) => id === 'MaaS_ImgF_P' && available))
    assert.ok((await ask('/v1/voices')).body.voices?.length !== 0)
    const { list } = (await ask(`${slides}/export/templates?pageNo=1&pageSize=100`)).body
    assert.equal(list.length, 16)
    const cover = await ask(list[3].cover_img)
    assert.deepEqual([cover.status, (await sharp(cover.bytes).metadata()).width], [200, 480])
  })

  test('lets an engine node draw a picture task, which is downloaded here', async () => {
    const { body } = await ask('/v1/ai/default/imgf/image/generate', { prompt: 'a red fox on a hill', width: 256, height: 256 })
    const result = await until(async () => {
      const state = (await ask(body.polling_url)).body
      return state.status === 'Pending' ? undefined : state
    }, 'the picture')
    assert.equal(result.status, 'Ready', JSON.stringify(result))
    assert.equal((await sharp((await ask(result.result.sample)).bytes).metadata()).width, 256)
  })

  test('runs speech, recognition, search and a conversation while the caller waits', { ...needPack('speech-hibari') }, async () => {
    const spoken = await ask(speech, { input: 'Good morning.', voice: 'shimmer', response_format: 'wav' })
    assert.deepEqual([spoken.status, spoken.bytes.subarray(0, 4).toString()], [200, 'RIFF'])
    assert.ok(spoken.bytes.length > 20_000)
    const found = await ask('/default/search/keyword', { keyword: 'a', pageSize: 5, pageNumber: 1 })
    assert.equal(found.status, 200, found.bytes.toString())
    const lines = (await ask('/admin/usage', undefined, testAdminKey)).body.usage
    assert.equal(lines.find(({ unit }: { unit: string }) => unit === 'characters').units, 'Good morning.'.length, 'counted once')
  })

  const ofRecognition = ['whisper-base', 'whisper-program', 'voice-activity'].map(needPack).find(({ skip }) => skip !== undefined) ?? {}
  test('sends a recording to the engine node, which transcribes it', ofRecognition, async () => {
    const file = await readFile(join(import.meta.dirname, '../../../bench/speech/human/0870.ogg'))
    const answer = await sendParts(`${api.url}/v1/audio/transcriptions`, [['file', file]])
    assert.equal(answer.status, 200, answer.bytes.toString())
    assert.match(answer.body.text, /John Dashwood had then leisure to consider/i)
  })

  test('streams a conversation from an engine node', needPack('text-135m'), async () => {
    const answer = await ask('/v1/chat/completions', {
      model: 'smollm2-135m-instruct',
      stream: true,
      max_tokens: 30,
      // With its usual sampling, this small model gives a different answer about every second time.
      temperature: 0,
      messages: [{ role: 'user', content: 'What is the capital of France?' }],
    })
    const text = answer.bytes.toString()
    assert.ok(text.split('\n\n').length > 5, text)
    assert.match(text, /Paris[\s\S]*data: \[DONE\]/)
  })

  test('has a presentation written and rendered', async () => {
    const { taskId } = (await ask(`${slides}/task`, { type: '1', title: 'How glass is made', slides: 5 })).body
    await until(async () => (await ask(`${slides}/task/${taskId}`)).body.state === 'ready', 'the content')
    const [template] = (await ask(`${slides}/export/templates?pageNo=1&pageSize=1`)).body.list
    const { exportId } = (await ask(`${slides}/export/${taskId}/${template.id}`)).body
    const { urls } = await until(async () => {
      const { body } = await ask(`${slides}/export/result/${exportId}`)
      return body.error?.code === '1223' ? undefined : body
    }, 'the files')
    assert.equal(urls?.length, 2)
    assert.equal((await ask(urls[1])).bytes.subarray(0, 4).toString(), '%PDF')
  })

  test('lets another node finish a film when its node is killed', async () => {
    const { body } = await ask('/v1/ai/default/videos', { prompt: 'a fox walks through a snowy forest', seconds: '4' })
    const states = async () => (await ask(`/v1/ai/default/videos/${body.id}`)).body
    await until(async () => (await states()).progress > 5, 'the film to be under way')
    const { nodes } = (await ask('/admin/nodes', undefined, testAdminKey)).body
    const busy = nodes.find(({ leased }: { leased: number }) => leased > 0)
    await engines.get(busy.name)?.kill()
    const other = [...engines.keys()].find(name => name !== busy.name)
    const spoken = await ask(speech, { input: 'Still here.', voice: 'shimmer' })
    assert.equal(spoken.status, 200, 'calls go to the other node at once')
    const ended = await until(async () => {
      const state = await states()
      return ['completed', 'failed'].includes(state.status) ? state : undefined
    }, 'the end of the film')
    assert.equal(ended.status, 'completed', JSON.stringify(ended))
    assert.deepEqual(await nodesOf('film'), [other])
  })
})
