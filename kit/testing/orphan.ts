import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { until } from './until.ts'

/** Runs a program that starts a process and prints `{"pid": ...}` with the id of that process.
 *  Kills the program with SIGKILL, and returns the milliseconds until the process has ended as
 *  well. `before` is called before the kill, with the ids of the process and of the program. */
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

/** Returns true while the process runs; false also for a zombie, because in a container there may
 *  be no process that reaps it. */
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
