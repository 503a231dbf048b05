/** Writes the console output of libraries as lines of the gateway's log. */
import { Console } from 'node:console'
import { Writable } from 'node:stream'
import type { Logger } from 'pino'

type Level = 'debug' | 'info' | 'warn' | 'error'

const levels: Readonly<Record<string, Level>> = { debug: 'debug', trace: 'warn', warn: 'warn', error: 'error', assert: 'warn' }

/** Converts the `console` output of the process and the warnings of Node.js to lines of this
 *  log, until the returned object is disposed of. Otherwise they would appear as plain text
 *  between the JSON lines of the log. Each call of `console` makes one line, even with a text of
 *  several lines. */
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
  // Node.js itself would print the warnings as well, so its listener is removed.
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

/** Longest text of one line, in characters: a library may print megabytes. */
const longestText = 10_000

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}... (${text.length} characters)`
}

function lineWriter(write: (text: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      write(cut(String(chunk).replace(/\n$/, '')))
      done()
    },
  })
}
