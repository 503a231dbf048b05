/** The paths of an operation: its own, its aliases, and those of the vendor whose API it speaks. */
import type { Family, FamilyEntry } from './family.ts'
import type { Operation } from './operation.ts'

/** Returns the paths that serve the operation, its main path first, without `sharedPaths`. */
export function pathsOf({ path, aliases = [], vendorPaths = [] }: Operation): string[] {
  return [path, ...aliases, ...vendorPaths]
}

/** Returns every path of the families, split at its slashes. */
export function placesOf(families: readonly FamilyEntry[]) {
  return families.flatMap(({ family }) =>
    Object.values<Operation>(family.operations).flatMap(operation =>
      pathsOf(operation).map(path => ({ family, operation, path, parts: partsOf(path) })),
    ),
  )
}

export function partsOf(path: string): string[] {
  return path.split('/').filter(part => part !== '')
}

/** Returns the function that maps errors for a family at one of its paths. */
export function failureAt({ failure, vendorFailure = failure }: Family, operation: Operation, path: string): Family['failure'] {
  return operation.vendorPaths?.includes(path) ? vendorFailure : failure
}

/** Returns the family as it answers at one of an operation's `vendorPaths`: errors have the
 *  vendor's format, and a `{model}` in the path names the model. */
export function atVendorPath(entry: FamilyEntry, { name, path }: { name: string; path: string }): FamilyEntry {
  const { family } = entry
  const operation = family.operations[name]
  if (!operation) throw new TypeError(`family ${family.id} has no operation ${name}`)
  const namesModel = operation.choosesModel && path.includes('{model}')
  const there: Operation = namesModel ? { ...operation, choosesModel: { in: 'path', name: 'model' } } : operation
  return {
    ...entry,
    family: { ...family, failure: failureAt(family, operation, path), operations: { ...family.operations, [name]: there } },
  }
}
