/** The fairness case of search: one search, while another account runs fifty searches at the
 *  same time. The index has 20,000 records. */
import { join } from 'node:path'
import engine from '../../engines/search/driver.ts'
import { IndexStore } from '../../engines/search/index-store.ts'
import type { FairnessCase, Run } from './case.ts'

const records = 20_000
const words = 'tea leaves and a kettle on the stove '.repeat(10)
const searches = 50

export async function searchCases(folder: string): Promise<FairnessCase[]> {
  // The engine that is measured keeps its index in this folder.
  using store = new IndexStore(join(folder, 'search', 'kept'))
  const record = { platform: 'blog', title: 'tea', text: words, url: 'https://example.org/tea', counts: {} }
  store.add(
    Array.from({ length: records }, (_, index) => ({ ...record, id: String(index), title: `tea ${index}` })),
    Date.now(),
    'imported',
  )
  const short = searching('kettle 777')
  const endless: Run = async (opened, options) => {
    while (!options.signal?.aborted) {
      await searching('tea stove')(opened, options)
      options.onProgress?.(0)
    }
  }
  return [{ name: `search: one beside ${searches} at a time`, engine, long: Array.from({ length: searches }, () => endless), short }]
}

function searching(keyword: string): Run {
  return (opened, options) => opened.run('search.keyword', { keyword, page: 1, pageSize: 10 }, options)
}
