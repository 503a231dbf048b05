import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callRecord, startedAt, tokens } from '../../suite/samples.ts'
import { openSqliteStore } from '../open.ts'

// Measures the time that a batch of 500 call records takes, without waiting for the disk: `node
// src/stores/sqlite/testing/record-bench.ts [batches]`.
const [batches = '200'] = process.argv.slice(2)
const directory = await mkdtemp(join(tmpdir(), 'gateway-records-'))
const store = await openSqliteStore({ directory, secretKey: Buffer.alloc(32, 7), synchronous: 'OFF' })
const batchSize = 500
const warmUp = 40
const whole: number[] = []
const ownThread: number[] = []
for (let batch = 0; batch < warmUp + Number(batches); batch += 1) {
  const records = Array.from({ length: batchSize }, (_, index) => {
    const number = batch * batchSize + index
    const cached = number % 5 === 0 ? { cached_input_tokens: 50 } : {}
    return callRecord(`0f8fad5b-d9cb-469f-a165-${String(number).padStart(12, '0')}`, {
      at: startedAt + number,
      keyId: `key-${number % 3}`,
      model: `model-${number % 4}`,
      units: tokens(100 + (number % 97), 20 + (number % 89), cached),
    })
  })
  const start = performance.now()
  const recorded = store.recordCalls(records)
  const handedOver = performance.now()
  await recorded
  if (batch < warmUp) continue
  whole.push(performance.now() - start)
  ownThread.push(handedOver - start)
}
await store.close()
await rm(directory, { recursive: true })
process.stdout.write(`${batches} batches of ${batchSize}: ${median(whole)} ms each, ${median(ownThread)} ms of it on the caller's thread\n`)

function median(values: number[]): string {
  return (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN).toFixed(3)
}
