/** Fails when a file imports from a folder from which its layer must not import, or when imports
 *  form a cycle (also through imports of types). docs/request.md explains the rule; the table below
 *  states it. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryFiles } from './repository-files.ts'

/** For each folder, the folders from which it may import. A folder is given as the beginning of
 *  a path. For each file, the first entry that matches applies. */
const layers: readonly [folder: string, mayImport: readonly string[]][] = [
  ['kit/', ['kit/']],
  ['engines/', ['kit/', 'engines/']],
  ['src/core/', ['kit/', 'src/core/']],
  ['src/contract/', ['kit/', 'src/contract/', 'src/core/records/', 'src/core/ports/']],
  ['src/families/', ['kit/', 'src/families/', 'src/contract/', 'src/core/records/', 'src/core/ports/']],
  ['src/drivers/shared/', ['kit/', 'src/drivers/shared/', 'src/contract/']],
  ['src/drivers/vendors/', ['kit/', 'src/drivers/vendors/', 'src/drivers/shared/', 'src/contract/']],
  ['src/drivers/', ['kit/', 'src/drivers/', 'src/contract/']],
  ['src/packs/', ['kit/', 'src/packs/', 'src/engines.ts']],
  ['src/stores/', ['kit/', 'src/stores/', 'src/core/records/', 'src/core/ports/']],
  ['src/http/', ['kit/', 'src/http/', 'src/contract/', 'src/core/']],
  ['src/engines.ts', ['kit/', 'engines/']],
  ['src/', ['kit/', 'src/']],
]
/** Folders whose parts must not import each other. The part `shared` is an exception: all other
 *  parts may import it. It must not import any of them. */
const separate = ['src/families/', 'src/drivers/vendors/', 'engines/']
/** The only allowed import between engines: the film engine draws with the code of the studio
 *  engine. */
const known: ReadonlySet<string> = new Set(['film -> studio'])
/** Folders with code for tests. */
const testFolders = ['testing', 'tests', 'suite']

const files = repositoryFiles('src', 'kit', 'engines').filter(file => file.endsWith('.ts'))
const problems: string[] = []
const importsFrom = new Map<string, string[]>()
for (const file of files) {
  const imports = importsOf(file)
  for (const each of imports) if (leaves(file, each)) problems.push(`${file} imports ${each.target}: that is outside of its package.`)
  if (isTest(file)) continue
  const targets = imports.map(({ target }) => target)
  importsFrom.set(file, targets)
  for (const target of targets) {
    const rule = layers.find(([folder]) => file.startsWith(folder))
    const [own, other] = [partOf(file), partOf(target)]
    if (isTest(target)) problems.push(`${file} imports ${target}: code for tests is never shipped.`)
    else if (rule && !rule[1].some(folder => target.startsWith(folder))) problems.push(`${file} imports ${target}: its layer may not.`)
    else if (
      own &&
      other &&
      own.folder === other.folder &&
      own.name !== other.name &&
      other.name !== 'shared' &&
      !known.has(`${own.name} -> ${other.name}`)
    )
      problems.push(`${file} imports ${target}: parts of ${own.folder} do not import one another.`)
  }
}
problems.push(...rings())
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1

function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.split('/').some(part => testFolders.includes(part))
}

/** Returns the part to which a file belongs, such as `chat` in `src/families/`, if the file is in
 *  one of the folders in `separate`. Undefined for all other files, also for files directly in such
 *  a folder (`src/families/index.ts`). */
function partOf(file: string): { folder: string; name: string } | undefined {
  const folder = separate.find(each => file.startsWith(each))
  const [name = '', ...inside] = folder ? file.slice(folder.length).split('/') : []
  return folder && inside.length > 0 ? { folder, name } : undefined
}

interface Import {
  /** Path of the imported file, from the root of the repository. */
  target: string
  /** True when the import names a package; false for a relative path. */
  isByName: boolean
}

/** Returns true when a file imports from another package in a way that is not allowed: by a
 *  relative path, or, from an engine, from a package other than the kit. Imports in tests are
 *  checked as well. */
function leaves(file: string, { target, isByName }: Import): boolean {
  const own = /^(kit|engines\/[^/]+|src)\//.exec(file)?.[0] ?? ''
  if (target.startsWith(own)) return false
  return (
    !isByName || (own.startsWith('engines/') && !target.startsWith('kit/') && !known.has(`${own.split('/')[1]} -> ${target.split('/')[1]}`))
  )
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
  const specifiers = [...text.matchAll(/(?:^(?:import|export)\s[^'"]*?from\s+|\bimport\()'(\.[^']+|@generation-gateway\/[^']+)'/gm)]
  return specifiers.map(([, specifier = '']) => {
    const isByName = !specifier.startsWith('.')
    return { target: isByName ? fileOf(specifier) : join(dirname(file), specifier), isByName }
  })
}

/** Returns the file that is imported by the name of a package: `@generation-gateway/kit/driver.ts`
 *  -> `kit/driver.ts`. An engine is imported as a whole by its name; only engines listed in `known`
 *  import single files of another engine. */
function fileOf(specifier: string): string {
  const path = specifier.replace('@generation-gateway/', '')
  return path.startsWith('kit/') ? path : path.includes('/') ? `engines/${path}` : `engines/${path}/driver.ts`
}

/** Returns a line of text for each cycle. Cycles are found by following the imports of every
 *  file. */
function rings(): string[] {
  const found = new Set<string>()
  const done = new Set<string>()
  const walk = (file: string, trail: string[]): void => {
    const at = trail.indexOf(file)
    if (at >= 0) {
      found.add(`Ring of imports: ${[...trail.slice(at), file].join(' -> ')}`)
      return
    }
    if (done.has(file)) return
    for (const target of importsFrom.get(file) ?? []) walk(target, [...trail, file])
    done.add(file)
  }
  for (const file of importsFrom.keys()) walk(file, [])
  return [...found]
}
