// Own process: measures the memory of the process.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { MiB } from '@generation-gateway/kit/units.ts'
import { openS3Store } from './open.ts'
import { needS3, type S3Server, startS3 } from './testing/server.ts'

const { skip } = needS3()
const hour = 3_600_000

describe('a bucket under load', { skip }, () => {
  let server: S3Server
  before(async () => {
    server = await startS3()
  })
  after(() => server?.stop())

  async function openNodes(context: TestContext, count: number) {
    const directory = await mkdtemp(join(tmpdir(), 'gateway-s3-load-'))
    context.after(() => rm(directory, { recursive: true }))
    const bucket = await server.bucket()
    let now = 1_800_000_000_000
    const options = { bucket, clock: { now: () => now }, cacheBytes: 0 }
    const nodes = await Promise.all(
      Array.from({ length: count }, (_, index) => openS3Store({ ...options, directory: join(directory, `${index}`) })),
    )
    const step = (ms: number) => {
      now += ms
    }
    return { nodes, directory, step, now: () => now }
  }

  test('a blob of 1 GB is stored and read with at most 60 MB of memory', async context => {
    const { nodes, directory } = await openNodes(context, 1)
    const [store] = nodes
    assert.ok(store)
    const through = async (mebibytes: number) => {
      const file = join(directory, 'large')
      const sha256 = await writeLarge(file, mebibytes)
      const start = performance.now()
      const { key, bytes } = await store.adopt(file)
      const stored = performance.now()
      const hash = createHash('sha256')
      for await (const chunk of await store.read(key)) hash.update(chunk)
      assert.deepEqual([bytes, hash.digest('hex')], [mebibytes * MiB, sha256])
      await store.remove(key)
      return { inMs: stored - start, outMs: performance.now() - stored }
    }
    // The first blob is not measured, because it also loads code that all later ones use.
    await through(96)
    collectGarbage()
    const base = process.memoryUsage().rss
    let most = base
    // The garbage is collected regularly. Otherwise the process, on a busy machine, keeps up to 100
    // MB of bytes that it has already sent, whatever the length of the blob.
    const sampler = setInterval(() => {
      collectGarbage()
      most = Math.max(most, process.memoryUsage().rss)
    }, 100)
    const { inMs, outMs } = await through(1_000)
    clearInterval(sampler)
    const growth = (most - base) / 1e6
    context.diagnostic(
      `1,000 MiB: in ${(inMs / 1_000).toFixed(1)} s, out ${(outMs / 1_000).toFixed(1)} s, at most ${growth.toFixed(1)} MB over ${(base / 1e6).toFixed(0)} MB`,
    )
    assert.ok(growth <= 60, `${growth} MB`)
  })

  test('in thousands of rounds of adopting and deleting equal content at the same time, no blob is lost', async context => {
    const { nodes, step } = await openNodes(context, 2)
    const [one, other] = nodes
    assert.ok(one && other)
    // A round takes ten times as long with Swift, so there are fewer rounds.
    const [lanes, rounds] = [16, server.kind === 'swift' ? 60 : 625]
    let lost = 0
    const start = performance.now()
    const lane = async (): Promise<void> => {
      let old: string | undefined
      const folder = await one.scratch('lane')
      for (let round = 0; round < rounds; round++) {
        const file = join(folder, String(round))
        await writeFile(file, 'the same')
        step(hour)
        const [{ key }] = await Promise.all([one.adopt(file), old === undefined ? undefined : other.remove(old)])
        const text = await buffer(await other.read(key)).catch(() => undefined)
        if (text?.toString() !== 'the same') lost += 1
        if (old !== undefined) await assert.rejects(one.read(old), { code: 'gone' })
        old = key
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    context.diagnostic(`${lanes * rounds} rounds in ${((performance.now() - start) / 1_000).toFixed(1)} s, ${lost} lost`)
    assert.equal(lost, 0)
  })

  test('a blob that is kept while it is deleted exists, or the caller learns that it is gone', async context => {
    const { nodes, step } = await openNodes(context, 2)
    const [one, other] = nodes
    assert.ok(one && other)
    const keepRounds = server.kind === 'swift' ? 60 : 400
    let kept = 0
    for (let round = 0; round < keepRounds; round++) {
      const file = join(await one.scratch('keep'), 'f')
      await writeFile(file, 'the same')
      const { key } = await one.adopt(file)
      step(hour)
      const keeping: Promise<string | undefined> = one.keep(key).catch(error => {
        assert.equal(Object(error).code, 'gone')
        return undefined
      })
      const removing = sleep(round % 4).then(() => other.remove(key))
      const copy = await keeping
      await removing
      if (copy === undefined) continue
      kept += 1
      assert.equal((await buffer(await other.read(copy))).toString(), 'the same')
    }
    context.diagnostic(`${keepRounds} rounds: ${kept} kept, ${keepRounds - kept} gone, 0 lost`)
  })

  test('kill -9 of the server during 200 uploads loses no acknowledged one', async context => {
    const { nodes } = await openNodes(context, 1)
    const [store] = nodes
    assert.ok(store)
    const acknowledged = new Map<string, string>()
    let next = 0
    let refused = 0
    const upload = async (): Promise<void> => {
      while (next < 200) {
        const index = next++
        const content = randomBytes(index % 20 === 0 ? 20 * MiB : 200_000)
        const file = join(await store.scratch('upload'), 'f')
        await writeFile(file, content)
        try {
          acknowledged.set((await store.adopt(file)).key, createHash('sha256').update(content).digest('hex'))
        } catch {
          refused += 1
        }
      }
    }
    const uploads = Promise.all(Array.from({ length: 16 }, upload))
    let kills = 0
    for (const after of [40, 100, 150]) {
      while (acknowledged.size < after) await sleep(1)
      assert.ok(next < 200 || acknowledged.size + refused < 200, 'uploads are under way')
      await server.kill()
      kills += 1
      await server.restart()
    }
    await uploads
    for (const [key, sha256] of acknowledged) {
      const hash = createHash('sha256')
      for await (const chunk of await store.read(key)) hash.update(chunk)
      assert.equal(hash.digest('hex'), sha256)
    }
    context.diagnostic(`200 uploads, ${kills} kills: ${acknowledged.size} acknowledged, ${refused} refused, 0 lost`)
    assert.equal(acknowledged.size + refused, 200)
  })
})

/** Runs the garbage collector of this process. */
const collectGarbage: () => void = (() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
})()

/** Writes a file whose megabytes differ. Returns its SHA-256, hex. */
async function writeLarge(path: string, mebibytes: number): Promise<string> {
  const handle = await open(path, 'w')
  const hash = createHash('sha256')
  const piece = randomBytes(MiB)
  for (let index = 0; index < mebibytes; index++) {
    piece.writeUInt32BE(index, 0)
    hash.update(piece)
    await handle.writeFile(piece)
  }
  await handle.close()
  return hash.digest('hex')
}
