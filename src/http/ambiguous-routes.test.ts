/** No request matches the paths of two operations, so the order in which routes are added does not
 *  matter. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../contract/operation.ts'
import { pathsOf } from '../contract/places.ts'
import { reservedEndpointNames } from '../core/access.ts'
import { families } from '../families/index.ts'

interface Place {
  label: string
  method: string
  path: string
  /** True when a request has to meet a condition besides method and path. Several operations may
   *  then share one path. */
  isConditional: boolean
}

const operations = families.flatMap(({ family }) =>
  Object.entries<Operation>(family.operations).map(([name, operation]) => ({ label: `${family.id}.${name}`, operation })),
)

function placesOf({ label, operation }: (typeof operations)[number]): Place[] {
  const { method, path, aliases = [], when, readsTask } = operation
  const own = pathsOf(operation).map(each => ({ label, method, path: each, isConditional: when !== undefined }))
  const beside = [path, ...aliases].flatMap(each => [
    { label: `${label}.events`, method: 'GET', path: `${each}/events`, isConditional: when !== undefined },
    // The route that cancels a task counts as conditional: a family may declare its own operation
    // with this method and path, which is then used instead of this route.
    { label: `${label}.cancel`, method: 'DELETE', path: each, isConditional: true },
  ])
  return readsTask ? [...own, ...beside] : own
}

/** Returns true when some request matches the paths of both operations. `{endpoint}` does not match
 *  reserved names, because no endpoint can have such a name. */
function overlap(one: Place, other: Place): boolean {
  if (one.method !== other.method || one.label === other.label) return false
  if (one.path === other.path && (one.isConditional || other.isConditional)) return false
  const [parts, others] = [partsOf(one.path), partsOf(other.path)]
  return parts.length === others.length && parts.every((part, index) => fits(part, others[index] ?? '') || fits(others[index] ?? '', part))
}

function fits(pattern: string, part: string): boolean {
  if (!pattern.startsWith('{')) return pattern === part
  if (pattern === '{endpoint}' && reservedEndpointNames.has(part)) return false
  const suffix = pattern.slice(pattern.indexOf('}') + 1)
  return part.startsWith('{') ? part.endsWith(suffix) || suffix.endsWith(part.slice(part.indexOf('}') + 1)) : part.endsWith(suffix)
}

function partsOf(path: string): string[] {
  return path.split('/').filter(part => part !== '')
}

function overlaps(places: readonly Place[]): string[] {
  return places.flatMap((one, index) =>
    places.slice(index + 1).flatMap(other => (overlap(one, other) ? [`${one.method} ${one.path} and ${other.path}`] : [])),
  )
}

/** The only two paths that overlap; both exist below two prefixes. The specification of the
 *  interface prescribes both paths. A request is still unambiguous, because no task has the id
 *  `result`. */
const ofTheInterface = ['/v1/ai/{endpoint}', '/{endpoint}'].map(
  at => `GET ${at}/ppt/export/{taskId}/{templateId} and ${at}/ppt/export/result/{exportId}`,
)

test('no request matches two operations', () => {
  assert.deepEqual(overlaps(operations.flatMap(placesOf)), ofTheInterface)
})

test('overlapping paths are detected, also at vendor paths', () => {
  const place = (label: string, path: string, method = 'GET') => ({ label, method, path, isConditional: false })
  const query = place('S.get', '/v1/videos/{video_id}')
  assert.equal(overlaps([query, place('K.list', '/v1/videos/text2video')]).length, 1)
  assert.equal(overlaps([query, place('K.query', '/v1/videos/text2video/{id}')]).length, 0)
  assert.equal(overlaps([place('S.content', '/v1/videos/{video_id}/content'), place('K.query', '/v1/videos/text2video/{id}')]).length, 1)
  assert.equal(overlaps([query, place('K.create', '/v1/videos/text2video', 'POST')]).length, 0)
  assert.equal(overlaps([place('A', '/v1/models/{model}:a'), place('B', '/v1/models/{model}:b')]).length, 0)
  assert.equal(overlaps([place('A', '/v1/models/{model}:a'), place('B', '/v1/models/{model}')]).length, 1)
  assert.equal(overlaps([place('A', '/{endpoint}/search/web'), place('B', '/v1/search/web')]).length, 0)
})
