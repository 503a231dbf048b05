import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { needPostgres, type PostgresServer, startPostgres } from './server.ts'

for (const version of [15, 18] as const) {
  suite(`a PostgreSQL ${version} server for tests`, needPostgres(version), () => {
    let server: PostgresServer
    before(async () => {
      server = await startPostgres({ version })
    })
    after(() => server.stop())

    test('answers pipelined queries, in separate empty databases', async () => {
      assert.ok(version === 15 ? server.version >= 15 : server.version === 18, `it is version ${server.version}`)
      const client = await connected(await server.database())
      const add = (id: number) => client.query({ name: 'add', text: 'INSERT INTO things VALUES ($1)', values: [id] })
      await Promise.all([client.query('CREATE TABLE things (id int PRIMARY KEY)'), client.query('SELECT 1'), client.query('SELECT 2')])
      const answers = await Promise.allSettled([add(1), add(1), add(2), client.query('SELECT id FROM things ORDER BY id')])
      assert.deepEqual(
        answers.map(each => (each.status === 'fulfilled' ? each.value.rows : each.reason.code)),
        [[], '23505', [], [{ id: 1 }, { id: 2 }]],
      )
      await client.end()
      const other = await connected(await server.database('with "quotes" and é'))
      assert.deepEqual((await other.query('SELECT current_database() AS name')).rows, [{ name: 'with "quotes" and é' }])
      await assert.rejects(other.query('TABLE things'), { code: '42P01' })
      await other.end()
    })

    test('keeps committed data over SIGKILL and a restart, at the same address', async () => {
      const url = await server.database()
      const client = await connected(url)
      await client.query('CREATE TABLE things AS SELECT 1 AS id')
      const ended = new Promise<void>(resolve => client.once('end', resolve))
      await server.kill()
      await ended
      await assert.rejects(connected(url), { code: 'ECONNREFUSED' })
      await server.restart()
      assert.equal(await countOf(url), 1)
      const before = server.pid
      await server.restart()
      assert.notEqual(server.pid, before)
      assert.equal(await countOf(url), 1)
    })

    test('runs as an ordinary user, listens on 127.0.0.1 only and requires a password', async () => {
      const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
      const uids = /^Uid:\s(.*)$/m.exec(status)?.[1]?.split('\t') ?? []
      assert.ok(uids.length === 4 && !uids.includes('0'), `it runs as ${uids}`)
      assert.equal(statSync(`${server.folder}/data`).mode & 0o077, 0)
      const { port } = new URL(server.url)
      const others = Object.values(networkInterfaces()).flatMap(each => each ?? [])
      for (const { address } of others.filter(each => each.family === 'IPv4' && !each.internal))
        await assert.rejects(connected(`postgres://postgres@${address}:${port}/postgres`), { code: 'ECONNREFUSED' })
      const wrong = new URL(server.url)
      wrong.password = 'wrong'
      await assert.rejects(connected(wrong.href), { code: '28P01' })
    })

    test('leaves neither processes nor files nor shared memory behind, also after SIGKILL', async () => {
      for (const isKilled of [false, true]) {
        const other = await startPostgres({ version, isDurable: isKilled })
        const { folder, pid } = other
        const client = await connected(other.url)
        assert.deepEqual((await client.query('SHOW fsync')).rows, [{ fsync: isKilled ? 'on' : 'off' }])
        await client.end()
        const memory = sharedMemoryOf(folder)
        assert.ok(pid !== undefined && processesOf(folder).length > 3, 'it has several processes')
        assert.ok(sharedMemories().includes(memory), `shared memory ${memory} is in use`)
        if (isKilled) await other.kill()
        await other.stop()
        assert.deepEqual({ folder: existsSync(folder), alive: processesOf(folder) }, { folder: false, alive: [] })
        assert.ok(!sharedMemories().includes(memory), `shared memory ${memory} is left`)
      }
    })

    test('ends with the process that started it, also after SIGKILL', async () => {
      const script = fileURLToPath(new URL('./start-and-wait.ts', import.meta.url))
      const child = spawn(process.execPath, [script, String(version)], { stdio: ['ignore', 'pipe', 'inherit'] })
      const [line] = await once(createInterface(child.stdout), 'line')
      const { folder } = JSON.parse(line)
      assert.ok(processesOf(folder).length > 3)
      child.kill('SIGKILL')
      await once(child, 'exit')
      while (existsSync(folder) || processesOf(folder).length > 0) await sleep(20)
    })
  })
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, pipeline: true })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function countOf(url: string): Promise<number> {
  const client = await connected(url)
  try {
    return (await client.query('SELECT count(*)::int AS count FROM things')).rows[0].count
  } finally {
    await client.end()
  }
}

/** Returns the ids of the running processes whose working directory is the data folder, which
 *  all processes of a server have. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc').filter(name => {
    try {
      return readlinkSync(`/proc/${name}/cwd`) === join(folder, 'data')
    } catch {
      return false
    }
  })
}

/** Returns the id of the System V shared memory with which a server locks its data folder. */
function sharedMemoryOf(folder: string): string {
  const line = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[6] ?? ''
  return line.trim().split(/\s+/)[1] ?? ''
}

function sharedMemories(): string[] {
  const lines = readFileSync('/proc/sysvipc/shm', 'utf8').split('\n').slice(1)
  return lines.map(line => line.trim().split(/\s+/)[1] ?? '')
}
