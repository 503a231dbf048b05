/** Fails on an import that crosses the layers the wrong way, or on a ring of imports, those of types included. The table is the house rule of docs/request.md. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Folder -> what it may import of src/, kit/ and engines/. Those that are missing here (cli, main, ...) may import all of src/ and kit/. */
const allowed: [from: RegExp, to: RegExp][] = [
  [/^kit\//, /^kit\//],
  [/^engines\//, /^(kit|engines)\//],
  [/^src\/core\//, /^(src\/core|kit)\//],
  [/^src\/contract\//, /^kit\/|^src\/(contract\/|core\/task\.ts|core\/ledger\/ledger\.ts|core\/ports\/)/],
  [/^src\/families\//, /^kit\/|^src\/(families\/|contract\/|core\/task\.ts|core\/ledger\/ledger\.ts|core\/ports\/)/],
  [/^src\/drivers\//, /^(kit|src\/(drivers|contract))\//],
  [/^src\/packs\//, /^(kit|src\/packs)\/|^src\/engines\.ts/],
  [/^src\/stores\//, /^kit\/|^src\/(stores\/|core\/(task|id)\.ts|core\/ledger\/(ledger|lines)\.ts|core\/ports\/)/],
  [/^src\/http\//, /^(kit|src\/(http|contract|core))\//],
  [/^src\/engines\.ts/, /^(kit|engines)\//],
  [/^src\//, /^(kit|src)\//],
]
/** Except that the film engine draws with the layers of the studio. */
const known: ReadonlySet<string> = new Set(['film -> studio'])
/** Parts that never see one another: families among themselves, engines and drivers among themselves. Rooms that all drivers share are none of them. */
const separate =
  /^(?:(?:src\/)?(families|engines)\/([^/]+)|src\/(drivers)\/(?!upstream|text|output|image|sound|video|slides|search)([^/]+))\//
const isTest = /(\.test\.ts|(^|\/|-)suite[^/]*\.ts)$|\/testing\//

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'src', 'kit', 'engines'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter(file => file.endsWith('.ts') && existsSync(file))
const problems: string[] = []
const importsFrom = new Map<string, string[]>()
for (const file of files) {
  const imports = importsOf(file)
  for (const each of imports) if (leaves(file, each)) problems.push(`${file} imports ${each.target}: that is outside of its package.`)
  if (isTest.test(file)) continue
  const targets = imports.map(({ target }) => target)
  importsFrom.set(file, targets)
  for (const target of targets) {
    const rule = allowed.find(([from]) => from.test(file))
    const [kind, name] = partOf(file)
    const [otherKind, otherName] = partOf(target)
    if (isTest.test(target)) problems.push(`${file} imports ${target}: code for tests is never shipped.`)
    else if (rule && !rule[1].test(target)) problems.push(`${file} imports ${target}: its layer may not.`)
    else if (name !== undefined && kind === otherKind && otherName !== name && !known.has(`${name} -> ${otherName}`))
      problems.push(`${file} imports ${target}: ${kind} do not know one another.`)
  }
}
problems.push(...rings())
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1

/** `families` and `chat`, `drivers` and `bfl`; nothing for other files. */
function partOf(file: string): string[] {
  return (separate.exec(file) ?? []).slice(1).filter(part => part !== undefined)
}

interface Import {
  /** Path in the repository. */
  target: string
  /** By the name of its package. */
  isByName: boolean
}

/** Whether an import, be it of a test, leaves its package: by a path, or, from an engine, for anything but the kit. */
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

/** `@generation-gateway/kit/driver.ts` -> `kit/driver.ts`; an engine is known by its name, and where it may be (`known`) by its files. */
function fileOf(specifier: string): string {
  const path = specifier.replace('@generation-gateway/', '')
  return path.startsWith('kit/') ? path : path.includes('/') ? `engines/${path}` : `engines/${path}/driver.ts`
}

/** One line per ring, found by walking the imports from every file. */
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
