/** Starts the program on a data folder that an earlier version has written. Callers and
 *  operators must read the same as they did with that version. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startTestGateway } from '../testing/gateway.ts'
import { onlyEmbedded } from '../testing/stores/database.ts'

/** The recording of an earlier version, made on 2026-11-26, before folders of families and
 *  drivers were renamed. It contains tasks of F1, F2, F4, H, K and slides (done, cancelled and
 *  queued), a subject, a dictionary, a stored response, an endpoint, and a key with scopes. */
interface Recording {
  /** Unix milliseconds. */
  madeAt: number
  /** Secret of the key whose scopes are F1, K and T3. */
  narrow: string
  /** Contents of the files as base64, by path in the data folder. Only small outputs are
   *  included. */
  files: Record<string, string>
  answers: { path: string; admin?: true; status: number; body: unknown; files?: { path: string; bytes: number; sha256: string }[] }[]
}

let recording: Recording
before(async () => {
  const packed = await readFile(join(import.meta.dirname, 'fixtures/data-folder-2026-11-26.json.gz'))
  recording = JSON.parse(gunzipSync(packed).toString())
})

/** Starts the program on a copy of the recorded folder. Links and tasks expire, so the clock is
 *  set to the time of the recording. */
async function startOnFolder() {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-old-'))
  for (const [path, base64] of Object.entries(recording.files)) {
    await mkdir(dirname(join(dataDir, path)), { recursive: true })
    await writeFile(join(dataDir, path), base64, 'base64')
  }
  return startTestGateway({ dataDir, clock: { now: () => recording.madeAt } })
}

/** Returns a body without everything that differs between two starts of the same version: the
 *  address, signatures, ids of requests, and the times of a list and of the last use of a key. */
function steady(body: unknown, url: string): unknown {
  const text = JSON.stringify(body, (name, value) => (['request_id', 'created', 'lastUsedAt'].includes(name) ? undefined : value))
  return JSON.parse(text.replaceAll(url, 'http://gateway').replace(/\?exp=[^"\\]*/g, '?signed'))
}

/** Returns the list of models without the models and the families that the earlier version did not
 *  have. */
function modelsAmong(list: ModelList, earlier: unknown): unknown {
  const before = new Map((earlier as ModelList).data.map(({ id, families }) => [id, families]))
  const data = list.data.filter(({ id }) => before.has(id))
  return { ...list, data: data.map(model => ({ ...model, families: model.families.filter(each => before.get(model.id)?.includes(each)) })) }
}

interface ModelList {
  data: { id: string; families: string[] }[]
}

const oldFolder = onlyEmbedded('opens the embedded store of an earlier version')

test(
  'tasks, subjects, dictionaries, responses, keys, endpoints and usage of an earlier version are read unchanged',
  oldFolder,
  async () => {
    await using gateway = await startOnFolder()
    assert.equal(recording.answers.length, 17)
    for (const { path, admin, status, body } of recording.answers) {
      const answer = await (admin ? gateway.admin(path) : gateway.call(path))
      assert.equal(answer.status, status, path)
      const kept = path.endsWith('/models') ? modelsAmong(answer.body, body) : answer.body
      assert.deepEqual(steady(kept, gateway.url), steady(body, gateway.url), path)
    }
  },
)

test('links that an earlier version signed are still valid', oldFolder, async () => {
  await using gateway = await startOnFolder()
  const files = recording.answers.flatMap(answer => answer.files ?? [])
  assert.equal(files.length, 2)
  for (const { path, bytes, sha256 } of files) {
    const answer = await gateway.call(path, { key: false })
    assert.equal(answer.bytes.length, bytes)
    assert.equal(createHash('sha256').update(answer.bytes).digest('hex'), sha256)
  }
})

test('a key of an earlier version has the same scopes, and a task that it queued can be cancelled', oldFolder, async () => {
  await using gateway = await startOnFolder()
  const picture = { prompt: 'a red bicycle', width: 256, height: 256 }
  const f1 = await gateway.call('/v1/ai/studio-two/imgf/image/generate', { key: recording.narrow, body: picture })
  assert.equal(f1.status, 200)
  const artwork = await gateway.call('/v1/ai/default/tob/diffusion', { key: recording.narrow, body: { text: 'a hill' } })
  assert.equal(artwork.status, 403)
  const { body } = await gateway.call('/v1/tasks?limit=50')
  const queued = Object(body.data.find((task: { family: string }) => task.family === 'H'))
  assert.equal(queued.state, 'queued')
  assert.equal((await gateway.call(`/v1/tasks/${queued.id}`, { method: 'DELETE' })).status, 200)
  assert.equal((await gateway.call(`/v1/tasks/${queued.id}`)).body.state, 'cancelled')
})
