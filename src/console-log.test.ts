import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'

/** Runs the text as a module in a process of its own, which logs to stdout. Returns the log
 *  lines and the error output. */
async function printed(text: string): Promise<{ lines: string[]; error: string }> {
  const script = `
    const { createLog } = await import(${JSON.stringify(new URL('log.ts', import.meta.url).href)})
    const { consoleToLog } = await import(${JSON.stringify(new URL('console-log.ts', import.meta.url).href)})
    const { log, end } = createLog('debug', undefined)
    const routed = consoleToLog(log)
    ${text}
    await new Promise(resolve => setImmediate(resolve))
    routed[Symbol.dispose]()
    await end()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, error] = ['', '']
  child.stdout.setEncoding('utf8').on('data', part => (out += part))
  child.stderr.setEncoding('utf8').on('data', part => (error += part))
  await new Promise(resolve => child.on('close', resolve))
  return { lines: out.split('\n').filter(Boolean), error }
}

test('a library that prints megabytes fills no line with them', async () => {
  const { lines } = await printed(`console.log('x'.repeat(5_000_000))`)
  const { msg } = JSON.parse(lines[0] ?? '')
  assert.equal(msg, `${'x'.repeat(10_000)}... (5000000 characters)`)
})

test('whatever libraries print is a JSON line of the log, one for each call, at its level', async () => {
  const { lines, error } = await printed(`
    const kept = console.log
    console.log('two\\nlines %d', 7, { a: 1 })
    console.warn('careful')
    console.error(new Error('broken'))
    console.debug('detail')
    console.table([{ x: 1 }])
    console.dir({ deep: { er: true } })
    console.assert(false, 'asserted')`)
  const read = lines.map(line => JSON.parse(line))
  assert.deepEqual(
    read.map(({ level }) => level),
    [30, 40, 50, 20, 30, 30, 40],
  )
  assert.equal(read[0].msg, 'two\nlines 7 { a: 1 }')
  assert.match(read[2].msg, /^Error: broken\n/)
  assert.ok(read.every(({ from }) => from === 'console'))
  assert.equal(error, '')
})

test('warnings of node and of libraries are lines of the log, and not printed', async () => {
  const { lines, error } = await printed(`process.emitWarning('old way', 'DeprecationWarning', 'DEP9')`)
  const [read] = lines.map(line => JSON.parse(line))
  assert.deepEqual([read.level, read.from, read.name, read.msg], [40, 'node', 'DeprecationWarning', 'old way'])
  assert.equal(error, '')
})
