/** Where a source sends its readers on to. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress } from '@generation-gateway/kit/address-rules.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

const mostHops = 5

export interface FollowOptions {
  headers: Readonly<Record<string, string>>
  signal: AbortSignal
  /** Whether sources may send on to addresses of a private network. */
  allowPrivate: boolean
}

/** What the URL answers, over at most five redirects. Its own address is the operator's choice; of those it sends on to, none may be of this machine or a private network, and another origin sees no headers with keys.
 *  Throws `upstream_error`; what `fetch` throws; the signal's reason. */
export async function fetchFollowing(url: string, { headers, signal, allowPrivate }: FollowOptions): Promise<Response> {
  const origin = new URL(url).origin
  const bare = { accept: headers.accept ?? '*/*', 'user-agent': headers['user-agent'] ?? 'generation-gateway' }
  let at = new URL(url)
  for (let hop = 0; hop <= mostHops; hop++) {
    const isOwn = at.origin === origin
    if (!isOwn && !allowPrivate) await refusePrivate(at)
    const answer = await fetch(at, { headers: isOwn ? headers : bare, signal, redirect: 'manual' })
    const next = [301, 302, 303, 307, 308].includes(answer.status) ? answer.headers.get('location') : null
    if (next === null) return answer
    await answer.body?.cancel()
    at = target(next, at)
  }
  throw new GatewayError('upstream_error', `The source at ${new URL(url).host} sends on more than ${mostHops} times.`)
}

function target(location: string, from: URL): URL {
  const to = URL.parse(location, from)
  if (to && /^https?:$/.test(to.protocol) && to.username === '') return to
  throw new GatewayError('upstream_error', `The source at ${from.host} sends on to something that is no URL of the web.`)
}

async function refusePrivate({ hostname }: URL): Promise<void> {
  const name = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(name) ? [name] : (await lookup(name, { all: true })).map(({ address }) => address)
  if (!addresses.every(isPublicAddress))
    throw new GatewayError('upstream_error', `The source sends on to ${hostname}, an address of this machine or a private network.`)
}
