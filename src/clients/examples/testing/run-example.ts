/** Runs files of examples/ in the way that their users would. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const examplesFolder = fileURLToPath(new URL('../../../../examples/', import.meta.url))

export interface Language {
  /** Name of the language's folder in examples/. */
  folder: string
  /** Extension of the language's files, without the dot. */
  extension: string
  /** The program that runs the language's files. */
  program: string
  /** Programs that must be installed for the language's files. */
  needs: readonly string[]
}

export const languages: readonly Language[] = [
  { folder: 'curl', extension: 'sh', program: 'bash', needs: ['bash', 'curl', 'jq', 'openssl'] },
  { folder: 'javascript', extension: 'mjs', program: process.execPath, needs: [] },
  { folder: 'python', extension: 'py', program: 'python3', needs: ['python3'] },
]

/** Returns the options of a test that runs files of this language. When programs are missing on
 *  this machine, the test is skipped and its reason names them. */
export function needPrograms({ needs }: Pick<Language, 'needs'>): { skip?: string } {
  const missing = needs.filter(program => spawnSync(program, ['--version']).error !== undefined)
  return missing.length === 0 ? {} : { skip: `needs ${missing.join(' and ')}` }
}

/** Starts the example of this language for one use of the gateway (`task`, `webhook`, ...). Of the
 *  real user's environment variables it gets only PATH and HOME. The caller ends the process; after
 *  two minutes it is killed. */
export function startExample(language: Language, use: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  const { program, folder, extension } = language
  return spawn(program, [`${examplesFolder}${folder}/${use}.${extension}`, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: 'pipe',
    timeout: 120_000,
    killSignal: 'SIGKILL',
  })
}

export interface Run {
  code: number | null
  stdout: string
  stderr: string
}

/** Waits until the process ends. Calls `onOutput` each time that the process writes to stdout. */
export async function runExample(child: ChildProcess, onOutput: () => void = () => {}): Promise<Run> {
  const run: Run = { code: null, stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (words: string) => {
    run.stdout += words
    onOutput()
  })
  child.stderr?.setEncoding('utf8').on('data', (words: string) => {
    run.stderr += words
  })
  run.code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  return run
}
