import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isRunning, orphanLifeMs } from '../testing/orphan.ts'
import { until } from '../testing/until.ts'
import { type LimitedRun, type ProcessEnd, startLimited } from './limited-process.ts'
import { limitScript } from './process-limits.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-limited-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const usual: LimitedRun = { fileBytes: 0, timeMs: 60_000, env: { PATH: process.env.PATH } }

function start(script: string, changes: Partial<LimitedRun> = {}) {
  return startLimited('/bin/sh', ['-c', script], { ...usual, ...changes })
}

async function run(script: string, changes: Partial<LimitedRun> = {}): Promise<ProcessEnd & { printed: string }> {
  const child = start(script, changes)
  child.stdin.end()
  let printed = ''
  for await (const part of child.stdout) printed += part
  return { ...(await child.ended), printed }
}

/** Returns the running processes of a process group. */
function membersOf(group: number): number[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.map(Number).filter(pid => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      return Number(fields[2]) === group && fields[0] !== 'Z'
    } catch {
      return false
    }
  })
}

test('a program gets its arguments and its input, and its exit code is returned', async () => {
  const child = startLimited('/bin/cat', ['-', '/dev/null'], usual)
  child.stdin.end("it's a line\n")
  let printed = ''
  for await (const part of child.stdout) printed += part
  assert.equal(printed, "it's a line\n")
  assert.deepEqual(await child.ended, { kind: 'done', how: 'code 0', code: 0, said: '' })
  const { kind, code, said } = await run('echo badly >&2; exit 3')
  assert.deepEqual([kind, code, said], ['failed', 3, 'badly\n'])
  // The program exits with code 183. From a shell, that code would mean that a signal ended the
  // program (128 plus the signal's number); here it must be reported as a code.
  const own = startLimited('/usr/bin/env', ['sh', '-c', 'exit 183'], usual)
  own.stdout.resume()
  assert.deepEqual(await own.ended, { kind: 'failed', how: 'code 183', code: 183, said: '' })
  const missing = startLimited('/no/such/program', [], usual)
  missing.stdout.resume()
  assert.equal((await missing.ended).code, 127)
})

test('a file ends at its size limit, also in a pipeline; a pipe has no limit', async () => {
  const path = join(folder, 'endless')
  for (const script of [`exec cat /dev/zero >'${path}'`, `cat /dev/zero | cat >'${path}'`]) {
    assert.equal((await run(script, { fileBytes: 100_000 })).kind, 'file', script)
    assert.ok((await stat(path)).size <= 100_352)
  }
  const { kind, printed } = await run('head -c 200000 /dev/zero')
  assert.deepEqual([kind, printed.length], ['done', 200_000])
})

test('a program that computes forever is ended after its CPU seconds, even if it ignores signals', async () => {
  assert.equal((await run('while :; do :; done', { cpuSeconds: 1 })).kind, 'cpu')
  const deaf = await run('trap "" XCPU; while :; do :; done', { cpuSeconds: 1 })
  assert.deepEqual([deaf.kind, deaf.how], ['killed', 'SIGKILL'])
})

test('a program that requests too much memory does not get it', { skip: process.platform !== 'linux' }, async () => {
  const { kind } = await run('x=$(head -c 100000000 /dev/zero | tr "\\\\0" a); echo $x', { memoryBytes: 32 * 2 ** 20 })
  assert.notEqual(kind, 'done')
})

