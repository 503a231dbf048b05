/** The load generator of the benchmark, in a process of its own. On each of its kept-alive
 *  connections, the next request is sent when the previous one was answered. It reads its job as
 *  JSON from the command line and prints its result as JSON. */
import { Pool } from 'undici'

export interface LoadJob {
  origin: string
  connections: number
  seconds: number
  method: 'GET' | 'POST'
  /** Paths that are requested in turn. */
  paths: string[]
  headers: Record<string, string>
  body?: string
}

export interface LoadResult {
  requests: number
  failures: number
  seconds: number
  /** Median of the times in ms from a request to its answer. `p99` is the time that 99 % of the
   *  answers did not exceed. */
  p50: number
  p99: number
}

if (import.meta.main) process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}'))))

async function run(job: LoadJob): Promise<LoadResult> {
  const pool = new Pool(job.origin, { connections: job.connections, pipelining: 1 })
  const latencies: number[] = []
  let failures = 0
  let next = 0
  const startedAt = performance.now()
  const endsAt = startedAt + job.seconds * 1000
  await Promise.all(
    Array.from({ length: job.connections }, async () => {
      while (performance.now() < endsAt) {
        const path = job.paths[next++ % job.paths.length] ?? '/'
        const sentAt = performance.now()
        const response = await pool.request({ method: job.method, path, headers: job.headers, body: job.body ?? null })
        await response.body.dump()
        latencies.push(performance.now() - sentAt)
        if (response.statusCode >= 300) failures += 1
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  await pool.close()
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return { requests: latencies.length, failures, seconds, p50: at(0.5), p99: at(0.99) }
}
