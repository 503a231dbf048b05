import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Demo, DemoCall } from './demo.ts'

interface Envelope {
  msg: string
  data: { title: string; hot: number }[]
}

const list = (type: number, title: string): DemoCall => ({
  id: `search-top-${type}`,
  family: 'Search',
  title,
  make: async ({ url, accessKey, output }) => {
    const startedAt = performance.now()
    const answer = await fetch(`${url}/default/search/top?type=${type}`, { headers: { authorization: `Bearer ${accessKey}` } })
    // Errors have the same envelope.
    const { msg, data } = (await answer.json()) as Envelope
    if (!answer.ok) throw new GatewayError('internal_error', msg)
    const text = data.map((entry, i) => `${i + 1}. ${entry.title} (${entry.hot})`).join('\n')
    const file = `search-top-${type}.txt`
    const bytes = Buffer.from(`${title}\n\n${text}\n`)
    await writeFile(join(output, file), bytes)
    return { file, bytes: bytes.length, text, facts: `${data.length} entries in ${((performance.now() - startedAt) / 1000).toFixed(1)} s` }
  },
})

export const searchDemo: Demo = { family: 'Search', calls: [list(2, 'A hot list (of the sample, until search has a source)')] }
