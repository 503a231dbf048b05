import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { openFileStore } from '../../files/open.ts'
import { newTask } from '../../suite/samples.ts'
import { openSqliteStore } from '../open.ts'

// A test runs this program with a library (LD_PRELOAD) that makes one fsync fail after the file
// `flag` was created. The program prints the answers of the stores as one line of JSON.
const [directory = '', flag = ''] = process.argv.slice(2)

async function outcome(work: () => unknown): Promise<string> {
  try {
    await work()
    return 'done'
  } catch (error) {
    return error instanceof GatewayError ? error.code : String(error)
  }
}

async function blobFile(name: string): Promise<string> {
  const folder = join(directory, 'uploads')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), name)
  return join(folder, name)
}

const store = await openSqliteStore({ directory, secretKey: Buffer.alloc(32, 7) })
const blobs = await openFileStore({ directory })
const files = await Promise.all(['one', 'two', 'three'].map(blobFile))
const report: Record<string, unknown> = {
  before: await outcome(() => store.submit(newTask('task-before'))),
  adoptBefore: await outcome(() => blobs.adopt(files[0] ?? '')),
}
await writeFile(flag, '')
// The writer gets two messages. The first contains so many tasks that the second is sent before the
// commit of the first has failed.
const during = Array.from({ length: 200 }, (_, index) => outcome(() => store.submit(newTask(`task-during-${index}`))))
for (let turn = 0; turn < 50; turn += 1) await setImmediate()
during.push(outcome(() => store.submit(newTask('task-behind'))))
report.during = [...new Set(await Promise.all(during))]
await writeFile(flag, '')
report.adoptDuring = await outcome(() => blobs.adopt(files[1] ?? ''))
report.after = await outcome(() => store.submit(newTask('task-after')))
report.heartbeatAfter = await outcome(() => store.heartbeat('node-1', 1, 1))
report.adoptAfter = await outcome(() => blobs.adopt(files[2] ?? ''))
report.writable = await outcome(() => store.assertWritable())
report.read = (await store.get('task-before'))?.state
report.tasks = (await store.list({ limit: 10 })).map(task => task.id)
await store.close()
process.stdout.write(JSON.stringify(report))
