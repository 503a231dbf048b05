/** Writes the console output of libraries as lines of the log. */
import { Console } from 'node:console'
import { Writable } from 'node:stream'
import type { Logger } from 'pino'

type Level = 'debug' | 'info' | 'warn' | 'error'

const levels: Readonly<Record<string, Level>> = { debug: 'debug', trace: 'warn', warn: 'warn', error: 'error', assert: 'warn' }

/** Turns `console` output of the process and warnings of node into lines of this log, until
 *  disposal: lines of plain text would break its JSON.
 *  One call makes one line, however many lines its text has. */
export function consoleToLog(log: Logger): Disposable {
  const before = { ...console }
  const consoles = new Map<Level, Console>()
  const consoleOf = (level: Level): Console => {
    const made = consoles.get(level) ?? new Console(lineWriter(text => log[level]({ from: 'console' }, text)))
    consoles.set(level, made)
    return made
  }
  for (const name of Object.keys(before)) {
    const method: unknown = Reflect.get(consoleOf(levels[name] ?? 'info'), name)
    if (typeof method === 'function') Reflect.set(console, name, method)
  }
  const printed = process.listeners('warning')
  const warn = ({ name, message, stack }: Error): void => log.warn({ from: 'node', name, stack }, message)
  // Removes node's own listener, which prints them.
  process.removeAllListeners('warning')
  process.on('warning', warn)
  return {
    [Symbol.dispose]() {
      Object.assign(console, before)
      process.off('warning', warn)
      for (const each of printed) process.on('warning', each)
    },
  }
}

function lineWriter(write: (text: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      write(String(chunk).replace(/\n$/, ''))
      done()
    },
  })
}
