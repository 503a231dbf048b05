/** A model as a provider package makes it. Its members are looked at with care: the package may be anybody's. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ProviderFactory } from './packages.ts'

export interface ModelSource {
  package: string
  model: string
  factory: ProviderFactory
  /** Options of the factory. */
  options: object
}

interface ModelKind {
  /** In sentences: `image`. */
  kind: string
  /** Methods of a provider that make such a model; the first it has is called. */
  makers: readonly string[]
  /** Versions of the model's interface that are spoken. */
  versions: readonly string[]
}

/** The model by its name, with its version. Throws `capability_unavailable` for what is no such model of a known version, and what the package throws. */
export function providerModel(source: ModelSource, { kind, makers, versions }: ModelKind): { model: unknown; version: string } {
  const { package: name, model: id, factory, options } = source
  const provider = factory(options)
  const maker = makers.find(each => typeof member(provider, each) === 'function')
  if (maker === undefined) throw new GatewayError('capability_unavailable', `The package ${name} is no AI SDK provider of ${kind} models.`)
  const model = invoked(provider, maker, id)
  const version = String(member(model, 'specificationVersion'))
  if (versions.includes(version)) return { model, version }
  const says = `gives ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} model of the interface version ${version}; known are ${versions.join(', ')}.`
  throw new GatewayError('capability_unavailable', `The package ${name} ${says}`)
}

/** The limit in this member of a model: a number, or a function of the model's name. Without one a model makes one thing at a time, as for the SDK itself. */
export async function limitOf(model: unknown, name: string, modelId: string): Promise<number> {
  const given = member(model, name)
  const most = typeof given === 'function' ? await invoked(model, name, { modelId }) : given
  return typeof most === 'number' ? most : 1
}

export function member(owner: unknown, name: string): unknown {
  const isOwner = (typeof owner === 'object' && owner !== null) || typeof owner === 'function'
  return isOwner ? Reflect.get(owner, name) : undefined
}

export function invoked(owner: unknown, name: string, argument: unknown): unknown {
  const method = member(owner, name)
  if (typeof method !== 'function') throw new TypeError(`the provider has no ${name}`)
  return Reflect.apply(method, owner, [argument])
}
