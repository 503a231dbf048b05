import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { openScratch } from '../files/scratch.ts'
import { blobStoreSuite } from '../suite/blobs.ts'
import { openS3Store } from './open.ts'
import { needS3, type S3Server, startS3 } from './testing/server.ts'

const hour = 3600 * 1000
const { skip } = needS3()

describe('S3', { skip }, () => {
  let server: S3Server
  before(async () => {
    server = await startS3()
  })
  after(() => server.stop())

  blobStoreSuite('s3', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gateway-blobs-'))
    let now = 1_800_000_000_000
    const clock = { now: () => now }
    const bucket = await server.bucket()
    let scratch = await openScratch(directory, 'node')
    // Parts of 5 MiB, the least that S3 takes.
    const open = () => openS3Store({ bucket, directory, scratchFolder: scratch.folder, clock, partBytes: 5 * 1024 * 1024 })
    return {
      blobs: await open(),
      passTime() {
        now += hour
      },
      now: clock.now,
      async reopen() {
        await scratch.close()
        scratch = await openScratch(directory, 'node')
        return open()
      },
      async dispose() {
        await scratch.close()
        await rm(directory, { recursive: true })
      },
    }
  })
})
