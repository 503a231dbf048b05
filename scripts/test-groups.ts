/** Puts test files into groups that share a process. A process costs half a second of CPU time, and
 *  one that starts a gateway two seconds. With a process for each file, the starts of processes
 *  would take half of the time of all tests. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Largest number of files in one process. */
const most = 8

/** Time in ms that a process may keep running after its last test has ended. */
const patience = 30_000

/** Beginning of the comment that gives a test file a process of its own; the rest of the comment
 *  says why. */
const ownProcess = '// Own process: '

/** Writes a module for each group of `files` (absolute paths) into a new folder, and returns the
 *  paths of these modules. A module runs the files of its group one after the other, each as a
 *  suite with the file's name. Files with a comment `// Own process: why` come first, alone; the
 *  others are shared out by area (`src/families`, `engines/studio`). */
export function writeGroups(files: readonly string[]): { folder: string; groups: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tests-'))
  const named = files.map(file => ({ file, name: relative('.', file).replaceAll('\\', '/') })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const alone = named.filter(({ file }) => `\n${readFileSync(file, 'utf8')}`.includes(`\n${ownProcess}`))
  const areas = Map.groupBy(
    named.filter(each => !alone.includes(each)),
    ({ name }) => name.split('/').slice(0, -1).slice(0, 2).join('-'),
  )
  const groups = [...alone.map(each => ({ title: each.name.replaceAll('/', '-'), members: [each] })), ...[...areas].flatMap(sharedOut)]
  return {
    folder,
    groups: groups.map(({ title, members }, index) => {
      // The name of the module begins with a number, because the test runner starts files in the
      // order of their names.
      const path = join(folder, `${String(index).padStart(3, '0')}-${title}.test.mjs`)
      writeFileSync(path, source(members))
      return path
    }),
  }
}

interface NamedTest {
  file: string
  name: string
}

function sharedOut([area, files]: [string, NamedTest[]]): { title: string; members: NamedTest[] }[] {
  const count = Math.ceil(files.length / most)
  // Files with neighbouring names often take about the same time. They are put into different
  // groups, so that the groups take about the same time, too.
  return Array.from({ length: count }, (_, group) => ({
    title: count === 1 ? area : `${area}-${group + 1}`,
    members: files.filter((_file, index) => index % count === group),
  }))
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
