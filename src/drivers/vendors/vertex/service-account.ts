/** Reads keys of service accounts, and obtains access tokens with them (OAuth 2.0, JWT bearer
 *  grant: RFC 7523). */

import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { RouteSettings } from '@generation-gateway/kit/outbound/outbound.ts'
import { postBody } from '../../shared/upstream/post-body.ts'
import { sentBody } from '../../shared/upstream/sent-body.ts'
import type { Upstream } from '../../shared/upstream/upstream.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { baseUrlProblem, upstreamTarget } from '../../shared/upstream/upstream-target.ts'

export interface ServiceAccount {
  email: string
  keyId: string | undefined
  key: KeyObject
  tokenUri: string
  /** Proxy, certificates and time limit for connections to the token service. */
  route: RouteSettings
}

const scope = 'https://www.googleapis.com/auth/cloud-platform'
const usualTokenUri = 'https://oauth2.googleapis.com/token'
const lifeSeconds = 3600
/** Milliseconds before its expiry at which a token is renewed, so that it is still valid when a
 *  request arrives. */
const earlyMs = 5 * 60_000
const waits = { firstByteMs: 30_000, idleMs: 30_000 }
const maxAnswerBytes = 64 * 1024

/** Returns the service account in this JSON; undefined when it is not one. */
export function serviceAccountIn(json: string, route: RouteSettings): ServiceAccount | undefined {
  try {
    const { client_email, private_key, private_key_id, token_uri } = objectOf(JSON.parse(json))
    const email = textOf(client_email)
    const tokenUri = textOf(token_uri) ?? usualTokenUri
    if (email === undefined || typeof private_key !== 'string' || baseUrlProblem(tokenUri) !== undefined) return undefined
    return { email, keyId: textOf(private_key_id), key: createPrivateKey(private_key), tokenUri, route }
  } catch {
    return undefined
  }
}

export interface Tokens {
  /** Returns a token. All callers share the token of an account; it is returned again until five
   *  minutes before its expiry, and callers also share a running request for it. Throws
   *  `upstream_auth_error`, `upstream_unreachable`, `upstream_timeout`, `rate_limited`,
   *  `overloaded`, `upstream_error`. */
  of(account: ServiceAccount): Promise<string>
  /** Drops the token of an account after the service refused it, so that the next call of `of`
   *  requests a new one. */
  forget(account: ServiceAccount): void
}

interface Token {
  text: string
  endsAt: number
}

/** `now` returns Unix milliseconds. */
export function createTokens({ upstream, now }: { upstream: Upstream; now(): number }): Tokens {
  const made = new WeakMap<ServiceAccount, Promise<Token>>()
  const fresh = (account: ServiceAccount): Promise<Token> => {
    const token = makeToken(upstream, account, now())
    made.set(account, token)
    token.catch(() => {
      if (made.get(account) === token) made.delete(account)
    })
    return token
  }
  return {
    of: async account => {
      const known = made.get(account)
      if (known === undefined) return (await fresh(account)).text
      const token = await known
      if (token.endsAt - earlyMs > now()) return token.text
      // Another caller that awaited the same old token may already have requested the next one.
      const current = made.get(account)
      return (await (current === undefined || current === known ? fresh(account) : current)).text
    },
    forget: account => void made.delete(account),
  }
}

/** Requests a token. No caller's signal cuts the request, because other callers may be waiting for
 *  the same token. */
async function makeToken(upstream: Upstream, account: ServiceAccount, nowMs: number): Promise<Token> {
  const form = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: assertionOf(account, nowMs) })
  const body = sentBody({ contentType: 'application/x-www-form-urlencoded', tail: Buffer.from(form.toString()) })
  const target = upstreamTarget(account.tokenUri, { route: account.route })
  const post = { upstream, target, path: '', body, signal: new AbortController().signal, ...waits }
  try {
    return await postBody({ ...post, owner: 'the token service' }, async answer => {
      const { access_token, expires_in } = objectOf(await answer.json(maxAnswerBytes))
      const text = textOf(access_token)
      if (text === undefined) throw new GatewayError('upstream_error', 'The token service gave no access token.')
      return { text, endsAt: nowMs + (typeof expires_in === 'number' ? expires_in : lifeSeconds) * 1000 }
    })
  } catch (error) {
    const status = answerBehind(error)?.status ?? 500
    if (status >= 500 || status === 429) throw error
    throw new GatewayError('upstream_auth_error', 'The token service refused the credentials of the target.', { cause: error })
  }
}

function assertionOf({ email, keyId, key, tokenUri }: ServiceAccount, nowMs: number): string {
  const issued = Math.floor(nowMs / 1000)
  const header = { alg: 'RS256', typ: 'JWT', ...defined({ kid: keyId }) }
  const claims = { iss: email, scope, aud: tokenUri, iat: issued, exp: issued + lifeSeconds }
  const text = [header, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`
}
