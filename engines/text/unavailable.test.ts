/** Tests the refusals of an engine that cannot run a request at all. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { unreadableKind } from '@generation-gateway/kit/requests/refused-part.ts'
import { ask, capital, openDriver, refusal, request } from './testing/ask.ts'

const driver = openDriver()
after(() => driver.close?.())

test('inputs other than text are refused before anything runs', async () => {
  const idle = openDriver()
  const items = [{ type: 'message' as const, role: 'user' as const, parts: [{ type: 'image' as const, url: 'https://example.com/a.png' }] }]
  await assert.rejects(ask(idle, request('', { items })), refusal('invalid_request', /^This model reads no images\.$/))
  await assert.rejects(ask(idle, request('', { items })), (error: GatewayError) => unreadableKind(error) === 'image')
  await idle.close?.()
})

test('without weights the message says how to install them', async () => {
  const missing = { settings: { file: '/nonexistent/model.gguf' } }
  assert.match(driver.unusable?.(missing.settings, 'mine') ?? '', /no model file at \/nonexistent\/model\.gguf/)
  await assert.rejects(ask(driver, request(capital), missing), refusal('capability_unavailable', /no model file/))
  assert.match(driver.unusable?.({}, 'text-9000b') ?? '', /text-135m, text-1\.5b/)
})

test('a parked engine answers 503', async () => {
  const parked = openDriver(0)
  await assert.rejects(ask(parked, request(capital)), refusal('capability_unavailable', /parked/))
})
