import { isatty } from 'node:tty'
import { isParentGone } from '@generation-gateway/kit/process/watchdog.ts'

/** One stop often sends several signals: Ctrl-C and systemd signal the whole process group, and
 *  npm forwards its signal. Signals within this time count as one. */
const sameStopMs = 1_000
const checkEveryMs = 500
const stdio = [0, 1, 2]

/** Calls `stop` once, when the program has to shut down in order: at SIGINT or SIGTERM, when its
 *  terminal is closed, and when the npm (or `bin/gateway.js`) that runs it has ended.
 *  A second SIGINT or SIGTERM, more than a second later, ends it at once. Any other SIGHUP calls
 *  `onHangup`; without one it stops, too. */
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

/** True only for a parent that waits for the program's end. The program outlives a parent that
 *  starts it and exits, like a shell or a daemon's starter. */
function isRunByParent(env: NodeJS.ProcessEnv): boolean {
  return env.npm_package_name === 'generation-gateway' || env.GATEWAY_LAUNCHER !== undefined
}
