import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeSearchDriver, type SearchLog } from '../../testing/fakes/fake-search-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const requested: SearchLog = { keyword: [], vertical: [], top: [] }

let gateway: TestGateway
before(async () => {
  const model = (name: string) => `{ id: search-${name}, family: Search, targets: [{ driver: source }] }`
  const yaml = `models: [${['keyword', 'vertical', 'top'].map(model).join(', ')}]`
  gateway = await startTestGateway({ drivers: [fakeSearchDriver('source', requested)], yaml })
})
after(() => gateway[Symbol.asyncDispose]())

async function keyword(body: object) {
  const answer = await gateway.call('/default/search/keyword', { body: { keyword: 'noodles', pageSize: 10, pageNumber: 1, ...body } })
  assertDocumented('searchKeyword', answer)
  return answer
}
async function vertical(body: object) {
  const answer = await gateway.call('/default/search/vertical-hot-list', {
    body: { type: 'Food', mediaType: 'Plat_C', timeRange: 3, ...body },
  })
  assertDocumented('searchVerticalHotList', answer)
  return answer
}
async function top(query: string) {
  const answer = await gateway.call(`/default/search/top?${query}`)
  assertDocumented('searchHotList', answer)
  return answer
}

test('keyword: a record has all fields of its platform', async () => {
  const { status, body, headers } = await keyword({})
  assert.equal(status, 200)
  assert.deepEqual([body.code, body.msg, body.requestId], [200, 'success', headers.get('x-request-id')])
  const { records, ...page } = body.data
  assert.deepEqual(page, { total: 99, pageNumber: 1, pageSize: 10 })
  const { searchId, ...first } = records[0]
  assert.deepEqual(first, {
    ...{
      id: '7301',
      infoId: 'plat_a_7301',
      mediaType: 'plat_a',
      title: 'Noodles',
      content: 'How they are made',
      contentUrl: 'https://example.org/7301',
    },
    ...{
      publishTime: '2027-01-02 11:04:05',
      playCount: 0,
      commentsCount: 2,
      likeCount: 3,
      shareCount: 4,
      favoriteCount: 5,
      followCount: 0,
    },
    ...{ authorName: 'Ann', authorAvatar: null, followersCount: '12' },
  })
  const counts = records.map((r: Record<string, number>) => [r.playCount, r.commentsCount, r.shareCount, r.favoriteCount])
  assert.deepEqual(counts, [
    [0, 2, 4, 5],
    [1, 0, 0, 0],
    [0, 2, 4, 5],
  ])
  assert.ok(records.every((r: { searchId: string }) => r.searchId === searchId && searchId !== ''))
})

test('keyword: pages are requested by searchId, which belongs to one search', async () => {
  const idOf = ({ body }: { body: { data: { records: { searchId: string }[] } } }) => body.data.records[0]!.searchId
  const first = idOf(await keyword({ searchId: '' }))
  const second = idOf(await keyword({ searchId: first, pageNumber: 2 }))
  assert.deepEqual(requested.keyword.at(-1), { keyword: 'noodles', page: 2, pageSize: 10, cursor: 'token-1' })
  assert.equal(idOf(await keyword({ searchId: second, pageNumber: '3' })), '')
  await keyword({ pageNumber: 2 })
  assert.deepEqual(requested.keyword.at(-1), { keyword: 'noodles', page: 2, pageSize: 10 })
  for (const [body, says] of [
    [{ searchId: first, keyword: 'tea' }, /belongs to another search/],
    [{ searchId: first, pageSize: 11 }, /belongs to another search/],
    [{ searchId: 'x'.repeat(100) }, /not a cursor of this gateway/],
    [{ searchId: Buffer.from('{"a":1}').toString('base64url') }, /not a cursor of this gateway/],
  ] as const) {
    const { status, body: answer } = await keyword(body)
    assert.deepEqual(
      [status, answer.code, answer.data, answer.error.code, answer.error.param],
      [400, 400, null, 'invalid_cursor', 'searchId'],
    )
    assert.match(answer.msg, says)
  }
})

test('keyword: each platform has its page sizes and sort orders, and only plat_a filters by days', async () => {
  const request = async (body: object) => {
    const { status } = await keyword(body)
    assert.equal(status, 200)
    return requested.keyword.at(-1)
  }
  const plain = { keyword: 'noodles', page: 1 }
  assert.deepEqual(await request({ mediaType: 'plat_a', sortType: '_1', publishTime: '7' }), {
    ...plain,
    pageSize: 11,
    platform: 'plat_a',
    order: '_1',
    days: 7,
  })
  assert.deepEqual(await request({ mediaType: 'PLAT_C', publishTime: 7 }), { ...plain, pageSize: 20, platform: 'plat_c' })
  assert.deepEqual(await request({ mediaType: 'plat_b', sortType: 'dm' }), { ...plain, pageSize: 30, platform: 'plat_b', order: 'dm' })
  assert.deepEqual(await request({ sortType: 'whatever', publishTime: 0 }), { ...plain, pageSize: 10 })
  const searches = requested.keyword.length
  assert.deepEqual((await keyword({ pageNumber: 51 })).body.data, { records: [], total: 0, pageNumber: 51, pageSize: 10 })
  assert.equal(requested.keyword.length, searches)
})

