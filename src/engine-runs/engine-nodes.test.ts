import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minuteMs } from '@generation-gateway/kit/units.ts'
import type { NodeFacts, NodeStatus } from '../core/records/node.ts'
import { EngineNodes } from './engine-nodes.ts'

function nodeOf(name: string, facts: Partial<NodeFacts>, isAlive = true): NodeStatus {
  const whole = {
    name,
    version: '1',
    startedAt: 0,
    state: 'ready' as const,
    running: 0,
    deliveries: 0,
    schema: 1,
    address: `http://${name}`,
  }
  return { id: name, name, facts: { ...whole, ...facts }, beatAt: 0, aliveUntil: 0, isAlive, leasedJobs: 0, leasedWebhooks: 0 }
}

function setUp() {
  const clock = { at: 1_000_000, now: () => clock.at }
  const listed: { nodes: NodeStatus[]; fails?: boolean } = { nodes: [] }
  const list = async () => (listed.fails ? Promise.reject(new Error('the store is away')) : listed.nodes)
  const nodes = new EngineNodes({ nodes: { list }, clock, alarm: { failed: () => {}, worked: () => {} } })
  const see = async (...seen: NodeStatus[]) => {
    listed.nodes = seen
    await nodes.look()
  }
  return { clock, listed, nodes, see, choose: (model = 'm', ...except: string[]) => nodes.choose('studio', model, new Set(except))?.name }
}

test('a run goes to a living node that accepts work and can run the model, first to the one with the fewest runs', async () => {
  const { nodes, see, choose } = setUp()
  await see(
    nodeOf('api', { roles: ['api'] }),
    nodeOf('dead', { engines: { studio: true } }, false),
    nodeOf('drains', { engines: { studio: true }, state: 'draining' }),
    nodeOf('other', { engines: { text: true } }),
    nodeOf('lacks', { engines: { studio: { m: 'the pack is missing' } } }),
    nodeOf('broken', { engines: { studio: 'there is no ffmpeg' } }),
    nodeOf('east', { engines: { studio: true } }),
    nodeOf('west', { engines: { studio: { n: 'the pack is missing' } } }),
  )
  const [one, two] = [choose(), choose('m', 'east')]
  assert.ok(one === 'east' || one === 'west')
  assert.equal(two, 'west')
  assert.equal(choose('m', 'east', 'west'), undefined)
  const run = nodes.enter({ id: 'east', name: 'east', address: '' })
  assert.equal(choose(), 'west')
  nodes.failed({ id: 'west', name: 'west', address: '' })
  assert.equal(choose(), 'east', 'a node that was not reached is avoided')
  assert.equal(choose('m', 'east'), 'west', 'unless it is the only one')
  run[Symbol.dispose]()
  assert.deepEqual(nodes.namesOf('studio'), ['lacks', 'east', 'west'])
})

test('work is accepted while a node can do it, and for 5 minutes after the last one has ended', async () => {
  const { clock, nodes, see, listed } = setUp()
  const reason = (model = 'm') => nodes.reasonAgainst('studio', model)
  await see()
  assert.equal(reason(), undefined, 'this node has just started')
  clock.at += 5 * minuteMs
  assert.match(reason() ?? '', /No node with the role engines that has the engine studio has run within the last 5 minutes/)
  await see(nodeOf('west', { engines: { studio: { m: 'the pack is missing' } } }))
  assert.equal(reason(), 'Node west: the pack is missing')
  assert.equal(reason('n'), undefined)
  await see(nodeOf('west', { engines: { studio: true }, state: 'draining' }))
  assert.equal(reason(), undefined)
  assert.match(nodes.noNode('studio').message, /no role engines, and of the nodes that have the engine studio, all of them are draining/)
  listed.fails = true
  await nodes.look()
  assert.equal(reason(), undefined, 'the last list stays in use while the store is away')
  listed.fails = false
  await see()
  clock.at += 5 * minuteMs - 1
  assert.equal(reason(), undefined)
  clock.at += 1
  assert.notEqual(reason(), undefined)
})
