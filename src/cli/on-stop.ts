import { isatty } from 'node:tty'
import { isParentGone } from '@generation-gateway/kit/process/watchdog.ts'

/** What stops a program once is often told it twice: Ctrl-C and systemd reach its whole group, and npm passes on what it was told. */
const sameStopMs = 1_000
const lookMs = 500
const stdio = [0, 1, 2]

/** Calls `stop` once, when the program is to end in order: at SIGINT or SIGTERM, when its terminal is closed, and when the npm (or `bin/gateway.js`) that runs it is gone.
 *  SIGINT or SIGTERM again, more than a second later, ends it at once. Any other SIGHUP goes to `onHangup`; without one it stops, too. */
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
      }, lookMs).unref()
    : undefined
  return {
    [Symbol.dispose]() {
      for (const [signal, listener] of Object.entries(listeners)) process.off(signal, listener)
      clearInterval(look)
    },
  }
}

/** Only a parent that waits for the program's end: one that starts it and goes, like a shell or a daemon's starter, takes nothing with it. */
function isRunByParent(env: NodeJS.ProcessEnv): boolean {
  return env.npm_package_name === 'generation-gateway' || env.GATEWAY_LAUNCHER !== undefined
}
