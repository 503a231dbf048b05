import assert from 'node:assert/strict'
import type { SearchRecord } from '@generation-gateway/kit/requests/search.ts'
import { errorReply, hangingReply, jsonReply } from '../../../testing/fakes/fake-upstream.ts'
import { driverSuite } from '../../suite/suite.ts'
import justone from './driver.ts'

const list = [
  {
    ...{ sourceName: '小红书', title: 'Green tea', url: 'https://www.xiaohongshu.com/explore/1', content: '<p>How to <b>brew</b></p>' },
    ...{ createTime: 1_780_000_000_000, author: { id: 'u1', nickname: 'Ann' } },
  },
  { sourceName: 'Weibo', url: 'https://weibo.com/2', content: 'Tea in the morning', createTime: '2026-06-01 08:00:00' },
]

driverSuite('JustOneAPI', {
  driver: justone,
  settings: (base_url, api_key) => ({ base_url, api_key }),
  capability: 'search.keyword',
  request: { keyword: 'tea', page: 1, pageSize: 10 },
  // The service reports a failed collection of records for the first try, so the driver repeats it
  // once.
  good: () => [jsonReply({ code: 301, message: 'try again' }), jsonReply({ code: 0, data: { list, nextCursor: 'n2' } })],
  check: ({ report }) => {
    // The cast is safe: reports of this capability have this type.
    const records = report.records as unknown as SearchRecord[]
    assert.deepEqual(records[0], {
      ...{ id: 'https://www.xiaohongshu.com/explore/1', platform: 'plat_c', title: 'Green tea', text: 'How to brew' },
      ...{ url: 'https://www.xiaohongshu.com/explore/1', counts: {}, publishedAt: 1_780_000_000_000, author: { name: 'Ann' } },
    })
    assert.deepEqual(
      [records[1]?.platform, records[1]?.title, records[1]?.publishedAt],
      ['weibo', 'Tea in the morning', Date.UTC(2026, 5, 1)],
    )
    assert.deepEqual([report.total, report.cursor], [2, 'n2'])
  },
  hanging: hangingReply(['never ending']),
  refusal: (status, message, headers) => errorReply(status, { message }, headers),
  failed: { replies: [jsonReply({ code: 601, message: 'no money' })], code: 'upstream_quota_exhausted' },
  polled: { leftOut: 'a search is one call' },
  outputs: { leftOut: 'a search has no files' },
  relays: { leftOut: 'the service speaks neither chat nor responses' },
})
