import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, errorCatalogue, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { DemoContext } from './demo.ts'

/** Posts to a path of the endpoint `default` and returns the JSON answer. Throws the error of the
 *  gateway. */
export async function post<Answer>(...call: Parameters<typeof postForText>): Promise<Answer> {
  // The cast is safe: the gateway's answers have the documented shape.
  return JSON.parse(await postForText(...call)) as Answer
}

/** Posts to a path of the endpoint `default` and returns the body of the answer as text. Throws
 *  like `post`. */
export async function postForText(context: DemoContext, path: string, body: Record<string, unknown>, version = 'v1'): Promise<string> {
  return (await postJson(context, `/${version}/ai/default/${path}`, body)).text()
}

/** Posts a JSON body and returns the response. Throws like `post`. */
export function postJson(context: DemoContext, path: string, body: Record<string, unknown>): Promise<Response> {
  return call(context, path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

/** Sends a request with the access key to a path or URL of the gateway and returns the response.
 *  Throws like `post`. */
export async function call({ url, accessKey }: DemoContext, path: string, request: RequestInit = {}): Promise<Response> {
  const headers = { ...request.headers, authorization: `Bearer ${accessKey}` }
  return checked(await fetch(new URL(path, url), { ...request, headers }))
}

/** Fetches a signed link, which needs no access key, and returns the response. Throws like
 *  `post`. */
export async function follow(link: string): Promise<Response> {
  return checked(await fetch(link))
}

async function checked(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  const { error } = (await answer.json()) as { error?: { code?: string; gateway_code?: string; message?: string } }
  // Families whose error codes are not the gateway's also send the gateway's code, as
  // `gateway_code`.
  const reported = error?.gateway_code ?? error?.code ?? ''
  const code: ErrorCode = reported in errorCatalogue ? (reported as ErrorCode) : 'upstream_error'
  throw new GatewayError(code, error?.message ?? `The call was answered with ${answer.status}.`)
}

/** Polls the URL until `read` returns a value for the answer. Throws the errors of `read`, and
 *  `upstream_timeout` after two minutes. */
export async function poll<Body, Found>({ accessKey }: DemoContext, url: string, read: (body: Body) => Found | undefined): Promise<Found> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${accessKey}` } })
    // The cast is safe: the gateway's answers have the documented shape.
    const found = read((await answer.json()) as Body)
    if (found !== undefined) return found
    await sleep(200)
  }
  throw new GatewayError('upstream_timeout', 'It was not ready within two minutes.')
}
