import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { ThisNode } from './this-node.ts'

function addressAt(host: string, address?: string): string | undefined {
  const node = new ThisNode({ name: 'a', schema: 1, startedAt: 0, databaseClock: undefined, roles: ['engines'], address })
  node.listensAt(host, 80)
  return node.facts().address
}

test('a node reports where it listens, with the name of the machine for all of its addresses', () => {
  assert.equal(addressAt('10.0.0.5'), 'http://10.0.0.5:80')
  assert.equal(addressAt('fd00::5'), 'http://[fd00::5]:80')
  assert.equal(addressAt('engines.internal'), 'http://engines.internal:80')
  for (const every of ['0.0.0.0', '::']) assert.equal(addressAt(every), `http://${hostname()}:80`)
  assert.equal(addressAt('::', 'https://engines.internal'), 'https://engines.internal')
})
