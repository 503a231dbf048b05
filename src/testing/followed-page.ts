/** Follows the instructions on a page of docs/: applies the code blocks on the page to a copy of
 *  the program, which is then checked and run. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { type Program, startProgram } from './program.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
/** Folders that the copy shares with the project through links. They contain packages that the
 *  program imports by name, and no page changes them. */
const linked = new Set(['node_modules', 'kit', 'engines', 'toolchain'])
/** Matches a code block on the page: three backticks, a language and optionally a path. Only
 *  blocks with a path are applied. */
const block = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm

export interface FollowedPage {
  /** Folder of the copy. Its git index contains the program before the changes of the page. */
  folder: string
  /** Returns the text of the first block in this language that has no path. */
  shown(language: string): string
  /** Runs a script or tool in the copy, with the Node.js that runs the tests. Returns the
   *  output; fails, showing the output, when the exit code is not 0. */
  node(...args: string[]): Promise<string>
  /** Type-checks these files and their imports. */
  assertTypes(...files: string[]): Promise<void>
  /** Runs those tests in these files whose names match, in one process, and returns the output
   *  in TAP format. Fails when no test matches. */
  assertTests(files: readonly string[], names?: RegExp): Promise<string>
  /** Returns the changed files by path, each with its numbers of added and removed lines; undefined
   *  for a new file. */
  changes(): Promise<Record<string, [added: number, removed: number] | undefined>>
  /** Starts the copy's `serve` on an empty data folder. */
  start(env: Record<string, string>): Promise<Program>
  [Symbol.asyncDispose](): Promise<void>
}

/** Copies the program and applies the blocks of `docs/<name>.md` that have a path. Each is
 *  written as a file; in a block of the language `diff`, the added lines are inserted into the
 *  existing file. */
export async function followPage(name: string): Promise<FollowedPage> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`))
  await using unfinished = new AsyncDisposableStack()
  unfinished.defer(() => rm(folder, { recursive: true }))
  await copyProgram(folder)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const of = async (program: string, args: string[]) => {
    const { stdout } = await run(program, args, { cwd: folder, env }).catch(error => assert.fail(`${error.stdout}\n${error.stderr}`))
    return stdout
  }
  const node = (...args: string[]) => of(process.execPath, args)
  const git = (...args: string[]) => of('git', args)
  await git('init', '--quiet')
  await git('add', '--all')
  const blocks = [...(await readFile(join(root, 'docs', `${name}.md`), 'utf8')).matchAll(block)]
  for (const [, language, path, text = ''] of blocks) {
    if (path === undefined) continue
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, language === 'diff' ? withLines(await readFile(file, 'utf8'), text, path) : text)
  }
  const finished = unfinished.move()
  return {
    folder,
    node,
    shown: wanted => blocks.find(([, language, path]) => language === wanted && path === undefined)?.[3] ?? '',
    async assertTypes(...files) {
      const config = join(folder, 'data', 'tsconfig.json')
      await mkdir(dirname(config), { recursive: true })
      await writeFile(config, JSON.stringify({ extends: '../tsconfig.json', include: files.map(file => join('..', file)) }))
      await node('node_modules/typescript/bin/tsc', '--noEmit', '-p', config)
    },
    async assertTests(files, names = /./) {
      const said = await node('--test', '--test-isolation=none', '--test-reporter=tap', `--test-name-pattern=${names}`, ...files)
      assert.match(said, /^# pass [1-9]/m)
      return said
    },
    async changes() {
      const added = (await git('ls-files', '--others', '--exclude-standard')).split('\n').filter(path => path !== '')
      const changed = [...(await git('diff', '--numstat')).matchAll(/^(\d+)\t(\d+)\t(.+)$/gm)]
      return Object.fromEntries([
        ...changed.map(([, plus, minus, path]) => [path, [Number(plus), Number(minus)]]),
        ...added.map(path => [path, undefined]),
      ])
    },
    async start(settings) {
      await mkdir(join(folder, 'data'), { recursive: true })
      const dataDir = await mkdtemp(join(folder, 'data', 'empty-'))
      const command: [string, ...string[]] = [process.execPath, join(folder, 'src/cli/gateway.ts'), 'serve']
      return startProgram({ dataDir, port: await freePort(), env: settings, command })
    },
    [Symbol.asyncDispose]: () => finished.disposeAsync(),
  }
}

async function copyProgram(folder: string): Promise<void> {
  for (const entry of await readdir(root)) {
    if (entry === '.git' || entry === 'data') continue
    if (linked.has(entry)) await symlink(join(root, entry), join(folder, entry))
    else await cp(join(root, entry), join(folder, entry), { recursive: true })
  }
}

/** Returns the text with the lines that a diff adds (`+`). Each is inserted after the line that
 *  precedes it in the diff. */
function withLines(text: string, diff: string, path: string): string {
  const lines = text.split('\n')
  let at = 0
  for (const line of diff.trimEnd().split('\n')) {
    if (line.startsWith('+')) {
      lines.splice(at, 0, line.slice(1))
    } else {
      const found = lines.indexOf(line.slice(1), at)
      assert.ok(found >= 0, `${path} has no line ${line.slice(1)}`)
      at = found
    }
    at += 1
  }
  return lines.join('\n')
}
