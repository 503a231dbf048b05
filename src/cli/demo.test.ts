/** Runs the demo in a process of its own, with one result that does not match its request. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const root = new URL('.', import.meta.url)

/** Runs `gateway demo --family Search`. In place of the real call, the demo writes `list` as the
 *  result. */
async function demoThatWrites(list: string): Promise<{ code: number | null; said: string; page: string }> {
  const output = await mkdtemp(join(tmpdir(), 'demo-'))
  const script = `
    import { writeFile } from 'node:fs/promises'
    const { searchDemo } = await import(${JSON.stringify(new URL('demo/search.ts', root).href)})
    const { main } = await import(${JSON.stringify(new URL('commands.ts', root).href)})
    searchDemo.calls[0].make = async ({ output }) => {
      await writeFile(output + '/list.txt', ${JSON.stringify(list)})
      return { file: 'list.txt', bytes: 1, facts: 'none', text: ${JSON.stringify(list)} }
    }
    process.exitCode = await main(['demo', '--family', 'Search', '--out', ${JSON.stringify(output)}])`
  await writeFile(join(output, 'run.mjs'), script)
  const child = spawn(process.execPath, [join(output, 'run.mjs')], { stdio: ['ignore', 'pipe', 'pipe'], cwd: output })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      said += text
    })
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  try {
    return { code, said, page: await readFile(join(output, 'index.html'), 'utf8') }
  } finally {
    await rm(output, { recursive: true })
  }
}

test('a result that differs from the request is BAD in the table and on the page, and the demo exits with 1', async () => {
  const { code, said, page } = await demoThatWrites('nothing')
  assert.equal(code, 1, said)
  assert.match(said, /^Search +A hot list.* BAD$/m)
  assert.match(said, /BAD: Search, A hot list.*: The text has nothing like/)
  assert.match(said, /1 of 1 results are BAD\./)
  assert.match(page, /<strong>BAD: The text has nothing like/)
})

test('a result that matches the request is ok, and the demo exits with 0', async () => {
  const list = Array.from({ length: 12 }, (_, index) => `${index + 1}. Entry (${index})`).join('\n')
  const { code, said } = await demoThatWrites(list)
  assert.equal(code, 0, said)
  assert.match(said, /^Search +A hot list.* ok$/m)
})
