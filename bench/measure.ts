import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LoadJob, LoadResult } from './load.ts'
import { cpuSeconds, type Server } from './process.ts'

const loadModule = fileURLToPath(new URL('./load.ts', import.meta.url))
export const accessKey = 'sk-bench-access-key-0001'
export const jsonHeaders = { authorization: `Bearer ${accessKey}`, 'content-type': 'application/json' }

export interface MeasuredLoad extends LoadResult {
  /** CPU time in microseconds that the server process used per request. */
  cpuMicros: number
}

/** Runs the load generator on the second core. Reads the CPU time of the server process before
 *  and after, and returns the difference per request. */
export async function measure(server: Server, job: Omit<LoadJob, 'origin'>): Promise<MeasuredLoad> {
  const before = cpuSeconds(server.pid)
  const result = await runLoad({ ...job, origin: server.url })
  const cpu = cpuSeconds(server.pid) - before
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.requests} requests failed: the round is void`)
  return { ...result, cpuMicros: (cpu * 1e6) / result.requests }
}

export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const { stdout } = await promisify(execFile)('taskset', ['-c', '1', process.execPath, loadModule, JSON.stringify(job)], {
    maxBuffer: 1 << 20,
  })
  return JSON.parse(stdout)
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Posts a body to the gateway, as a caller does. */
export async function post(url: string, body: object): Promise<{ id: string; polling_url: string }> {
  const response = await fetch(`${url}/v1/ai/default/imgf/image/generate`, {
    method: 'POST',
    headers: jsonHeaders,
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`a submit was answered with ${response.status}: ${await response.text()}`)
  return response.json() as Promise<{ id: string; polling_url: string }>
}

export async function untilReady(pollingUrl: string): Promise<{ duration: number }> {
  for (let tries = 0; tries < 2_400; tries++) {
    const { status, result, details } = (await (await fetch(pollingUrl, { headers: jsonHeaders })).json()) as {
      status: string
      result: { duration: number }
      details: unknown
    }
    if (status === 'Ready') return result
    if (status !== 'Pending') throw new Error(`a picture ended as ${status}: ${JSON.stringify(details)}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('a picture was not ready within two minutes')
}
