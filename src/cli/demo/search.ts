import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Demo, DemoCall } from './demo.ts'
import { says } from './judge/words.ts'
import { checked } from './post.ts'

const list = (type: number, title: string): DemoCall => ({
  id: `search-top-${type}`,
  family: 'Search',
  title,
  make: async ({ url, accessKey, output }) => {
    const startedAt = performance.now()
    const answer = await fetch(`${url}/default/search/top?type=${type}`, { headers: { authorization: `Bearer ${accessKey}` } })
    // The gateway's own answer, in the shape that the interface documents.
    const { data } = (await (await checked(answer)).json()) as { data: { title: string; hot: number }[] }
    const text = data.map((entry, i) => `${i + 1}. ${entry.title} (${entry.hot})`).join('\n')
    const file = `search-top-${type}.txt`
    const bytes = Buffer.from(`${title}\n\n${text}\n`)
    await writeFile(join(output, file), bytes)
    return { file, bytes: bytes.length, text, facts: `${data.length} entries in ${((performance.now() - startedAt) / 1000).toFixed(1)} s` }
  },
  judge: says(/^1\. \S.* \(\d+\)$/m, /^10\. \S.* \(\d+\)$/m),
})

export const searchDemo: Demo = { family: 'Search', calls: [list(2, 'A hot list (of the sample, until search has a source)')] }
