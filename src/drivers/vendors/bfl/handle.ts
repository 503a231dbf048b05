/** The data about a started task that are stored with it, and the address at which the task is
 *  polled. */
import { type Json, type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import { idOf } from '../../shared/upstream/read-json.ts'
import type { UpstreamTarget } from '../../shared/upstream/upstream-target.ts'
import { vendorDomain } from './settings.ts'

/** The facts of a started task that are stored, as plain JSON without secrets. */
export type TaskHandle = {
  id: string
  /** The polling URL that the vendor's answer contained; null when it contained none. */
  pollingUrl: string | null
  /** Start of the task in Unix milliseconds. */
  startedAt: number
}

interface PollingPlace {
  target: UpstreamTarget
  /** Path that is appended to the target's path; includes the query. */
  path: string
  /** True when the address comes from the vendor's answer: when a task is not found there, the
   *  vendor no longer has it. */
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

/** Returns the polling URL from the vendor's answer when the credential may be sent there;
 *  otherwise the path `get_result` below the base URL. */
export function pollingPlace(base: UpstreamTarget, handle: JsonObject): PollingPlace {
  const url = typeof handle.pollingUrl === 'string' ? URL.parse(handle.pollingUrl) : null
  if (url !== null && mayHaveCredential(base, url))
    return { target: { ...base, origin: url.origin, path: '', query: '' }, path: url.pathname + url.search, isNamed: true }
  return { target: base, path: `/get_result?id=${encodeURIComponent(String(handle.id))}`, isNamed: false }
}

/** Returns true when the credential may be sent to this URL: it has the origin of the base URL, or
 *  both belong to the vendor. When the base URL is a proxy's, its key is the proxy's own and must
 *  not be sent to the vendor. */
function mayHaveCredential(base: UpstreamTarget, url: URL): boolean {
  if (url.origin === base.origin) return true
  return url.protocol === 'https:' && url.port === '' && isVendorHost(url.hostname) && isVendorHost(new URL(base.origin).hostname)
}

function isVendorHost(hostname: string): boolean {
  return hostname === vendorDomain || hostname.endsWith(`.${vendorDomain}`)
}
