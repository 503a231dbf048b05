/** Puts test files into groups that share a process. A process costs half a second of CPU time, and
 *  one that starts a gateway two seconds. With a process for each file, the starts of processes
 *  would take half of the time of all tests. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Largest number of files in one process, and about the largest sum of their CPU seconds. The
 *  files of an area that exceeds one of them are divided between several processes. */
const most = { files: 16, seconds: 60 }

/** Files that take 10 s of CPU time or more, with their children: seconds, measured on
 *  2026-11-27 beside other programs. They decide only the number and the order of the groups, so
 *  they need not be exact. All other files count as `usualSeconds`. */
const longFiles: Readonly<Record<string, number>> = {
  'bench/speech/word-errors.test.ts': 12,
  'engines/recognition/recognition.test.ts': 40,
  'engines/studio/edit/pixel-edits.test.ts': 13,
  'engines/studio/environment/environment.test.ts': 25,
  'engines/studio/language/linear-time.test.ts': 14,
  'engines/studio/redraw/redraw.test.ts': 15,
  'engines/studio/references/references.test.ts': 16,
  'engines/studio/several.test.ts': 11,
  'engines/studio/style/style.test.ts': 14,
  'engines/text/fairness.test.ts': 10,
  'engines/text/formats.test.ts': 12,
  'engines/text/host.test.ts': 25,
  'engines/text/tools.test.ts': 23,
  'src/cli/cli.test.ts': 19,
  'src/clients/cli/codex.test.ts': 11,
  'src/clients/cli/gemini-cli.test.ts': 11,
  'src/clients/easy-questions.test.ts': 22,
  'src/clients/generated.test.ts': 14,
  'src/clients/page/page.test.ts': 36,
  'src/clients/python/built-in.test.ts': 14,
  'src/clients/python/retrieval.test.ts': 20,
  'src/contract/description/openapi-examples.test.ts': 65,
  'src/families/adding-a-family.test.ts': 28,
  'src/families/f3-image-references/references.test.ts': 18,
  'src/families/f4-artwork/studio.test.ts': 10,
  'src/families/images/likeness.test.ts': 10,
  'src/families/k-video/references.test.ts': 17,
  'src/processes/processes.test.ts': 28,
  'src/tests/backup.test.ts': 10,
  'src/tests/chained-crash.test.ts': 20,
  'src/tests/chained-families.test.ts': 20,
  'src/tests/chained.test.ts': 13,
  'src/tests/chaos.test.ts': 30,
  'src/tests/clips.test.ts': 27,
  'src/tests/conversations/every-pair.test.ts': 13,
  'src/tests/crash.test.ts': 24,
  'src/tests/fuzz.test.ts': 22,
  'src/tests/hostile-files.test.ts': 11,
  'src/tests/limits/limits.test.ts': 23,
  'src/tests/nodes/chaos.test.ts': 35,
  'src/tests/nodes/doctor.test.ts': 10,
  'src/tests/nodes/lean-api.test.ts': 22,
  'src/tests/outbound.test.ts': 15,
  'src/tests/without-engines.test.ts': 24,
  'src/tests/worst-megabyte.test.ts': 38,
}
const usualSeconds = 2

/** Time in ms that a process may keep running after its last test has ended. */
const patience = 30_000

/** Beginning of the comment that gives a test file a process of its own; the rest of the comment
 *  says why. */
const ownProcess = '// Own process: '

/** Writes a module for each group of `files` (absolute paths) into a new temporary folder, and
 *  returns the paths of these modules. A module runs the files of its group one after the other,
 *  each as a suite with the file's name. Files with a comment `// Own process: why` are alone;
 *  the others are shared out by area (`src/families`, `engines/studio`). The groups that take
 *  longest come first, so that no core waits for one of them at the end. */
export function writeGroups(files: readonly string[]): string[] {
  for (const name of Object.keys(longFiles)) if (!existsSync(name)) throw new Error(`longFiles contains ${name}, which does not exist.`)
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tests-'))
  const named = files.map(file => ({ file, name: relative('.', file).replaceAll('\\', '/') })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const alone = named.filter(({ file }) => `\n${readFileSync(file, 'utf8')}`.includes(`\n${ownProcess}`))
  const areas = Map.groupBy(
    named.filter(each => !alone.includes(each)),
    ({ name }) => name.split('/').slice(0, -1).slice(0, 2).join('-'),
  )
  const groups = [
    ...alone.map(each => ({ title: each.name.replaceAll('/', '-'), members: [each] })),
    ...[...areas].flatMap(sharedOut),
  ].sort((a, b) => secondsOf(b.members) - secondsOf(a.members))
  return groups.map(({ title, members }, index) => {
    // The name of the module begins with a number, because the test runner starts files in the
    // order of their names.
    const path = join(folder, `${String(index).padStart(3, '0')}-${title}.test.mjs`)
    writeFileSync(path, source(members))
    return path
  })
}

interface NamedTest {
  file: string
  name: string
}

function sharedOut([area, files]: [string, NamedTest[]]): { title: string; members: NamedTest[] }[] {
  const count = Math.max(Math.ceil(files.length / most.files), Math.ceil(secondsOf(files) / most.seconds))
  // Files with neighbouring names often take about the same time. They are put into different
  // groups, so that all groups take about the same time.
  return Array.from({ length: count }, (_, group) => ({
    title: count === 1 ? area : `${area}-${group + 1}`,
    members: files.filter((_file, index) => index % count === group),
  }))
}

function secondsOf(members: readonly NamedTest[]): number {
  return members.reduce((sum, { name }) => sum + (longFiles[name] ?? usualSeconds), 0)
}

function source(members: readonly NamedTest[]): string {
  const entries = JSON.stringify(members.map(({ file, name }) => [name, pathToFileURL(file).href]))
  return `import { after, suite } from 'node:test'
let turn = 0
// A server or a child that a test left open keeps the process for ever, and with it the whole run.
after(() => {
  const left = setTimeout(() => {
    console.error('These tests are over, and still open are: ' + process.getActiveResourcesInfo().join(', '))
    process.exit(1)
  }, ${patience})
  left.unref()
})
for (const [index, [name, url]] of ${entries}.entries()) suite(name, async () => {
  // One after the other, each within its own suite: what a module does when it is first imported belongs to the one that imports it.
  while (turn < index) await new Promise(resolve => setImmediate(resolve))
  try {
    await import(url)
  } finally {
    turn += 1
  }
})
`
}
