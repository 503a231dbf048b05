import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { until } from './until.ts'

/** Runs a program that prints `{"pid": ...}` of a process it has started, kills the program at once and for good, and gives the milliseconds until its process is gone, too. `before` is called before the kill with the ids of both. */
export async function orphanLifeMs(program: URL, before?: (pid: number, parent: number) => Promise<void> | void): Promise<number> {
  const parent = spawn(process.execPath, [program.pathname], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  parent.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  try {
    const pid = await until(() => pidIn(said), 'the start of the process')
    await before?.(pid, parent.pid ?? 0)
    parent.kill('SIGKILL')
    const killedAt = performance.now()
    await until(() => !isRunning(pid), 'the end of the process without a parent')
    return performance.now() - killedAt
  } finally {
    parent.kill('SIGKILL')
  }
}

function pidIn(said: string): number | undefined {
  const found = /"pid":(\d+)/.exec(said)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** False also for a process that has ended and that nobody has asked about: in a container there may be nobody to do it. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return process.platform !== 'linux' || !/\) Z /.test(statOf(pid))
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ') Z '
  }
}
