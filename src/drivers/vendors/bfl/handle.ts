/** What is kept of a started task, and where it is looked at. */
import { type Json, type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { UpstreamTarget } from '../../shared/upstream/upstream-target.ts'
import { vendorDomain } from './settings.ts'

/** Plain JSON; holds no secret. */
export type TaskHandle = {
  id: string
  /** As the vendor gave it; null when it gave none. */
  pollingUrl: string | null
  /** Unix milliseconds. */
  startedAt: number
}

interface PollingPlace {
  target: UpstreamTarget
  /** After the target's path, with its query. */
  path: string
  /** The vendor named this very place: what it does not find there is gone. */
  isNamed: boolean
}

const maxUrlLength = 2048
const maxIdLength = 200

/** Undefined when the answer names no task. */
export function handleOf(answer: Json, now: number): TaskHandle | undefined {
  const { id, polling_url: url } = objectOf(answer)
  if (typeof id !== 'string' || id === '' || id.length > maxIdLength) return undefined
  return { id, pollingUrl: typeof url === 'string' && url.length <= maxUrlLength ? url : null, startedAt: now }
}

/** The vendor's own polling URL where the credential may go there, else `get_result` of the base URL. */
export function pollingPlace(base: UpstreamTarget, handle: JsonObject): PollingPlace {
  const url = typeof handle.pollingUrl === 'string' ? URL.parse(handle.pollingUrl) : null
  if (url !== null && mayHaveCredential(base, url))
    return { target: { ...base, origin: url.origin, path: '', query: '' }, path: url.pathname + url.search, isNamed: true }
  return { target: base, path: `/get_result?id=${encodeURIComponent(String(handle.id))}`, isNamed: false }
}

/** The base URL's own origin; or, when that is the vendor's, another host of the vendor. The key of a proxy in between is nothing to the vendor. */
function mayHaveCredential(base: UpstreamTarget, url: URL): boolean {
  if (url.origin === base.origin) return true
  return url.protocol === 'https:' && url.port === '' && isVendorHost(url.hostname) && isVendorHost(new URL(base.origin).hostname)
}

function isVendorHost(hostname: string): boolean {
  return hostname === vendorDomain || hostname.endsWith(`.${vendorDomain}`)
}
