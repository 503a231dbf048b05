/** Creates a model with a provider package. The types of its members are checked at run time,
 *  because a package may come from any author. */

export interface ModelKind {
  /** Kind of the model, for messages: `image`. */
  kind: string
  /** Names of the provider methods that create a model of this kind; the first existing one is
   *  called. */
  makers: readonly string[]
  /** Supported versions of the model's interface. */
  versions: readonly string[]
}

export interface CreatedModel {
  model: unknown
  version: string
  /** The reason why this is not a model of the requested kind in a supported version; undefined
   *  when it is one. The text continues a sentence that begins with the name of the package. */
  problem: string | undefined
}

/** Creates the model with this name. Throws the errors of the package. */
export function modelIn(provider: unknown, id: string, { kind, makers, versions }: ModelKind): CreatedModel {
  const maker = makers.find(each => typeof member(provider, each) === 'function')
  if (maker === undefined) {
    const problem = `is no AI SDK provider of ${kind} models: it has no ${makers.join(' and no ')}.`
    return { model: undefined, version: '', problem }
  }
  const model = invoked(provider, maker, id)
  const version = String(member(model, 'specificationVersion'))
  if (versions.includes(version)) return { model, version, problem: undefined }
  const article = /^[aeiou]/.test(kind) ? 'an' : 'a'
  const problem = `gives ${article} ${kind} model of the interface version ${version}; known are ${versions.join(', ')}.`
  return { model, version, problem }
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
