/** Tests that conversations with large stored turns can be continued, listed and read. */
import assert from 'node:assert/strict'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fakeTextDriver } from '../../testing/fakes/fake-text-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { path, words } from './testing/start-model.ts'

const MiB = 2 ** 20
const otherKey = 'sk-other-account-01'
const yaml = `models: [{ id: fake, family: responses, targets: [{ driver: fake-text }] }]
accounts:
  - id: other
    keys: [{ name: k, secret: ${otherKey} }]
    endpoints: [{ name: default, routes: { responses: {} } }]
`

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ drivers: [fakeTextDriver('fake-text', () => words('Seen.'))], yaml })
})
after(() => gateway[Symbol.asyncDispose]())

/** Creates a response to ten pictures in data URLs, which have this size together, and returns its
 *  id. */
async function created(mebibytes: number, fields: { previous_response_id?: string } = {}): Promise<string> {
  const picture = { type: 'input_image', image_url: `data:image/png;base64,${'A'.repeat((mebibytes * MiB) / 10)}` }
  const input = [{ role: 'user', content: Array.from({ length: 10 }, () => picture) }]
  const { status, body } = await gateway.call(path, { body: { model: 'fake', input, ...fields } })
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}

test('a conversation above the limit cannot be continued or listed, the refusal names the limit, and its turns can be read', async () => {
  const first = await created(40)
  const second = await created(50, { previous_response_id: first })
  const sentence = `The conversation up to '${second}' has 91 MB; at most 80 MB can be continued or listed.`
  const continued = await gateway.call(path, { body: { model: 'fake', input: 'And?', previous_response_id: second } })
  assert.deepEqual([continued.status, continued.body.error.message, continued.body.error.param], [400, sentence, 'previous_response_id'])
  const listed = await gateway.call(`${path}/${second}/input_items?limit=1`)
  assert.deepEqual([listed.status, listed.body.error.message, listed.body.error.param], [400, sentence, 'response_id'])
  assert.equal((await gateway.call(`${path}/${second}`)).status, 200)
  assert.equal((await gateway.call(`${path}/${first}/input_items?limit=1`)).status, 200)
})

test('conversations at the limit that one account lists many times do not delay another account', async () => {
  const first = await created(39.5)
  const second = await created(40, { previous_response_id: first })
  const mine = await gateway.call(path, { key: otherKey, body: { model: 'fake', input: 'x'.repeat(100_000) } })
  assert.equal(mine.status, 200, JSON.stringify(mine.body))
  const ended: string[] = []
  const list = async (id: string, key: string | undefined, name: string): Promise<void> => {
    const { status, body } = await gateway.call(`${path}/${id}/input_items`, key === undefined ? {} : { key })
    assert.deepEqual([status, body.data.at(-1)?.role], [200, 'user'])
    ended.push(name)
  }
  const large = Array.from({ length: 8 }, () => list(second, undefined, 'large'))
  await Promise.race(large)
  await list(mine.body.id, otherKey, 'small')
  await Promise.all(large)
  assert.ok(ended.indexOf('small') <= 5, ended.join(' '))
})

test('a page reads only the turns of its items: when a turn is lost, pages without it are still listed', async () => {
  const ids: string[] = []
  for (const name of ['one', 'two', 'three', 'four']) {
    const previous = ids.at(-1)
    const input = [{ role: 'user', content: name.padEnd(20_000) }]
    const { status, body } = await gateway.call(path, {
      body: { model: 'fake', input, ...(previous ? { previous_response_id: previous } : {}) },
    })
    assert.equal(status, 200, JSON.stringify(body))
    ids.push(body.id)
  }
  const list = (query: string) => gateway.call(`${path}/${ids.at(-1)}/input_items?${query}`)
  const { data } = (await list('order=asc')).body
  await loseContent('two')
  const page = async (query: string) => {
    const { status, body } = await list(query)
    return status === 200
      ? [body.data.map(({ id }: { id: string }) => data.findIndex((item: { id: string }) => item.id === id)), body.has_more]
      : status
  }
  assert.deepEqual(await page('limit=1'), [[6], true])
  assert.deepEqual(await page('limit=2'), [[6, 5], true])
  assert.deepEqual(await page('order=asc&limit=1'), [[0], true])
  assert.deepEqual(await page(`limit=1&after=${data[6].id}`), [[5], true])
  assert.deepEqual(await page(`order=asc&limit=5&after=${data[4].id}`), [[5, 6], false])
  assert.deepEqual(await page(`limit=5&before=${data[5].id}`), [[6], false])
  assert.deepEqual(await page(`order=asc&limit=1&before=${data[6].id}`), [[5], true])
  assert.deepEqual(await page(`order=asc&after=${data[4].id}&before=${data[6].id}`), [[5], false])
  assert.deepEqual(await page(`after=${data[4].id}&before=${data[6].id}`), [[], false])
  assert.equal(await page('limit=4'), 410)
  assert.equal(await page(`after=msg_${'0'.repeat(56)}`), 400)
})

test('an answer of the model is not lost while the blobs cannot be reached, and is read and continued then and later', async () => {
  const blobs = join(gateway.dataDir, 'blobs')
  const input = 'A long question. '.repeat(6_000)
  const answers = []
  await rename(blobs, `${blobs}-away`)
  try {
    answers.push(await gateway.call(path, { body: { model: 'fake', input } }))
    const previous_response_id = answers[0]?.body.id
    answers.push(await gateway.call(path, { body: { model: 'fake', input, previous_response_id } }))
  } finally {
    await rename(`${blobs}-away`, blobs)
  }
  for (const { status, body } of answers) {
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual((await gateway.call(`${path}/${body.id}`)).body, body)
    const { data } = (await gateway.call(`${path}/${body.id}/input_items?limit=1`)).body
    assert.equal(data[0].content[0].text, input)
  }
})

/** Deletes the stored content of the response whose input begins with this text. */
async function loseContent(text: string): Promise<void> {
  const files = await readdir(gateway.dataDir, { recursive: true, withFileTypes: true })
  for (const { parentPath, name } of files.filter(file => file.isFile())) {
    const file = join(parentPath, name)
    const start = (await readFile(file)).toString('latin1', 0, 1_000)
    if (start.startsWith('{"input"') && start.includes(`"${text} `)) await rm(file)
  }
}
