/** The facts about a started task that are stored, and the address where the task is polled. */
import { type Json, type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import { idOf } from '../../shared/upstream/read-json.ts'
import type { UpstreamTarget } from '../../shared/upstream/upstream-target.ts'
import { vendorDomain } from './settings.ts'

/** The stored facts: plain JSON without secrets. */
export type TaskHandle = {
  id: string
  /** The URL that the vendor gave; null when it gave none. */
  pollingUrl: string | null
  /** Unix milliseconds. */
  startedAt: number
}

interface PollingPlace {
  target: UpstreamTarget
  /** Path that is appended to the target's path; includes the query. */
  path: string
  /** True when the vendor named this address: a task not found there is gone. */
  isNamed: boolean
}

const maxUrlLength = 2048

/** Returns the handle of an accepted task; undefined when the answer names no task. */
export function handleOf(answer: Json, now: number): TaskHandle | undefined {
  const { id, polling_url: url } = objectOf(answer)
  const named = idOf(id)
  if (named === undefined) return undefined
  return { id: named, pollingUrl: typeof url === 'string' && url.length <= maxUrlLength ? url : null, startedAt: now }
}

/** Returns the vendor's own polling URL when the credential may be sent there, else `get_result` of
 *  the base URL. */
export function pollingPlace(base: UpstreamTarget, handle: JsonObject): PollingPlace {
  const url = typeof handle.pollingUrl === 'string' ? URL.parse(handle.pollingUrl) : null
  if (url !== null && mayHaveCredential(base, url))
    return { target: { ...base, origin: url.origin, path: '', query: '' }, path: url.pathname + url.search, isNamed: true }
  return { target: base, path: `/get_result?id=${encodeURIComponent(String(handle.id))}`, isNamed: false }
}

/** Returns true for the base URL's own origin and, when that belongs to the vendor, for the
 *  vendor's other hosts. The key of a proxy between the gateway and the vendor must not reach the
 *  vendor. */
function mayHaveCredential(base: UpstreamTarget, url: URL): boolean {
  if (url.origin === base.origin) return true
  return url.protocol === 'https:' && url.port === '' && isVendorHost(url.hostname) && isVendorHost(new URL(base.origin).hostname)
}

function isVendorHost(hostname: string): boolean {
  return hostname === vendorDomain || hostname.endsWith(`.${vendorDomain}`)
}
