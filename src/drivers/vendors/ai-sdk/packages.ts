/** Finds provider packages in `node_modules` without loading them, and loads each when it is first
 *  used. */
import { findPackageJSON } from 'node:module'
import { fileURLToPath } from 'node:url'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TargetFacts } from './settings.ts'

/** Creates a provider; the options are those of the package. */
export type ProviderFactory = (options: object) => unknown

/** Where provider packages are loaded from; tests replace it. */
export interface PackageSource {
  /** Returns true when the package is installed; does not load it. */
  has(name: string): boolean
  /** Loads the package and returns its exports. */
  load(name: string): Promise<object>
}

export interface ProviderPackages {
  /** Returns the reason why the package of a target cannot be used: it is not installed, or an
   *  earlier attempt to load it failed. Undefined when no reason is known yet. Does not load the
   *  package. */
  problemOf(facts: TargetFacts): string | undefined
  /** Returns the factory of the target's package. Throws `capability_unavailable` when the package
   *  cannot be used. */
  factoryOf(facts: TargetFacts): Promise<ProviderFactory>
}

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Finds packages as Node does for this file: in the `node_modules` of its folder and of the
 *  folders above. */
export const installedPackages: PackageSource = {
  has: name => {
    try {
      return findPackageJSON(name, import.meta.url) !== undefined
    } catch {
      // Node throws an error for a package that is not installed.
      return false
    }
  },
  load: name => import(name),
}

export function providerPackages(source: PackageSource): ProviderPackages {
  /** Reasons by package name, kept for the life of the process: Node caches the failure of a
   *  module, so loading it again would fail again. */
  const problems = new Map<string, string>()
  /** Names of packages that were found. The router checks the package of a target at every request;
   *  without this set, Node would read the disk each time. */
  const found = new Set<string>()
  const isThere = (name: string): boolean => {
    if (!found.has(name) && source.has(name)) found.add(name)
    return found.has(name)
  }
  const keyOf = (facts: TargetFacts) => `${facts.package} ${facts.factory ?? ''}`
  const problemOf = (facts: TargetFacts): string | undefined => {
    const known = problems.get(keyOf(facts))
    if (known !== undefined || isThere(facts.package)) return known
    return `The package ${facts.package} is not installed: run "npm install ${facts.package}" in ${root}`
  }
  return {
    problemOf,
    factoryOf: async facts => {
      const problem = problemOf(facts)
      if (problem !== undefined) throw new GatewayError('capability_unavailable', problem)
      const factory = await loaded(source, facts)
      if (typeof factory === 'function') return factory
      problems.set(keyOf(facts), factory.problem)
      throw new GatewayError('capability_unavailable', factory.problem)
    },
  }
}

async function loaded(source: PackageSource, facts: TargetFacts): Promise<ProviderFactory | { problem: string }> {
  let exports: object
  try {
    exports = await source.load(facts.package)
  } catch (error) {
    return { problem: `The package ${facts.package} cannot be loaded (${wordOf(error)}). Once that is put right, restart the gateway.` }
  }
  return facts.factory === undefined ? onlyFactory(facts.package, exports) : namedFactory(facts.package, exports, facts.factory)
}

function namedFactory(name: string, exports: object, factory: string): ProviderFactory | { problem: string } {
  const found: unknown = Reflect.get(exports, factory)
  return isFactory(found) ? found : { problem: `The package ${name} has no factory ${factory}.` }
}

function onlyFactory(name: string, exports: object): ProviderFactory | { problem: string } {
  const found = new Map<ProviderFactory, string>()
  for (const [key, value] of Object.entries(exports)) if (/^create[A-Z]/.test(key) && isFactory(value)) found.set(value, key)
  const [factory] = found.keys()
  if (factory === undefined) return { problem: `The package ${name} is no AI SDK provider: it exports no create function.` }
  if (found.size === 1) return factory
  return { problem: `The package ${name} has several factories; name one in export: ${[...found.values()].join(', ')}.` }
}

function isFactory(value: unknown): value is ProviderFactory {
  return typeof value === 'function'
}

/** Returns the code or the name of the error. Its message is not used, because it may contain
 *  secrets or prompts. */
function wordOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
