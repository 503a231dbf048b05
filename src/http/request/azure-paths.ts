/** Accepts Azure's form of OpenAI's paths (docs/decisions/0039): every path below `/v1` also exists
 *  below `/openai`, `/openai/v1` and `/openai/deployments/{deployment}`. A deployment is a model of
 *  the gateway, or an endpoint with a route. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject } from '@generation-gateway/kit/json.ts'
import type { Family } from '../../contract/family.ts'
import type { ModelPlace, Operation } from '../../contract/operation.ts'
import type { Call } from '../call/call.ts'
import type { HttpDeps } from '../deps.ts'
import type { Exchange } from './exchange.ts'

interface AzurePath {
  /** The path in OpenAI's own form, and the query without `api-version`. */
  url: string
  params: Readonly<Record<string, string>>
}

const inDeployment = /^\/openai\/deployments\/([^/?]+)\/([^?]*)(?:\?(.*))?$/s
const below = /^\/openai\/(?:v1\/)?([^?]*)(?:\?(.*))?$/s

/** Returns the path in OpenAI's form for a path in Azure's form; undefined for any other path.
 *  Throws `invalid_request` for a deployment with malformed percent-encoding. */
export function azurePath(url: string): AzurePath | undefined {
  if (!url.startsWith('/openai/')) return undefined
  const [, deployment, rest = '', query = ''] = inDeployment.exec(url) ?? [undefined, undefined, ...(below.exec(url) ?? []).slice(1)]
  return { url: `/v1/${rest}${withoutVersion(query)}`, params: deployment === undefined ? {} : { deployment: decoded(deployment) } }
}

/** Returns the query without `api-version`, which chooses a version of Azure's own API and means
 *  nothing to an operation or an upstream. */
function withoutVersion(query: string): string {
  const rest = query.split('&').filter(pair => pair !== '' && !pair.toLowerCase().startsWith('api-version='))
  return rest.length === 0 ? '' : `?${rest.join('&')}`
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new GatewayError('invalid_request', 'The path is not valid URL encoding.')
  }
}

interface Place {
  deps: Pick<HttpDeps, 'catalogue'>
  entry: { family: Family }
}

/** Returns the deployment in the path as the name of an endpoint; undefined when it names a model,
 *  or when the path has no deployment. A model is preferred to an endpoint of the same name. */
export function deploymentEndpoint({ deps, entry }: Place, { params: { deployment } }: Pick<Exchange, 'params'>): string | undefined {
  if (deployment === undefined) return undefined
  return deps.catalogue().named(entry.family.id, deployment, () => true) ? undefined : deployment
}

/** Returns the place at which a call of the operation names the model: the deployment in the path,
 *  or the place that the operation declares. When the deployment is an endpoint, returns a path
 *  parameter that no path has, so that the endpoint's route chooses the model. */
export function modelPlace(
  plan: OperationPlace,
  exchange: Pick<Exchange, 'params'>,
  { endpoint }: Pick<Call, 'endpoint'>,
): ModelPlace | true | undefined {
  if (nameInBody(plan, exchange) === undefined) return plan.operation.choosesModel || undefined
  const isEndpoint = deploymentEndpoint(plan, exchange) === endpoint.name
  return { in: 'path', name: isEndpoint ? 'model' : 'deployment' }
}

/** Returns the body without the model's name when the path has a deployment. The deployment decides
 *  which model is used, as at Azure; the name in the body may be empty. */
export function withoutModel(plan: OperationPlace, exchange: Pick<Exchange, 'params'>, body: unknown): unknown {
  const name = nameInBody(plan, exchange)
  if (name === undefined || !isObject(body) || !(name in body)) return body
  const { [name]: _model, ...rest } = body
  return rest
}

type OperationPlace = Place & { operation: Pick<Operation, 'choosesModel'> }

/** Returns the field in which bodies of the operation name the model; undefined when they name
 *  none, or when the path has no deployment. */
function nameInBody({ operation: { choosesModel } }: OperationPlace, { params }: Pick<Exchange, 'params'>): string | undefined {
  if (params.deployment === undefined) return undefined
  if (choosesModel === true) return 'model'
  return typeof choosesModel === 'object' && choosesModel.in === 'body' ? choosesModel.name : undefined
}
