import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { prepareDataFolder } from './data-folder.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-folder-'))
})
after(() => rm(folder, { recursive: true }))

test('a missing folder is created with its parents, for its owner only, and used again later', async () => {
  const path = join(folder, 'a/b/c')
  prepareDataFolder(path)
  prepareDataFolder(path)
  for (const each of ['a', 'a/b', 'a/b/c']) assert.equal((await stat(join(folder, each))).mode & 0o777, 0o700)
  await symlink(path, join(folder, 'link'))
  prepareDataFolder(join(folder, 'link'))
})

test('a folder in place of a file of the gateway, or a file in place of a folder, is named in one sentence', async () => {
  const cases: [name: string, put: (path: string) => Promise<unknown>, reason: RegExp][] = [
    ...['secret.key', 'admin.key', 'access.key', 'gateway.db', 'owner.db'].map((name): (typeof cases)[number] => [
      name,
      path => mkdir(path),
      /is a folder; it must be a file, or not there\.$/,
    ]),
    ['blobs', path => writeFile(path, ''), /blobs is a file; it must be a folder, or not there\.$/],
    ['gateway-scratch', path => symlink(join(folder, 'away'), path), /is a link that leads nowhere; it must be a folder, or not there\.$/],
  ]
  for (const [name, put, message] of cases) {
    const path = await mkdtemp(join(folder, 'kinds-'))
    await put(join(path, name))
    assert.throws(() => prepareDataFolder(path), { code: 'invalid_request', message }, name)
  }
  const whole = await mkdtemp(join(folder, 'kinds-'))
  await mkdir(join(whole, 'blobs'))
  await symlink(join(whole, 'blobs'), join(whole, 'gateway-scratch'))
  await writeFile(join(whole, 'secret.key'), '')
  prepareDataFolder(whole)
})

test('a folder that cannot be written is named in one sentence with the reason', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  await symlink(join(folder, 'nowhere'), join(folder, 'dangling'))
  const cases: [path: string, reason: RegExp][] = [
    [file, /there is a file of this name\.$/],
    [join(file, 'x'), /a part of the path is a file\.$/],
    [join(file, 'x/y/z'), /a part of the path is a file\.$/],
    [join(folder, 'dangling'), /cannot be written: /],
    [join(folder, 'n'.repeat(300)), /the path is too long\.$/],
  ]
  if (process.platform === 'linux')
    cases.push(['/proc/x', /takes no folder there\.$/], ['/proc/x/y', /takes no folder there\.$/], ['/sys/x', /may not write|read-only/])
  if (process.getuid?.() !== 0) {
    const locked = await mkdtemp(join(folder, 'locked-'))
    await chmod(locked, 0o500)
    cases.push([locked, /this user may not write there\.$/], [join(locked, 'x'), /this user may not write there\.$/])
  }
  for (const [path, message] of cases) assert.throws(() => prepareDataFolder(path), { code: 'invalid_request', message }, path)
})
