/** Tests search on a gateway whose upstream is another gateway. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fakeSearchDriver, type SearchLog } from '../../../testing/fakes/fake-search-driver.ts'
import { startTestGateway, type TestGateway } from '../../../testing/gateway.ts'

const key = 'sk-inner-access-key-0001'
const names = ['keyword', 'vertical', 'top']
const models = (target: string) =>
  `models: [${names.map(name => `{ id: search-${name}, family: Search, targets: [${target}] }`).join(', ')}]`
const requested: SearchLog = { keyword: [], vertical: [], top: [] }

let inner: TestGateway
let outer: TestGateway
before(async () => {
  const drivers = [fakeSearchDriver('source', requested)]
  inner = await startTestGateway({ drivers, env: { GATEWAY_ACCESS_KEY: key }, yaml: models('{ driver: source }') })
  const target = `{ driver: gateway, base_url: "${inner.url}", api_key_env: INNER_KEY }`
  outer = await startTestGateway({ env: { INNER_KEY: key }, yaml: models(target) })
})
after(async () => {
  await outer[Symbol.asyncDispose]()
  await inner[Symbol.asyncDispose]()
})

const both = async (path: string, body?: object) =>
  Promise.all([outer.call(path, { body }), inner.call(path, { body, key })]).then(answers => answers.map(answer => answer.body))

test('records, hot lists and lists are those of the inner gateway', async () => {
  for (const body of [{}, { mediaType: 'plat_a', sortType: '_1', publishTime: 7 }, { mediaType: 'plat_c' }]) {
    const [far, near] = await both('/default/search/keyword', { keyword: 'noodles', pageSize: 10, pageNumber: 1, ...body })
    const plain = (records: object[]) => records.map(record => ({ ...record, searchId: '' }))
    assert.deepEqual(plain(far.data.records), plain(near.data.records))
    assert.equal(far.data.total, near.data.total)
  }
  const [far, near] = await both('/default/search/vertical-hot-list', { type: 'Food', mediaType: 'Plat_C', timeRange: 7 })
  assert.deepEqual(far.data, near.data)
  const [list, same] = await both('/default/search/top?type=14')
  assert.deepEqual(list.data, same.data)
})

test('pages continue with the inner cursor; age and staleness are forwarded; sources that are down there are down here', async () => {
  const page = async (pageNumber: number, searchId: string) =>
    (await outer.call('/default/search/keyword', { body: { keyword: 'tea', pageSize: 5, pageNumber, searchId } })).body.data.records[0]
      .searchId
  assert.notEqual(await page(2, await page(1, '')), '')
  assert.equal(requested.keyword.at(-1)?.cursor, 'token-1')
  const { headers } = await outer.call('/default/search/vertical-hot-list', { body: { type: 'Food', mediaType: 'Plat_A', timeRange: 1 } })
  assert.equal(headers.get('x-cache'), 'stale')
  const down = await outer.call('/default/search/top?type=3')
  assert.deepEqual([down.status, down.body.error.code], [502, 'upstream_error'])
})
