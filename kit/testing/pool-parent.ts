/** Takes the place of the gateway in tests of the pool: starts a child that loops without end, and
 *  prints its process id. */
import { tmpdir } from 'node:os'
import { createEnginePool } from '../process/pool.ts'

const pool = createEnginePool({
  module: new URL('./pool-child.ts', import.meta.url),
  size: 1,
  queueLimit: 1,
  jobTimeoutMs: 60_000,
  maxRssBytes: 2 ** 40,
  writable: [tmpdir()],
  onLog: () => {},
})
const { signal } = new AbortController()
const child = await pool.run({ method: 'add', payload: { a: 1, b: 2 }, signal })
pool.run({ method: 'spin', payload: {}, signal, progress: () => process.stdout.write(JSON.stringify(child)) }).catch(() => {})
