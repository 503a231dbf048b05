import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextItem } from '@generation-gateway/kit/requests/text.ts'
import { textRequest } from '../../../../testing/fakes/fake-upstream-run.ts'
import { withPackageSignatures } from './package-signatures.ts'

test('a conversation of 100,000 turns takes less than 500 ms of CPU time', () => {
  const items = Array.from({ length: 100_000 }, (_, place): TextItem => {
    const role = place % 2 === 0 ? 'user' : 'assistant'
    return { type: 'message', role, parts: [{ type: 'text', text: 'x' }] }
  })
  const members = { provider_parts: [{ index: 0, type: 'call', id: 'c1' }] }
  items.push({ type: 'reasoning', summary: [], content: ['x'], carried: { members } })
  const before = process.threadCpuUsage()
  const { items: signed } = withPackageSignatures(textRequest({ items }), {
    protocol: 'messages',
    dialect: 'native',
    host: 'h',
    model: 'm',
  })
  const { user, system } = process.threadCpuUsage(before)
  assert.equal(signed.length, items.length)
  assert.ok(user + system < 500_000, `${Math.round((user + system) / 1_000)} ms`)
})
