/** Starts two gateways and calls interfaces F2, F3 and F4 as their users do. The outer gateway uses
 *  the inner one as its upstream, through the driver `gateway`. */
import assert from 'node:assert/strict'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { type Answer, startTestGateway, type TestGateway, type TestOptions } from '../../../../testing/gateway.ts'

export const innerKey = 'sk-inner-access-key-0001'

const families = { MaaS_ImgB: ['F2', 'fast', 'large'], MaaS_ImgS: ['F3', 'N1', 'N3', 'O1', 'O2'] } as const

/** Returns the configuration of the outer gateway. Each of its models of F2 to F4 has as its target
 *  the inner gateway's model with the same name. */
export function chainYaml(innerUrl: string, more = ''): string {
  const target = `{ driver: gateway, base_url: "${innerUrl}", api_key_env: INNER_KEY }`
  const grouped = Object.entries(families).flatMap(([name, [family, ...groups]]) =>
    groups.map(group => `  - { id: ${name}_${group}, family: ${family}, group: ${group}, targets: [${target}] }\n`),
  )
  return `models:\n${grouped.join('')}  - { id: MaaS_Art_v7, family: F4, targets: [${target}] }\n${more.replaceAll('$TARGET', target.slice(2, -2))}`
}

/** Starts the inner gateway. Without a configuration file it draws with the built-in engine. */
export function startInner(options: TestOptions = {}): Promise<TestGateway> {
  return startTestGateway({ ...options, env: { GATEWAY_ACCESS_KEY: innerKey, GATEWAY_ENGINE_WORKERS: '1', ...options.env } })
}

export function startOuter(innerUrl: string, more = ''): Promise<TestGateway> {
  return startTestGateway({ yaml: chainYaml(innerUrl, more), env: { INNER_KEY: innerKey } })
}

interface Caller {
  gateway: Pick<TestGateway, 'call'>
  key?: string
}

/** Submits a batch over interface F2 and returns it when it has ended. */
export async function batch({ gateway, ...key }: Caller, body: object): Promise<Answer['body']> {
  const submitted = await gateway.call('/v2/ai/default/images/generations', { body, ...key })
  assert.equal(submitted.status, 200, JSON.stringify(submitted.body))
  return until(async () => {
    const { body: seen } = await gateway.call(`/v2/ai/default/images/tasks/${submitted.body.taskId}`, key)
    return seen.completed ? seen : undefined
  }, 'the batch')
}

export function group({ gateway, ...key }: Caller, body: object): Promise<Answer> {
  return gateway.call('/v1/ai/default/imgs/image/generations', { body, ...key })
}

/** Submits a job over interface F4 and returns it when it has ended. */
export async function artwork({ gateway, ...key }: Caller, operation: string, body: object): Promise<Answer['body']> {
  const submitted = await gateway.call(`/v1/ai/default/tob/${operation}`, { body, ...key })
  assert.equal(submitted.status, 200, JSON.stringify(submitted.body))
  return until(async () => {
    const { body: seen } = await gateway.call(`/v1/ai/default/tob/job/${submitted.body.id}`, key)
    return seen.status < 2 ? undefined : seen
  }, 'the job')
}

/** Returns the number of pictures per model in the ledger of a gateway's account `default`. */
export async function images(gateway: TestGateway): Promise<Record<string, number>> {
  const { usage } = (await gateway.admin('/admin/usage?account=default')).body
  const lines = usage.filter(({ unit }: { unit: string }) => unit === 'images')
  return Object.fromEntries(lines.map(({ model, units }: { model: string; units: number }) => [model, units]).sort())
}

export async function bytesAt(url: string): Promise<Buffer> {
  const answer = await fetch(url)
  assert.equal(answer.status, 200, url)
  return Buffer.from(await answer.arrayBuffer())
}

export async function sizeAt(url: string): Promise<string> {
  const { width, height, format } = await sharp(await bytesAt(url)).metadata()
  return `${format} ${width}x${height}`
}
