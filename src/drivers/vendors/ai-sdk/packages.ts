/** Finds provider packages in `node_modules` without loading them, and loads them. */
import { findPackageJSON } from 'node:module'
import type { TargetFacts } from './settings.ts'

/** Creates a provider with the options that the package defines. */
export type ProviderFactory = (options: object) => unknown

/** Where provider packages are loaded from; tests replace it. */
export interface PackageSource {
  /** Returns true when the package is installed; does not load it. */
  has(name: string): boolean
  /** Loads the package and returns its exports. */
  load(name: string): Promise<object>
}

/** A factory that a target names: its package, and the factory's name where the package has
 *  several. */
export type FactoryNames = Pick<TargetFacts, 'package' | 'factory'>

export interface ProviderPackages {
  /** Returns the reason why the package of a target cannot be used: it is not installed, or an
   *  earlier attempt to load it failed. Undefined when no reason is known yet. Does not load the
   *  package. */
  problemOf(names: FactoryNames): string | undefined
  /** Keeps the reason why a package could not be loaded, for the life of the process: Node caches
   *  the failure of a module, so loading it again would fail again. */
  keepProblem(names: FactoryNames, problem: string): void
}

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

export function providerPackages(source: Pick<PackageSource, 'has'>): ProviderPackages {
  const problems = new Map<string, string>()
  /** Names of packages that were found. The router checks the package of a target at every request;
   *  without this set, Node would read the disk each time. */
  const found = new Set<string>()
  const isThere = (name: string): boolean => {
    if (!found.has(name) && source.has(name)) found.add(name)
    return found.has(name)
  }
  const keyOf = (names: FactoryNames) => `${names.package} ${names.factory ?? ''}`
  return {
    problemOf: names => {
      const known = problems.get(keyOf(names))
      if (known !== undefined || isThere(names.package)) return known
      return `The package ${names.package} is not installed: run "npm install ${names.package}" in the folder of the gateway`
    },
    keepProblem: (names, problem) => void problems.set(keyOf(names), problem),
  }
}

/** Loads the package and returns its factory, or the reason why there is none. */
export async function loadFactory(source: PackageSource, names: FactoryNames): Promise<ProviderFactory | { problem: string }> {
  let exports: object
  try {
    exports = await source.load(names.package)
  } catch (error) {
    return { problem: `The package ${names.package} cannot be loaded (${wordOf(error)}). Once that is put right, restart the gateway.` }
  }
  return names.factory === undefined ? onlyFactory(names.package, exports) : namedFactory(names.package, exports, names.factory)
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

/** Returns the code or the name of an error of a package, or `Error` when that is not one word.
 *  The error's message is not used, because it may contain secrets or prompts. */
export function wordOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const word = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return /^\w{1,60}$/.test(word) ? word : 'Error'
}
