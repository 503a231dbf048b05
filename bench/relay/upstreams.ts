/** Starts the processes of the upstreams, and reads their counts. */

import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { nginxUpstream } from './nginx.ts'
import { assertFree, endProcess, spawnPinned, untilUp } from './spawn.ts'
import type { UpstreamStats } from './upstream.ts'

export interface Upstream {
  port: number
  /** Returns the numbers of requests and connections since the start. Requests that read these
   *  counters are not counted as requests. nginx counts their connections; the Node upstream does
   *  not. */
  counts(): Promise<{ requests: number; opened: number }>
  stop(): Promise<void>
}

export interface NodeUpstream extends Upstream {
  stats(): Promise<UpstreamStats>
}

/** Starts the upstream on core 1, on which the load generator runs as well. */
export async function startNodeUpstream(port: number): Promise<NodeUpstream> {
  await assertFree(port)
  const module = fileURLToPath(new URL('./upstream.ts', import.meta.url))
  const child = spawnPinned([process.execPath, module], { core: 1, env: { PORT: String(port) } })
  await untilUp(`http://127.0.0.1:${port}/healthz`, child)
  const stats = async () => (await (await fetch(`http://127.0.0.1:${port}/stats`)).json()) as UpstreamStats
  return { port, stats, counts: stats, stop: () => endProcess(child) }
}

export async function startNginxUpstream(port: number, folder: string): Promise<Upstream> {
  await assertFree(port)
  const child = spawnPinned(nginxUpstream({ folder, port }), { core: 1 })
  await untilUp(`http://127.0.0.1:${port}/stats`, child)
  let asked = 1
  const counts = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/stats`)).text()
    asked += 1
    const [opened = 0, , requests = 0] = /(\d+) (\d+) (\d+)/.exec(text)?.slice(1).map(Number) ?? []
    return { requests: requests - asked, opened }
  }
  return { port, counts, stop: () => endProcess(child) }
}

/** Resolves when the upstream has had no request for 300 ms, or after 5 s. After a load has
 *  ended, a server may still be working on requests that the load generator has cut off. */
export async function untilQuiet(upstream: Upstream): Promise<{ requests: number; opened: number }> {
  let last = await upstream.counts()
  for (let calm = 0, tries = 0; calm < 3 && tries < 50; tries++) {
    await sleep(100)
    const next = await upstream.counts()
    calm = next.requests === last.requests ? calm + 1 : 0
    last = next
  }
  return last
}
