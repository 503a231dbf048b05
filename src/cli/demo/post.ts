import { type ErrorCode, errorCatalogue, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { DemoContext } from './demo.ts'

/** The answer at a path of the endpoint `default`. Throws what the gateway refuses it with. */
export async function post<Answer>(
  { url, accessKey }: DemoContext,
  path: string,
  body: Record<string, unknown>,
  version = 'v1',
): Promise<Answer> {
  const answer = await fetch(`${url}/${version}/ai/default/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  // The gateway's own answers, of the shape the interface says.
  if (answer.ok) return (await answer.json()) as Answer
  const { error } = (await answer.json()) as { error?: { code?: string; message?: string } }
  const code: ErrorCode = error?.code !== undefined && error.code in errorCatalogue ? (error.code as ErrorCode) : 'upstream_error'
  throw new GatewayError(code, error?.message ?? `The call was answered with ${answer.status}.`)
}
