/** Fails on an import that crosses the layers the wrong way, or on a cycle of value imports. The table is the house rule of docs/request.md. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Folder -> what it may import of src/ beside itself. Folders that are missing here (cli, main, ...) may import anything. */
const allowed: [from: RegExp, to: RegExp][] = [
  [/^src\/core\//, /^src\/core\//],
  [/^src\/contract\//, /^src\/(contract\/|core\/(errors|task|ports|ledger)\.ts|core\/requests\/)/],
  [/^src\/families\//, /^src\/(families\/|contract\/|core\/(errors|task|ports|ledger)\.ts|core\/requests\/)/],
  [/^src\/drivers\/index\.ts/, /^src\/(drivers|engines|contract)\//],
  [/^src\/(drivers|engines)\//, /^src\/(drivers|engines|contract)\/|^src\/core\/(errors|task)\.ts|^src\/core\/(requests|media)\//],
  [/^src\/stores\//, /^src\/(stores\/|core\/(ports|task|errors|id|ledger)\.ts)/],
  [/^src\/http\//, /^src\/(http|contract|core)\//],
]
/** Parts that never see one another: families among themselves, engines and drivers among themselves. */
const separate = /^src\/(families|engines|drivers)\/([^/]+)\//
const isTest = /(\.test\.ts|(^|\/|-)suite[^/]*\.ts)$|\/testing\//

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'src'], { encoding: 'utf8' })
  .split('\0')
  .filter(file => file.endsWith('.ts') && existsSync(file))
const problems: string[] = []
const valueImports = new Map<string, string[]>()
for (const file of files) {
  if (isTest.test(file)) continue
  const imports = importsOf(file)
  valueImports.set(
    file,
    imports.filter(found => !found.isType).map(found => found.target),
  )
  for (const { target } of imports) {
    const rule = allowed.find(([from]) => from.test(file))
    const [, kind, name] = separate.exec(file) ?? []
    const [, otherKind, otherName] = separate.exec(target) ?? []
    if (isTest.test(target)) problems.push(`${file} imports ${target}: code for tests is never shipped.`)
    else if (rule && !rule[1].test(target)) problems.push(`${file} imports ${target}: its layer may not.`)
    else if (name !== undefined && kind === otherKind && otherName !== name)
      problems.push(`${file} imports ${target}: ${kind} do not know one another.`)
  }
}
problems.push(...cycles())
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1

function importsOf(file: string): { target: string; isType: boolean }[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'/gm)].map(([, type, specifier = '']) => ({
    target: join(dirname(file), specifier),
    isType: type !== undefined,
  }))
}

/** One line per cycle, found by walking the value imports from every file. */
function cycles(): string[] {
  const found = new Set<string>()
  const done = new Set<string>()
  const walk = (file: string, trail: string[]): void => {
    const at = trail.indexOf(file)
    if (at >= 0) {
      found.add(`Import cycle: ${[...trail.slice(at), file].join(' -> ')}`)
      return
    }
    if (done.has(file)) return
    for (const target of valueImports.get(file) ?? []) walk(target, [...trail, file])
    done.add(file)
  }
  for (const file of valueImports.keys()) walk(file, [])
  return [...found]
}
