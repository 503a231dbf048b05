import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, errorCatalogue, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { DemoContext } from './demo.ts'

/** The JSON answer at a path of the endpoint `default`. Throws what the gateway refuses it with. */
export async function post<Answer>(...call: Parameters<typeof postForText>): Promise<Answer> {
  // The gateway's own answers, of the shape the interface says.
  return JSON.parse(await postForText(...call)) as Answer
}

/** The whole answer as text. Throws as `post` does. */
export async function postForText(
  { url, accessKey }: DemoContext,
  path: string,
  body: Record<string, unknown>,
  version = 'v1',
): Promise<string> {
  const answer = await fetch(`${url}/${version}/ai/default/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await checked(answer)).text()
}

/** The answer, where it is a good one. Throws what the gateway refuses it with. */
export async function checked(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  const { error } = (await answer.json()) as { error?: { code?: string; gateway_code?: string; message?: string } }
  // A family with codes of its own has ours beside them.
  const told = error?.gateway_code ?? error?.code ?? ''
  const code: ErrorCode = told in errorCatalogue ? (told as ErrorCode) : 'upstream_error'
  throw new GatewayError(code, error?.message ?? `The call was answered with ${answer.status}.`)
}

/** Asks until `read` finds what is waited for in the answer. Throws what `read` throws, and `upstream_timeout` after two minutes. */
export async function poll<Body, Found>({ accessKey }: DemoContext, url: string, read: (body: Body) => Found | undefined): Promise<Found> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${accessKey}` } })
    // The gateway's own answer, of the shape the interface says.
    const found = read((await answer.json()) as Body)
    if (found !== undefined) return found
    await sleep(200)
  }
  throw new GatewayError('upstream_timeout', 'It was not ready within two minutes.')
}