test('keyword: invalid fields are refused with the field, the value and the limit', async () => {
  for (const [body, says] of [
    [{ keyword: '' }, /^keyword /],
    [{ keyword: ' ' }, /^keyword /],
    [{ keyword: 'x'.repeat(101) }, /^keyword .*100/],
    [{ pageSize: 0 }, /^pageSize is 0; at least 1/],
    [{ pageSize: 31 }, /^pageSize is 31; at most 30/],
    [{ pageSize: '31' }, /^pageSize is "31"; it must be an integer from 1 to 30/],
    [{ pageSize: true }, /^pageSize is true/],
    [{ pageSize: 1.5 }, /^pageSize is 1.5/],
    [{ pageNumber: 0 }, /^pageNumber is 0/],
    [{ pageNumber: '-1' }, /^pageNumber is "-1"/],
    [{ publishTime: 2 }, /^publishTime is 2; .*0, 1, 7, 180/],
    [{ mediaType: 'plat_d' }, /^mediaType is "plat_d"; it has to be one of plat_a, plat_c, plat_b\.$/],
    [{ mediaType: 'plat_a', sortType: 'general' }, /^sortType is "general"; it has to be one of _0, _1, _2\.$/],
    [{ mediaType: 'constructor' }, /^mediaType is "constructor"/],
  ] as const) {
    const { status, body: answer } = await keyword(body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(answer.msg, says)
  }
})

test('vertical: the topic may have any case, the sums are sorted, and the age of the copy is reported', async () => {
  const { body, headers } = await vertical({ type: 'fOOD', mediaType: 'plat_a', timeRange: '7' })
  assert.deepEqual(requested.vertical.at(-1), { topic: 'food', platform: 'plat_a', days: 7 })
  assert.equal(headers.get('x-cache'), 'stale')
  assert.ok(Number(headers.get('age')) >= 0)
  assert.deepEqual(body.data[0], {
    ...{
      sum: 8,
      mediaType: 'Plat_A',
      title: 'Noodles',
      description: 'How they are made',
      thumbnail: '',
      url: 'https://example.org/7301',
      extra: '',
    },
    ...{
      hotNum: '8',
      businessTime: '2027-01-02 11:04:05',
      likeCount: 3,
      collectedCount: 5,
      commentsCount: 0,
      sharedCount: 0,
      readCount: 6,
    },
  })
  const { sum, commentsCount, sharedCount } = (await vertical({})).body.data[0]
  assert.deepEqual([sum, commentsCount, sharedCount], [14, 2, 4])
  for (const [wrong, says] of [
    [{ mediaType: 'Plat_B' }, /^mediaType is "Plat_B"; it has to be one of Plat_A, Plat_C\.$/],
    [{ type: 'Sports' }, /^type is "Sports"/],
    [{ timeRange: 2 }, /^timeRange is 2/],
  ] as const)
    assert.match((await vertical(wrong)).body.msg, says)
})

test('top: a list is found by its code, at all paths; an upstream that is down is reported', async () => {
  const { body, headers } = await top('type=14')
  assert.deepEqual(body.data, [{ title: 'One', hot: 5, url: 'https://example.org/1' }])
  assert.equal(headers.get('x-cache'), null)
  assert.deepEqual(requested.top.at(-1), { list: 14 })
  for (const path of ['/v1/ai/default/search/top?type=2', '/v1/default/search/top?type=2'])
    assert.equal((await gateway.call(path)).status, 200)
  for (const query of ['type=5', 'type=x', '', 'type=2&type=3']) assert.equal((await top(query)).status, 400, query)
  const failed = await top('type=3')
  assert.deepEqual([failed.status, failed.body.code, failed.body.data, failed.body.error.code], [502, 502, null, 'upstream_error'])
  assert.equal((await gateway.call('/default/search/top?type=2', { key: false })).status, 401)
})

test('while all sources are down, the last answer is repeated with its age for a day; a new search is an error', async () => {
  const body = { keyword: 'lighthouse', mediaType: 'plat_c' }
  const before = await keyword(body)
  await top('type=14')
  await vertical({ type: 'Beauty' })
  requested.isDown = true
  try {
    const now = await keyword(body)
    assert.deepEqual([now.status, now.headers.get('x-cache')], [200, 'stale'])
    assert.deepEqual(now.body.data, before.body.data)
    assert.ok(now.headers.get('age') !== null)
    assert.equal((await top('type=14')).headers.get('x-cache'), 'stale')
    assert.equal((await vertical({ type: 'Beauty' })).status, 200)
    assert.equal((await keyword({ ...body, keyword: 'never asked' })).status, 502)
    assert.equal((await vertical({ type: 'Automobile', timeRange: 1 })).status, 502)
  } finally {
    requested.isDown = false
  }
  assert.equal((await keyword(body)).headers.get('x-cache'), null)
})
