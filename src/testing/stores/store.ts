import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobStore } from '../../core/ports/blobs.ts'
import type { FileStore } from '../../core/ports/files.ts'
import type { Clock, NewTask, ResponseStore, TaskStore } from '../../core/ports/store.ts'
import { openFileStore } from '../../stores/files/open.ts'
import { openStore } from '../../stores/open.ts'
import { databaseOf, dropDatabase } from './database.ts'

export interface TestStore {
  store: TaskStore & { responses: ResponseStore; files: FileStore }
  blobs: BlobStore
  directory: string
  [Symbol.asyncDispose](): Promise<void>
}

/** Opens the stores in an empty folder, for tests without the rest of the program. */
export async function openTestStore(clock: Clock): Promise<TestStore> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-store-'))
  const settings = { dataDir: directory, databaseUrl: await databaseOf(directory), nodeName: 'test' }
  const store = await openStore(settings, { secretKey: Buffer.alloc(32, 7) }, clock)
  const blobs = await openFileStore({ directory, clock })
  return {
    store,
    blobs,
    directory,
    [Symbol.asyncDispose]: async () => {
      await store.close()
      await dropDatabase(directory)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Returns a task in the form in which a submit stores it. */
export function newTestTask(id: string, createdAt: number, changes: Partial<NewTask> = {}): NewTask {
  return {
    id,
    accountId: 'default',
    keyId: 'key-1',
    endpoint: 'default',
    family: 'F1',
    capability: 'image.generate',
    model: 'fake',
    queue: 'fake:f',
    request: { inline: { prompt: 'x', seed: '5' } },
    inputs: [],
    publicUrl: 'http://gateway.test',
    createdAt,
    deadlineAt: createdAt + 3_600_000,
    expiresAt: createdAt + 30 * 86_400_000,
    ...changes,
  }
}

export const silentLog = { info: () => {}, warn: () => {}, error: () => {} }
