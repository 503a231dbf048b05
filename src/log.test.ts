import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

/** Runs the text as a module in a process of its own, in which `log` and `end` are a log to
 *  stdout. Returns the messages that arrived. */
async function messagesOf(script: string, node?: string): Promise<string[]> {
  const start = `
    const { createLog } = await import(${JSON.stringify(new URL('log.ts', import.meta.url).href)})
    const { log, line, end } = createLog('info', undefined, ${JSON.stringify(node)})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', start + script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.equal(code, 0)
  return out
    .split('\n')
    .filter(Boolean)
    .map(each => JSON.parse(each).msg)
}

test('the last lines are written although a write is in progress at the end', async () => {
  // The long line is longer than the buffer, so a write begins at once.
  const messages = await messagesOf(`
    log.info('x'.repeat(9000))
    log.info('last')
    await end()
    line('a request after the end')
    log.info('too late')`)
  assert.deepEqual(
    messages.map(message => message.slice(0, 9)),
    ['xxxxxxxxx', 'last'],
  )
})

test('lines of a process that shares the output are all written at the end', async () => {
  const messages = await messagesOf(
    `
    for (let at = 0; at < 20; at++) log.info(String(at) + ' '.repeat(1500))
    await end()`,
    'here-1',
  )
  assert.deepEqual(
    messages.map(Number),
    Array.from({ length: 20 }, (_, at) => at),
  )
})

test('a program whose output was closed before its end ends with code 0', async () => {
  const start = `const { createLog } = await import(${JSON.stringify(new URL('log.ts', import.meta.url).href)})`
  const script = `
    import { once } from 'node:events'
    await once(process.stdin.resume(), 'end')
    const { log, end } = createLog('info', undefined)
    log.info('nobody reads this')
    await new Promise(resolve => setTimeout(resolve, 300))
    log.info('nor this')
    await end()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', start + script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  child.stdout.destroy()
  child.stdin.end()
  child.stdin.on('error', () => {})
  assert.deepEqual(await exit, [0, null])
})

test('a full disk under the log stops neither the program nor its end', {
  skip: !existsSync('/dev/full') && 'needs /dev/full',
}, async () => {
  const start = `const { createLog } = await import(${JSON.stringify(new URL('log.ts', import.meta.url).href)})`
  const script = `
    const { log, end } = createLog('info', undefined)
    for (let time = 0; time < 5; time++) {
      log.info('x'.repeat(9000))
      await new Promise(resolve => setTimeout(resolve, 150))
    }
    process.stderr.write('still running')
    await end()`
  const full = await open('/dev/full', 'w')
  const child = spawn(process.execPath, ['--input-type=module', '-e', start + script], {
    stdio: ['ignore', full.fd, 'pipe'],
    timeout: 60_000,
  })
  const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  await full.close()
  assert.match(said, /^The log cannot be written \(ENOSPC[^\n]*\n[\s\S]*still running$/)
  assert.equal(said.split('cannot be written').length, 2)
  assert.equal(code, 0)
})
