import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { ProgramMissing, runChild } from './child.ts'
import { fakePrograms } from './testing/pack-tools.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-child-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function runScript(
  script: string,
  more: { stallMs?: number; signal?: AbortSignal; onBytes?(bytes: number): void } = {},
): Promise<void> {
  const { env } = await fakePrograms(folder, { tool: script })
  await runChild('tool', [], { folder, env, onBytes: () => {}, ...more })
}

test('a missing program, a broken shim and Python without pip are distinguished from a failure', async () => {
  await assert.rejects(runChild('no-such-tool', [], { folder, env: { PATH: folder }, onBytes: () => {} }), ProgramMissing)
  await assert.rejects(runScript('exit 127'), ProgramMissing)
  await assert.rejects(runScript('echo "/usr/bin/python3: No module named pip" >&2; exit 1'), ProgramMissing)
  await assert.rejects(runScript('echo "warning: old" >&2; echo "ERROR: no such version" >&2; echo "hint" >&2; exit 2'), {
    message: 'tool failed (2): ERROR: no such version',
  })
})

test('a program without progress is ended, one whose folder grows is not', async () => {
  await assert.rejects(runScript('exec sleep 100', { stallMs: 250 }), { message: 'tool was ended: it took too long or stood still' })
  // The program runs longer than `stallMs`, the longest time without progress. It must not be
  // ended, because its file grows all the time.
  const script = 'for i in 1 2 3 4 5 6 7 8 9 10; do echo more >> grown; sleep 0.25; done'
  // The program is run again if it was ended. On a busy machine it may really have made no progress
  // for two seconds.
  const again = () => runScript(script, { stallMs: 2000 })
  await again().catch(again).catch(again)
})

test('stopping returns only when the program has ended', async () => {
  const stopping = new AbortController()
  // Stops the program as soon as the program has written its process id to a file.
  const onBytes = () => existsSync(join(folder, 'number')) && stopping.abort()
  // When the shell is stopped, the process `sleep` that it has started may remain. It ends by
  // itself, and `runChild` does not wait for it.
  const script = 'echo $$ > unfinished; mv unfinished number; sleep 20; echo'
  await assert.rejects(runScript(script, { signal: stopping.signal, onBytes }), { name: 'AbortError' })
  const pid = Number(await readFile(join(folder, 'number'), 'utf8'))
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})
