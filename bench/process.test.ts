import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { childrenOf, descendantsOf, treeCpuSeconds, treeResidentBytes } from './process.ts'

const skip = process.platform !== 'linux'

function started(script: string): ChildProcess & { pid: number } {
  const child = spawn('bash', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  return Object.assign(child, { pid: child.pid ?? 0 })
}

test('descendants that end while they are read end no measurement, and their CPU time counts', { skip }, async () => {
  const parent = started('for n in {1..100}; do (:; :) & done; wait; bash -c "for n in {1..200000}; do :; done"; echo done; read')
  let isDone = false
  parent.stdout?.once('data', () => (isDone = true))
  while (!isDone) {
    for (let reads = 0; reads < 20; reads++) assert.ok(treeResidentBytes(parent.pid) > 0 && treeCpuSeconds(parent.pid) >= 0)
    await new Promise(setImmediate)
  }
  assert.deepEqual(descendantsOf(parent.pid), [])
  assert.ok(treeCpuSeconds(parent.pid) > 0.1, `${treeCpuSeconds(parent.pid)} s`)
  parent.kill()
})

test('a child that another thread has started is one of the process', { skip }, async () => {
  const worker = new Worker(
    "const { pid } = require('node:child_process').spawn('sleep', ['60']); require('node:worker_threads').parentPort.postMessage(pid)",
    { eval: true },
  )
  const [pid] = await once(worker, 'message')
  assert.ok(childrenOf(process.pid).includes(pid))
  process.kill(pid)
  await worker.terminate()
})