test('an abort, a kill and the time limit end all processes that the program has started', {
  skip: process.platform !== 'linux',
}, async () => {
  const abort = new AbortController()
  type Started = ReturnType<typeof start>
  const ways: [changes: Partial<LimitedRun>, end: (child: Started) => void][] = [
    [{ signal: abort.signal }, () => abort.abort(new Error('left'))],
    [{}, child => child.kill()],
    [{ timeMs: 3000 }, () => {}],
  ]
  const ends = []
  for (const [changes, end] of ways) {
    const child = start('sleep 600 | sleep 600', changes)
    child.stdout.resume()
    const group = child.pid ?? 0
    let isOver = false
    const ended = child.ended
      .then(
        ({ kind }) => kind,
        ({ message }: Error) => message,
      )
      .finally(() => {
        isOver = true
      })
    // On a busy machine the time limit may end the program before all three processes of the
    // pipeline have been seen.
    await until(() => isOver || membersOf(group).length === 3, 'the start of the pipeline')
    end(child)
    ends.push(await ended)
    await until(() => membersOf(group).length === 0, 'the end of the pipeline')
  }
  assert.deepEqual(ends, ['left', 'killed', 'time'])
})

test('processes that a program leaves behind are ended with it', { skip: process.platform !== 'linux' }, async () => {
  const { printed } = await run('sleep 600 >/dev/null 2>&1 & echo $!')
  await until(() => !isRunning(Number(printed)), 'the end of what was left')
})

test('a pipeline is gone within seconds when its parent is killed', { skip: process.platform === 'win32' }, async () => {
  let group = 0
  const lifeMs = await orphanLifeMs(new URL('../testing/limited-parent.ts', import.meta.url), pid => {
    group = pid
  })
  assert.ok(lifeMs < 20_000, `${lifeMs} ms`)
  if (process.platform === 'linux') await until(() => membersOf(group).length === 0, 'the end of the whole pipeline')
})

test('when the keeper of process groups is killed, another one takes over all groups', { skip: process.platform !== 'linux' }, async () => {
  const lifeMs = await orphanLifeMs(new URL('../testing/limited-parent.ts', import.meta.url), async (_pid, parent) => {
    const shells = () => childrenOf(parent).filter(pid => commandOf(pid).includes('read -r sign group'))
    const [first = 0] = shells()
    process.kill(first, 'SIGKILL')
    await until(() => shells().some(pid => pid !== first && isRunning(pid)), 'the next keeper')
    // Once the new keeper runs, the parent sends it the groups. This cannot be seen from outside,
    // so the test waits a second before the parent is killed.
    await setTimeout(1_000)
  })
  assert.ok(lifeMs < 20_000, `${lifeMs} ms`)
})

test('a process that cannot be started for want of descriptors is an error, and ends nothing', {
  skip: process.platform !== 'linux',
}, () => {
  const program = fileURLToPath(new URL('../testing/few-descriptors.ts', import.meta.url))
  for (const free of [0, 2, 4, 6, 8]) {
    const args = ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, program, String(free)]
    assert.match(execFileSync('/bin/sh', args, { encoding: 'utf8' }), /EMFILE, then started/, `${free} free`)
  }
})

test('a child of the process that keeps the output open delays the end only for a moment', {
  skip: process.platform !== 'linux',
}, async () => {
  const startedAt = performance.now()
  const child = start('setsid sleep 60 & echo $!', { lingerMs: 300 })
  let printed = ''
  child.stdout.on('data', (text: Buffer) => {
    printed += text
  })
  assert.equal((await child.ended).kind, 'done')
  assert.ok(performance.now() - startedAt < 20_000)
  process.kill(Number(printed), 'SIGKILL')
})

/** Returns an empty text when the process has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

test('the limits work with every shell', () => {
  const script = `${limitScript({ fileBytes: 51_200, cpuSeconds: 7, memoryBytes: 2 ** 31 })}ulimit -f; ulimit -t; ulimit -H -t; ulimit -v; ulimit -c`
  const shells = [['/bin/sh'], ['/bin/bash', '--posix'], ['/bin/busybox', 'sh'], ['/usr/bin/busybox', 'sh']]
  for (const [shell = '', ...options] of shells.filter(([path = '']) => existsSync(path))) {
    const said = execFileSync(shell, [...options, '-c', script], { encoding: 'utf8' }).split('\n')
    assert.deepEqual(said.slice(0, 3), ['100', '7', '9'], shell)
    if (process.platform === 'linux') assert.equal(said[3], String(2 ** 21), shell)
  }
})
