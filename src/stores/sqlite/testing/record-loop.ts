import { callRecord, tokens } from '../../suite/samples.ts'
import { openSqliteStore } from '../open.ts'

// A program that a test kills. It records batches of calls in an endless loop, several at a time.
// After a batch was acknowledged, it prints the name of the batch, which ends with its size.
const [directory = '', prefix = ''] = process.argv.slice(2)
const store = await openSqliteStore({ directory, secretKey: Buffer.alloc(32, 7) })
const lanes = 4
const largestBatch = 300

async function recordForever(lane: number): Promise<never> {
  for (let count = 0; ; count += 1) {
    const size = 1 + ((count * 37 + lane) % largestBatch)
    const batch = `${prefix}-${lane}-${count}-${size}`
    const records = Array.from({ length: size }, (_, index) =>
      callRecord(`${batch}/${index}`, { model: `model-${index % 3}`, units: tokens(index, lane) }),
    )
    await store.recordCalls(records)
    process.stdout.write(`${batch}\n`)
  }
}

await Promise.all(Array.from({ length: lanes }, (_, lane) => recordForever(lane)))
