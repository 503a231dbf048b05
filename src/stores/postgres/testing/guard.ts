/** Ends a server and removes its folder as soon as this process has ended. A separate shell does
 *  this, because a process that is ended by SIGKILL cannot do anything itself. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'

// The script of a shell that reads lines from a pipe whose only other end is in this process: the
// id of the running program, or an empty line when the program has ended. When the pipe closes, the
// shell kills the program and removes the folder. A killed server leaves a lock file whose seventh
// line names its shared memory, which is removed too. The removal of the folder is repeated,
// because it fails while a process of the program still writes into it.
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
  /** Starts a program in the folder. The program is killed when this process ends. Only one
   *  program may run at a time. */
  spawn(program: string, args: readonly string[], options: GuardedOptions): ChildProcess
  /** Removes the folder; resolves when it is gone. The program must have ended. */
  end(): Promise<void>
}

interface GuardedOptions {
  env: NodeJS.ProcessEnv
  /** File descriptor of an open file to which the program's standard output and standard error
   *  are written. */
  log: number
  /** User and group of the program; those of this process when absent. */
  uid?: number
  gid?: number
}

/** Returns a guard for the programs of a folder (an absolute path). The guard removes the folder
 *  at the end. */
export function startGuard(folder: string): Guard {
  // The shell gets a process group of its own, so that a Ctrl-C in a terminal does not end it.
  const shell = spawn('/bin/sh', ['-c', script, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  const exited = once(shell, 'exit')
  // Because of the option `pipe` above, `stdin` is a stream.
  const pipe: Writable = shell.stdin
  pipe.on('error', () => {})
  shell.unref()
  if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref()
  return {
    spawn(program, args, { log, ...options }) {
      // The started shell writes its process id into the pipe before it is replaced by the program,
      // so that the guard knows the program's id from the beginning.
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
