/** Settings of a target at Vertex AI, and the facts derived from them. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import { firstHop } from '../../shared/upstream/hops.ts'
import { type ServiceTarget, serviceSettings, settingText, settingTexts } from '../../shared/upstream/service-settings.ts'
import { baseUrlProblem, type UpstreamTarget, upstreamTarget } from '../../shared/upstream/upstream-target.ts'
import { type ServiceAccount, serviceAccountIn } from './service-account.ts'

const usualRegion = 'us-central1'
const globalRegion = 'global'
const usualStorage = 'https://storage.googleapis.com'
const name = { minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9.:-]+$', mustBe: 'letters, digits, dots, colons and dashes' } as const

interface VertexFacts {
  project: string
  region: string
  /** The service account; undefined when the settings contain a token instead. */
  account: ServiceAccount | undefined
  /** Returns the target with headers that contain this token. */
  targetWith(token: string | undefined): UpstreamTarget
  /** Folder in Cloud Storage into which the service writes videos, as `gs://bucket/folder`;
   *  undefined when the service puts them into its answers. */
  storageUri: string | undefined
  storageUrl: string
}

export const settings = serviceSettings<VertexFacts>({
  driver: 'vertex',
  baseUrl: 'Where the service is. Default: that of the region.',
  usualBaseUrl: hostOf(usualRegion),
  apiKey: 'An access token, sent as a bearer token. Tokens of Google last an hour: use credentials for what runs longer.',
  usualWaits: { firstByteMs: 120_000, idleMs: 60_000 },
  own: {
    project: Type.String({ ...name, description: 'Id of the project.' }),
    region: Type.Optional(Type.String({ ...name, description: `Region of the models. Default ${usualRegion}.` })),
    credentials: Type.Optional(
      Type.String({ secret: true, description: 'The JSON of a key of a service account. Tokens are made with it as they are needed.' }),
    ),
    quota_project: Type.Optional(Type.String({ ...name, description: 'Sent as x-goog-user-project.' })),
    storage_uri: Type.Optional(
      Type.String({
        pattern: '^gs://[a-z0-9._-]{3,63}(/.*)?$',
        mustBe: 'gs://bucket or gs://bucket/folder',
        description:
          'Where the service puts videos, which are then fetched from there. Default: they come in its answers, which it refuses for large ones.',
      }),
    ),
    storage_url: Type.Optional(Type.String({ description: `Where buckets are read. Default ${usualStorage}.` })),
  },
  facts: factsOf,
})

function factsOf(given: JsonObject, { problem, upstream: { route, totalMs } }: ServiceTarget) {
  const region = settingText(given.region) ?? usualRegion
  const token = settingText(given.api_key)
  const credentials = settingText(given.credentials)
  const baseUrl = settingText(given.base_url) ?? hostOf(region)
  const storageUrl = settingText(given.storage_url) ?? usualStorage
  const account = credentials === undefined ? undefined : serviceAccountIn(credentials, route)
  const headers = settingTexts(given.headers)
  const open = { ...firstHop, 'x-goog-user-project': settingText(given.quota_project) }
  const targetWith = (made: string | undefined): UpstreamTarget =>
    upstreamTarget(baseUrl, { headers, open, route, totalMs, ...defined({ apiKey: made ?? token }) })
  const lacking = ownProblem({ hasToken: token !== undefined, credentials, account, storageUrl })
  return {
    ...{ project: settingText(given.project) ?? '', region, account, storageUri: settingText(given.storage_uri), storageUrl, targetWith },
    problem: lacking,
    ...((problem ?? lacking) === undefined ? { upstream: targetWith(undefined) } : {}),
  }
}

interface OwnFacts extends Pick<VertexFacts, 'account' | 'storageUrl'> {
  hasToken: boolean
  credentials: string | undefined
}

function ownProblem({ hasToken, credentials, account, storageUrl }: OwnFacts): string | undefined {
  if (!hasToken && credentials === undefined) return 'credentials or api_key is needed.'
  if (credentials !== undefined && account === undefined) return 'credentials is not the JSON of a key of a service account.'
  return baseUrlProblem(storageUrl) === undefined ? undefined : 'storage_url is not a valid URL.'
}

function hostOf(region: string): string {
  return region === globalRegion ? 'https://aiplatform.googleapis.com' : `https://${region}-aiplatform.googleapis.com`
}
