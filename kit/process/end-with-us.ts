/** Ends the groups of processes that this process has started once it is gone, however it went: also after a SIGKILL, which lets it do nothing itself. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

// A shell that reads `+ <group>` and `- <group>` lines from a pipe of which we hold the only other
// end. The end of the pipe is the end of this process; the groups that are left are killed then.
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

/** The pipe to the one shell that watches this process: a child that writes \`+ <its group>\` into it ends with us. Not on Windows. */
export function groupKeeper(): Writable {
  keeper ??= startKeeper(new Set())
  // `pipe` in its options.
  return keeper.process.stdin as Writable
}

/** Notes a group that has written itself into the pipe, so that a keeper that was killed is followed by one that knows it. */
export function keepGroup(group: number): void {
  keeper?.groups.add(group)
}

/** Forgets a group that has ended: its number may be given to another one. */
export function forgetGroup(group: number): void {
  if (keeper?.groups.delete(group)) keeper.process.stdin?.write(`- ${group}\n`)
}

function startKeeper(groups: Set<number>): NonNullable<typeof keeper> {
  // A group of its own, so that a Ctrl-C at the gateway's does not end it first.
  const process = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], env: {}, detached: true })
  const replace = (): void => {
    if (keeper?.process === process) keeper = groups.size > 0 ? startKeeper(groups) : undefined
  }
  process.once('exit', replace)
  process.once('error', replace)
  process.stdin.on('error', () => {})
  for (const group of groups) process.stdin.write(`+ ${group}\n`)
  // It is no reason for this process to stay.
  process.unref()
  if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref()
  return { process, groups }
}
