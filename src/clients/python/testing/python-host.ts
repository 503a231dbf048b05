/** Runs Python programs in processes that begin with large modules already imported
 *  (fork_programs.py), because importing them takes most of the CPU time of a small program. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { EnvironmentName } from './environments.ts'
import { pythonEnvironment } from './run-cases.ts'

const program = fileURLToPath(new URL('./fork_programs.py', import.meta.url))

export interface PythonProgram {
  text: string
  /** Folder in which the program runs. */
  cwd: string
  /** Whole environment of the program. */
  env: Record<string, string>
}

export interface PythonHost {
  /** Runs the program until its end; `code` is negative when a signal ended it. Rejects when the
   *  process of the host has ended. Programs run one after the other. */
  run(program: PythonProgram): Promise<{ code: number; stdout: string; stderr: string }>
  /** Ends the process of the host, and a program that is still running. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a host that imports the modules in this environment. The caller closes it. A program
 *  that runs longer than `longestMs` is ended together with the host. */
export async function startPythonHost(name: EnvironmentName, modules: readonly string[], longestMs: number): Promise<PythonHost> {
  const folder = await mkdtemp(join(tmpdir(), 'python-host-'))
  const files = { stdout: join(folder, 'stdout'), stderr: join(folder, 'stderr') }
  const child = spawn('python', [program, ...modules], {
    env: pythonEnvironment(name, {}),
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const { pid } = child
  if (pid === undefined) throw new Error('python cannot be started')
  const ended = once(child, 'exit')
  // A write fails when the process has ended, which `run` reports.
  child.stdin.on('error', () => {})
  const codes = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const end = () => process.kill(-pid, 'SIGKILL')
  return {
    run: async given => {
      const timer = setTimeout(end, longestMs)
      child.stdin.write(`${JSON.stringify({ ...given, ...files })}\n`)
      const { value, done } = await codes.next()
      clearTimeout(timer)
      if (done) throw new Error(`the Python host (${modules.join(', ')}) has ended`)
      const [stdout, stderr] = await Promise.all([readFile(files.stdout, 'utf8'), readFile(files.stderr, 'utf8')])
      return { code: Number(value), stdout, stderr }
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
