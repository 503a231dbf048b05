import { isatty } from 'node:tty'
import { isParentGone } from '@generation-gateway/kit/process/watchdog.ts'

/** Signals within this time, in ms, count as one stop. A single stop may send several: Ctrl-C
 *  and systemd signal the whole process group, and npm forwards the signal as well. */
const sameStopMs = 1_000
const checkEveryMs = 500
const stdio = [0, 1, 2]

/** Calls `stop` once, when the program must shut down in an orderly way: at SIGINT or SIGTERM, when
 *  its terminal is closed, and when the npm (or `bin/gateway.js`) that runs it has ended. A second
 *  SIGINT or SIGTERM, more than a second later, ends the program at once. A SIGHUP that comes
 *  because the terminal was closed calls `stop`. Any other SIGHUP calls `onHangup`, which by
 *  default is `stop`. */
export function onStop(stop: () => void, onHangup: () => void = stop): Disposable {
  let stoppedAt: number | undefined
  const stopOnce = () => {
    if (stoppedAt !== undefined) return
    stoppedAt = performance.now()
    stop()
  }
  const interrupt = (code: number) => () => {
    if (stoppedAt !== undefined && performance.now() - stoppedAt > sameStopMs) process.exit(code)
    stopOnce()
  }
  const terminals = stdio.filter(isatty)
  const listeners = {
    SIGINT: interrupt(130),
    SIGTERM: interrupt(143),
    SIGHUP: () => {
      const isTerminalGone = terminals.length > 0 && !terminals.some(isatty)
      if (isTerminalGone) stopOnce()
      else onHangup()
    },
  }
  for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener)
  const parent = process.ppid
  const look = isRunByParent(process.env)
    ? setInterval(() => {
        if (isParentGone(parent)) stopOnce()
      }, checkEveryMs).unref()
    : undefined
  return {
    [Symbol.dispose]() {
      for (const [signal, listener] of Object.entries(listeners)) process.off(signal, listener)
      clearInterval(look)
    },
  }
}

/** True when the parent process waits for this program to end, as npm and `bin/gateway.js` do.
 *  Only then does the end of the parent stop the program. Other parents, such as a shell or a
 *  program that starts daemons, may end before the gateway does. */
function isRunByParent(env: NodeJS.ProcessEnv): boolean {
  return env.npm_package_name === 'generation-gateway' || env.GATEWAY_LAUNCHER !== undefined
}
