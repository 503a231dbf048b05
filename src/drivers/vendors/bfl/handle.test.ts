import assert from 'node:assert/strict'
import { test } from 'node:test'
import { upstreamTarget } from '../../shared/upstream/upstream-target.ts'
import { handleOf, pollingPlace } from './handle.ts'

const headers = { headers: { 'x-key': 'bfl_secret' } }
const vendor = upstreamTarget('https://api.bfl.ai/v1', headers)
const proxy = upstreamTarget('http://127.0.0.1:8000/bfl/v1?team=a', headers)

function placeOf(base: typeof vendor, pollingUrl: string | null): [url: string, isNamed: boolean] {
  const { target, path, isNamed } = pollingPlace(base, { id: 'a b', pollingUrl, startedAt: 0 })
  assert.deepEqual(target.headers, base.headers)
  return [target.origin + target.path + path, isNamed]
}

test('a task is polled where the vendor says, on any host of the vendor', () => {
  for (const host of ['api.bfl.ai', 'api.eu2.bfl.ai', 'bfl.ai']) {
    const url = `https://${host}/v1/get_result?id=t&cluster=4`
    assert.deepEqual(placeOf(vendor, url), [url, true])
  }
})

test('no other place gets the credential: the task is polled at the base URL', () => {
  const own = ['https://api.bfl.ai/v1/get_result?id=a%20b', false]
  for (const url of [
    'http://api.eu.bfl.ai/v1/get_result?id=t',
    'https://api.eu.bfl.ai:8443/v1/get_result?id=t',
    'https://evilbfl.ai/v1/get_result?id=t',
    'https://api.bfl.ai.evil.example/v1/get_result?id=t',
    'https://api.bfl.ai@evil.example/v1/get_result?id=t',
    'ftp://api.bfl.ai/v1/get_result',
    '//api.eu.bfl.ai/x',
    '',
    null,
  ])
    assert.deepEqual(placeOf(vendor, url), own, String(url))
})

test('the key of a proxy is sent only to the proxy', () => {
  const own = ['http://127.0.0.1:8000/bfl/v1/get_result?id=a%20b', false]
  assert.deepEqual(placeOf(proxy, 'https://api.bfl.ai/v1/get_result?id=t'), own)
  assert.deepEqual(placeOf(proxy, 'http://127.0.0.1:8001/v1/get_result?id=t'), own)
  assert.deepEqual(placeOf(proxy, 'http://127.0.0.1:8000/else/get_result?id=t'), ['http://127.0.0.1:8000/else/get_result?id=t', true])
})

test('a handle has the id, and the URL if there is one; an answer without an id has no handle', () => {
  assert.deepEqual(handleOf({ id: 't', polling_url: 'https://x', cost: 4 }, 9), { id: 't', pollingUrl: 'https://x', startedAt: 9 })
  assert.deepEqual(handleOf({ id: 't', status: 'Pending', webhook_url: 'https://w' }, 9), { id: 't', pollingUrl: null, startedAt: 9 })
  assert.deepEqual(handleOf({ id: 't', polling_url: `https://${'x'.repeat(2048)}` }, 9), { id: 't', pollingUrl: null, startedAt: 9 })
  for (const answer of [{}, { id: '' }, { id: 7 }, { id: 'x'.repeat(201) }, [], null, 'id']) assert.equal(handleOf(answer, 9), undefined)
})
