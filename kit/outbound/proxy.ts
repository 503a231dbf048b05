/** Proxies that an operator configures by URL, and the errors that they cause. */
import { GatewayError } from '../errors.ts'
import { authorityOf, destinationOf } from './destination.ts'

export interface ProxyAddress {
  host: string
  port: number
  /** True when the connection to the proxy itself is encrypted. */
  isTls: boolean
  /** The proxy's name in messages: `proxy.example:3128`; never contains credentials. */
  name: string
  /** Value of the header `proxy-authorization`; undefined without credentials. */
  authorization: string | undefined
}

/** Thrown when a proxy did not open a connection to the destination, or closed it before it was
 *  ready. No part of the request was sent. */
export class ProxyError extends Error {
  readonly code = 'PROXY_FAILED'
  /** The HTTP status with which the proxy refused; undefined for every other failure. */
  readonly status: number | undefined

  /** `message` is a sentence for callers, which names the proxy without its credentials. */
  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'ProxyError'
    this.status = status
  }
}

/** Returns the first `ProxyError` in the chain that consists of an error and its causes; undefined
 *  when there is none. */
export function proxyErrorBehind(error: unknown): ProxyError | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof ProxyError) return at
  return undefined
}

/** Returns the proxy of a URL such as `http://user:password@proxy.example:3128`. A URL without a
 *  scheme means http and must have a port, so that a word such as `off` is not read as the name of
 *  a host. Throws `invalid_request`, whose message names the setting and contains no
 *  credentials. */
export function proxyOf(text: string, setting: string): ProxyAddress {
  const hasScheme = text.includes('://')
  const url = hasScheme || /:\d+\/?$/.test(text) ? URL.parse(hasScheme ? text : `http://${text}`) : null
  const authorization = url === null ? undefined : authorizationOf(url)
  if (url === null || !/^https?:$/.test(url.protocol) || authorization === null) throw notAProxy(text, setting)
  const { host, port, isTls } = destinationOf(url)
  return { host, port, isTls, name: authorityOf({ host, port }), authorization }
}

function notAProxy(text: string, setting: string): GatewayError {
  // The message repeats only short values, because a longer one may be a key or a password.
  const is = /^[\w.-]{1,16}$/.test(text) ? `is ${JSON.stringify(text)}, which is` : 'is'
  const forNone = setting === 'proxy' ? 'none means no proxy' : 'leave it empty for no proxy'
  const sentence = `${setting} ${is} not the URL of an http or https proxy like http://user:password@proxy.example:3128; ${forNone}.`
  return new GatewayError('invalid_request', sentence, { field: setting })
}

/** Returns the value of the header `proxy-authorization` for the credentials in a proxy's URL;
 *  undefined without credentials, null when they are not valid percent-encoding. */
function authorizationOf({ username, password }: URL): string | undefined | null {
  if (username === '' && password === '') return undefined
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return `Basic ${Buffer.from(pair).toString('base64')}`
  } catch {
    return null
  }
}
