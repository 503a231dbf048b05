import { type Demo, type DemoCall, savedText } from './demo.ts'
import { says } from './judge/words.ts'
import { call } from './post.ts'

const list = (type: number, title: string): DemoCall => ({
  id: `search-top-${type}`,
  title,
  make: async context => {
    const startedAt = performance.now()
    const answer = await call(context, `/default/search/top?type=${type}`)
    // The cast is safe: the gateway's answers have the documented shape.
    const { data } = (await answer.json()) as { data: { title: string; hot: number }[] }
    const text = data.map((entry, i) => `${i + 1}. ${entry.title} (${entry.hot})`).join('\n')
    return savedText(context, { id: `search-top-${type}`, title, text, facts: `${data.length} entries`, startedAt })
  },
  judge: says(/^1\. \S.* \(\d+\)$/m, /^10\. \S.* \(\d+\)$/m),
})

export const searchDemo: Demo = { family: 'Search', calls: [list(2, 'A hot list (of the sample, until search has a source)')] }
