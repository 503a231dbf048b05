import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextItem } from '@generation-gateway/kit/requests/text.ts'
import { leastCpuMs } from '@generation-gateway/kit/testing/cpu-time.ts'
import { textRequest } from '../../../../testing/fakes/fake-upstream-run.ts'
import { withPackageSignatures } from './package-signatures.ts'

test('a conversation of 100,000 turns takes less than 500 ms of CPU time', () => {
  const items = Array.from({ length: 100_000 }, (_, place): TextItem => {
    const role = place % 2 === 0 ? 'user' : 'assistant'
    return { type: 'message', role, parts: [{ type: 'text', text: 'x' }] }
  })
  const members = { provider_parts: [{ index: 0, type: 'call', id: 'c1' }] }
  items.push({ type: 'reasoning', summary: [], content: ['x'], carried: { members } })
  const request = textRequest({ items })
  const signed = () => withPackageSignatures(request, { protocol: 'messages', dialect: 'native', host: 'h', model: 'm' }).items
  assert.equal(signed().length, items.length)
  const took = leastCpuMs(signed, 500)
  assert.ok(took < 500, `${Math.round(took)} ms`)
})
