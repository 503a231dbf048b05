import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileCacheSetting } from '../../../testing/compile-cache.ts'
import { commandOf, isInstalled, type ToolName } from './client-tools.ts'

/** Time limit in ms for one run of a tool; it allows for a machine that runs other tests at the
 *  same time. */
const longestMs = 110_000

/** A home folder for one run. The tool neither reads nor changes the files of the real user. */
export interface ToolHome {
  /** Home folder, with the tool's configuration and state. */
  home: string
  /** The folder in which the tool works. */
  work: string
  [Symbol.asyncDispose](): Promise<void>
}

export async function makeHome(): Promise<ToolHome> {
  const folder = await mkdtemp(join(tmpdir(), 'client-tool-'))
  const home = join(folder, 'home')
  const work = join(folder, 'work')
  await mkdir(home)
  await mkdir(work)
  return { home, work, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

export interface ToolRun {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the tool in its home folder until the tool ends. After `longestMs` it is killed together
 *  with its child processes. Throws when the tool is not installed. */
export async function runTool(name: ToolName, { home, work }: ToolHome, args: string[], env: Record<string, string>): Promise<ToolRun> {
  if (!isInstalled(name)) throw new Error(`${name} is not installed; run: node scripts/client-tools.ts`)
  const [command, ...first] = commandOf(name)
  const child = spawn(command, [...first, ...args], {
    cwd: work,
    env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home, NO_COLOR: '1', TERM: 'dumb', ...compileCacheSetting, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), longestMs)
  const [stdout, stderr, code] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', resolve)
    }),
  ])
  clearTimeout(timer)
  return { code, stdout, stderr }
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) text += chunk
  return text
}
