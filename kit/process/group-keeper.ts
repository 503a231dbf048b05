/** Kills the process groups that this process has started as soon as this process has ended. A
 *  separate shell does this, because a process that is ended by SIGKILL cannot do anything
 *  itself. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { assertSpawned } from './child-process.ts'

// The script of a shell that reads lines from a pipe: `+ <group>` (remember this process group) and
// `- <group>` (forget it). Only this process holds the other end of the pipe. When the pipe closes,
// this process has ended, and the shell kills the groups that it remembers.
const script = `
live=' '
while read -r sign group; do
  case "$sign" in
    +) live="$live$group " ;;
    -) case "$live" in *" $group "*) live="\${live%%" $group "*} \${live#*" $group "}" ;; esac ;;
  esac
done
for group in $live; do kill -9 "-$group"; done
`

let keeper: { process: ChildProcess; groups: Set<number> } | undefined

/** Returns a pipe to the shell that waits for the end of this process. A process group whose number
 *  is written to the pipe as `+ <group>` is killed when this process ends. Not available on
 *  Windows. */
export function groupKeeper(): Writable {
  keeper ??= startKeeper(new Set())
  // The cast is safe: the option `pipe` makes this a stream.
  return keeper.process.stdin as Writable
}

/** Remembers a group that has written itself into the pipe. If the shell is killed, the new shell
 *  gets the groups that are remembered here. */
export function keepGroup(group: number): void {
  keeper?.groups.add(group)
}

/** Forgets a group that has ended, since its number may be reused. */
export function forgetGroup(group: number): void {
  if (keeper?.groups.delete(group)) keeper.process.stdin?.write(`- ${group}\n`)
}

/** Returns undefined when no shell can be started. The groups then outlive a kill of this
 *  process. */
function restarted(groups: Set<number>): typeof keeper {
  try {
    return startKeeper(groups)
  } catch {
    return undefined
  }
}

function startKeeper(groups: Set<number>): NonNullable<typeof keeper> {
  // The shell gets its own process group, because a Ctrl-C in the gateway's group would end it
  // before it can kill the other groups.
  const process = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], env: {}, detached: true })
  assertSpawned(process)
  const replace = (): void => {
    if (keeper?.process === process) keeper = groups.size > 0 ? restarted(groups) : undefined
  }
  process.once('exit', replace)
  process.once('error', replace)
  process.stdin.on('error', () => {})
  for (const group of groups) process.stdin.write(`+ ${group}\n`)
  // The shell must not keep this process alive.
  process.unref()
  if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref()
  return { process, groups }
}
