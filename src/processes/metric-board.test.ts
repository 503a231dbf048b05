import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metric } from '../http/metrics/metric-sums.ts'
import { MetricBoard } from './metric-board.ts'

const metrics = (requests: number, running: number): Metric[] => [
  { name: 'requests_total', help: 'Requests.', type: 'counter', aggregator: 'sum', values: [{ value: requests, labels: { path: '/a' } }] },
  { name: 'running', help: 'Tasks.', type: 'gauge', aggregator: 'sum', values: [{ value: running, labels: {} }] },
  { name: 'up', help: 'Target.', type: 'gauge', aggregator: 'min', values: [{ value: requests > 5 ? 0 : 1, labels: {} }] },
]

/** Returns the summed metrics as lines of text, without comment lines. */
async function sum(board: MetricBoard, own: Metric[], other: Metric[] | undefined): Promise<string[]> {
  const ask = (id: number): boolean => {
    if (other) board.answer(id, other)
    return other !== undefined
  }
  const text = await board.sum('n-1', own, [{ name: 'n-2', ask }])
  return text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
}

test('counters are summed and never fall when a process is missing or has ended', async () => {
  const board = new MetricBoard()
  assert.deepEqual(await sum(board, metrics(3, 1), metrics(6, 2)), [
    'requests_total{path="/a"} 9',
    'running 3',
    'up 0',
    'gateway_process_up{node="n-1"} 1',
    'gateway_process_up{node="n-2"} 1',
  ])
  const alone = ['running 1', 'up 1', 'gateway_process_up{node="n-1"} 1', 'gateway_process_up{node="n-2"} 0']
  assert.deepEqual(await sum(board, metrics(4, 1), undefined), ['requests_total{path="/a"} 10', ...alone])
  board.end('n-2')
  assert.deepEqual(await sum(board, metrics(4, 1), undefined), ['requests_total{path="/a"} 10', ...alone])
  board.end('n-2')
  assert.deepEqual((await sum(board, metrics(4, 1), metrics(1, 0)))[0], 'requests_total{path="/a"} 11')
  board.end('n-2')
  assert.deepEqual((await sum(board, metrics(5, 1), metrics(0, 0)))[0], 'requests_total{path="/a"} 12')
})
