/** Ends a server and removes its folder when this process ends, also by a SIGKILL, after which it
 *  can do nothing itself. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'

// Reads the id of the running program, or an empty line when it has ended, from a pipe whose only
// other end is in this process. When the pipe closes, it ends the program and removes the folder.
// A server that was killed leaves its lock file, whose seventh line names its shared memory.
// Removing fails as long as a program that was ended while it made the folder still writes there.
const script = `
pid=
while read -r line; do pid=$line; done
if [ "$pid" ]; then
  kill -QUIT "$pid"
  tries=0
  while [ -e "$0/data/postmaster.pid" ] && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
fi
if [ -e "$0/data/postmaster.pid" ]; then
  [ "$pid" ] && kill -KILL "$pid"
  set -- $(sed -n 7p "$0/data/postmaster.pid")
  [ "$2" ] && ipcrm -m "$2"
fi
tries=0
until rm -rf "$0" || [ $tries -ge 100 ]; do sleep 0.1; tries=$((tries + 1)); done
`

export interface Guard {
  /** Starts a program in the folder that ends with this process; one at a time. */
  spawn(program: string, args: readonly string[], options: GuardedOptions): ChildProcess
  /** Removes the folder; resolves when it is gone. The program must have ended. */
  end(): Promise<void>
}

interface GuardedOptions {
  env: NodeJS.ProcessEnv
  /** File descriptor of an open file, for both outputs. */
  log: number
  /** Absent: the user and group of this process. */
  uid?: number
  gid?: number
}

/** Guards the programs of a folder (absolute path), which the guard removes in the end. */
export function startGuard(folder: string): Guard {
  // A group of its own, so that a Ctrl-C in a terminal does not end it.
  const shell = spawn('/bin/sh', ['-c', script, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  const exited = once(shell, 'exit')
  // The option `pipe` makes this a stream.
  const pipe: Writable = shell.stdin
  pipe.on('error', () => {})
  shell.unref()
  if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref()
  return {
    spawn(program, args, { log, ...options }) {
      // The shell reports its id before it becomes the program, so that the guard always knows it.
      const child = spawn('/bin/sh', ['-c', 'echo $$ >&3; exec "$0" "$@" 3>&-', program, ...args], {
        ...options,
        cwd: folder,
        stdio: ['ignore', log, log, pipe],
      })
      child.once('exit', () => pipe.write('\n'))
      return child
    },
    async end() {
      shell.ref()
      pipe.end()
      await exited
    },
  }
}
