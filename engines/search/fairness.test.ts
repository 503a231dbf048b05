/** A short search of one account does not wait for many searches of another account, nor for
 *  feeds. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { openEngine } from '@generation-gateway/kit/open-engine.ts'
import type { SearchKeywordResult } from '@generation-gateway/kit/requests/search.ts'
import { goodRound } from '@generation-gateway/kit/testing/good-round.ts'
import engineSpec from './driver.ts'
import { IndexStore } from './index-store.ts'

const folder = await mkdtemp(join(tmpdir(), 'search-fairness-'))
const engine = openEngine(engineSpec, { folder, cores: 1 })
const words = 'tea leaves and a kettle on the stove '.repeat(100)
const feed = JSON.stringify({
  version: 'https://jsonfeed.org/version/1.1',
  items: Array.from({ length: 1000 }, (_, i) => ({ id: `${i}`, url: `https://example.org/${i}`, title: `tea ${i}`, content_text: words })),
})
const server = createServer((_, response) => response.end(feed))
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
after(async () => {
  await engine.close()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

{
  using store = new IndexStore(join(folder, 'kept'))
  const record = { platform: 'blog', title: 'tea', text: words, url: 'https://example.org/tea', counts: {} }
  store.add([{ ...record, id: 'one' }], Date.now(), 'imported')
}

async function search(account: string, settings: JsonObject = {}): Promise<SearchKeywordResult> {
  const request = { keyword: 'tea', page: 1, pageSize: 10 }
  return (await engine.run('search.keyword', request, { account, settings })).report as SearchKeywordResult
}

test('while the records of a feed are added to the index, searches are answered', async () => {
  let feeds = 0
  const measure = async (): Promise<number[]> => {
    const own = 1 + feeds * 1000
    const settings = { sources: [{ driver: 'rss', url: `${url}${feeds}`, platform: `news_${feeds}`, every_minutes: 1440 }] }
    feeds += 1
    const totals: number[] = []
    while (totals.at(-1) !== own + 1000) totals.push((await search('b', settings)).total)
    assert.equal(totals[0], own)
    return [...new Set(totals)].filter(total => total > own && total < own + 1000)
  }
  const between = await goodRound(measure, ({ length }) => length >= 3)
  assert.ok(between.length >= 3, `${between}`)
})

test('a search beside fifty of another account waits for at most two of them', async () => {
  await search('b')
  let done = 0
  const crowd = Array.from({ length: 50 }, async () => {
    await search('a')
    done += 1
  })
  await search('a')
  const before = done
  await search('b')
  // At most two searches of the other account finish before this one: the one that was running, and
  // one more.
  assert.ok(done - before <= 2, `${done - before} of ${50 - before}`)
  await Promise.all(crowd)
})
