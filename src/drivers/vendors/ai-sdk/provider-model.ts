/** Creates a model with a provider package. The types of its members are checked at run time,
 *  because a package may come from any author. */
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
  /** Kind of the model, for messages: `image`. */
  kind: string
  /** Names of the provider methods that create a model of this kind; the first existing one is
   *  called. */
  makers: readonly string[]
  /** Supported versions of the model's interface. */
  versions: readonly string[]
}

/** Returns the model with this name, and the version of its interface. Throws
 *  `capability_unavailable` when it is not a model of this kind in a supported version, and the
 *  errors of the package. */
export function providerModel(source: ModelSource, { kind, makers, versions }: ModelKind): { model: unknown; version: string } {
  const { package: name, model: id, factory, options } = source
  const provider = factory(options)
  const maker = makers.find(each => typeof member(provider, each) === 'function')
  if (maker === undefined) {
    const says = `The package ${name} is no AI SDK provider of ${kind} models: it has no ${makers.join(' and no ')}.`
    throw new GatewayError('capability_unavailable', says)
  }
  const model = invoked(provider, maker, id)
  const version = String(member(model, 'specificationVersion'))
  if (versions.includes(version)) return { model, version }
  const says = `gives ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} model of the interface version ${version}; known are ${versions.join(', ')}.`
  throw new GatewayError('capability_unavailable', `The package ${name} ${says}`)
}

/** Returns the limit that a member of the model states, as a number or as a function of the model's
 *  name. Defaults to 1, as in the SDK. */
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
