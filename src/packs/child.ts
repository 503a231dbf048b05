import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startLimited } from '@generation-gateway/kit/process/limited-process.ts'

const checkEveryMs = 250
const longestMs = 60 * 60 * 1000
const defaultStallMs = 3 * 60 * 1000
/** Largest file in bytes that a program may write while it fetches a package; no real package is
 *  this large. */
const mostFileBytes = 8 * 1024 ** 3

export interface ChildRun {
  /** Working directory of the program, which also contains its temporary files. */
  folder: string
  env: NodeJS.ProcessEnv
  signal?: AbortSignal | undefined
  /** Called about four times a second, with the number of bytes in the folder. */
  onBytes(bytes: number): void
  /** Time in ms after which the program is ended when its folder has not grown; default three
   *  minutes. */
  stallMs?: number
}

/** Thrown when the program is not installed on this machine. */
export class ProgramMissing extends Error {}

/** Runs a program without a terminal, and resolves when it has ended. The program is stopped,
 *  together with all processes that it has started, after an hour, when its folder stops growing,
 *  when `signal` is aborted, and when this process ends. Throws `ProgramMissing`, or an error with
 *  a short reason: for a failure, the last line of the program's output that contains `error`, else
 *  the last line. */
export async function runChild(program: string, args: readonly string[], run: ChildRun): Promise<void> {
  const child = startLimited(program, args, {
    cwd: run.folder,
    env: childEnvironment(run.env, run.folder),
    ...{ timeMs: longestMs, cpuSeconds: longestMs / 1000, fileBytes: mostFileBytes, priority: 'normal', signal: run.signal },
  })
  child.stdin.end()
  child.stdout.resume()
  const watch = watchFolder(run, child.kill)
  const end = await child.ended
    .catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new ProgramMissing(`${program} is not installed`) : error
    })
    .finally(watch.stop)
  if (end.kind === 'time' || end.kind === 'killed') throw new Error(`${program} was ended: it took too long or stood still`)
  if (end.kind === 'cpu' || end.kind === 'file') throw new Error(`${program} was ended: it went on without end`)
  if (end.kind === 'failed') throw failure(program, end.code, end.said)
}

function failure(program: string, code: number | undefined, said: string): Error {
  // The program is missing in two cases. Exit code 127: a shell did not find it (a wrapper script
  // may name a program that does not exist). `No module named pip`: Python is installed without
  // pip.
  if (code === 127 || /No module named pip\b/.test(said)) return new ProgramMissing(`${program} is not installed`)
  const lines = said.split('\n').filter(line => line.trim() !== '')
  const telling = lines.findLast(line => /error/i.test(line)) ?? lines.at(-1) ?? 'it said nothing'
  return new Error(`${program} failed (${code}): ${telling.trim().slice(0, 240)}`)
}

/** Returns the environment for a package tool: only paths of programs, settings, caches,
 *  certificates and proxies. Keys of the gateway must not reach it. */
function childEnvironment(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  const passed =
    /^(PATH|HOME|USER|LANG|LC_.*|XDG_.*|PIP_.*|PYENV_.*|npm_config_.*|(https?|no|all)_proxy|SSL_CERT_.*|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS|SystemRoot|USERPROFILE|APPDATA|LOCALAPPDATA|PATHEXT|ComSpec)$/i
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => passed.test(name))),
    ...{ TMPDIR: folder, TMP: folder, TEMP: folder },
    ...{ PIP_NO_INPUT: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_REQUIRE_VIRTUALENV: '0' },
  }
}

function watchFolder({ folder, onBytes, stallMs = defaultStallMs }: ChildRun, onStall: () => void): { stop(): void } {
  let before = -1
  let stillMs = 0
  let isStopped = false
  const timer = setInterval(async () => {
    const bytes = await folderBytes(folder)
    if (isStopped) return
    stillMs = bytes === before ? stillMs + checkEveryMs : 0
    before = bytes
    onBytes(bytes)
    if (stillMs >= stallMs) onStall()
  }, checkEveryMs)
  return {
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}

/** Returns the number of bytes in a folder. A file that is deleted during the count is ignored. */
async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  const sizes = entries
    .filter(entry => entry.isFile())
    .map(entry =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
