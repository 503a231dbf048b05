import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ffmpegProgram, isMaintained } from './ffmpeg-program.ts'

test('versions of maintained branches, and of distributions that backport fixes, are accepted, others not', () => {
  for (const version of [
    '7.0',
    '7.1.2',
    'n9.0.2-17-g2a571b6068-20260930',
    '9.0',
    '10.1',
    '5.1.9-0+deb12u1',
    '6.1.1-3ubuntu5',
    '6.1.1-3ubuntu5+esm3',
  ])
    assert.ok(isMaintained(version), version)
  for (const version of [
    '',
    'N-47683-g0e8eb07980-static',
    '4.4.2-0ubuntu0.22.04.1',
    '5.1.1',
    '6.1.1-static',
    'n5.1.2-17-g2a57-20220101',
    'git-2020-01-01',
  ])
    assert.ok(!isMaintained(version), version)
})

test('the ffmpeg of this machine has every encoder and demuxer that is used', async () => {
  const { path, version } = await ffmpegProgram()
  const listed = (what: string) => spawnSync(path, ['-hide_banner', what], { encoding: 'utf8' }).stdout
  const [encoders, demuxers] = [listed('-encoders'), listed('-demuxers')]
  for (const name of ['libx264', 'aac', 'libmp3lame', 'libopus', 'flac', 'pcm_s16le', 'pcm_mulaw', 'pcm_alaw', 'png'])
    assert.match(encoders, new RegExp(` ${name} `), `${name} of ${version}`)
  const used = 'wav,mp3,mov,ogg,flac,matroska,asf,aac,amr,mpeg,mpegts,aiff,caf,w64,avi,flv,mpegvideo'.split(',')
  for (const name of used) assert.match(demuxers, new RegExp(`[ ,]${name}[ ,]`), `${name} of ${version}`)
})

test('without ffmpeg, the message names the command that adds it', { skip: process.platform === 'win32' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-no-ffmpeg-'))
  try {
    const ask = `import { ffmpegProgram, ffmpegProblem } from '${new URL('./ffmpeg-program.ts', import.meta.url)}'
      const first = ffmpegProblem()
      const { code, message } = await ffmpegProgram().catch(error => error)
      console.log(JSON.stringify({ first, code, message, trouble: ffmpegProblem() }))`
    const seen = () => {
      const env = { PATH: folder, GATEWAY_PACKS_DIR: folder }
      return JSON.parse(spawnSync(process.execPath, ['--input-type=module', '-e', ask], { encoding: 'utf8', env }).stdout)
    }
    const none = seen()
    assert.equal(none.code, 'capability_unavailable')
    assert.match(none.message, /npm run setup -- ffmpeg.* adds one; or install an ffmpeg of version 7 or later/)
    assert.deepEqual([none.first, none.trouble], [none.message, none.message])
    // Installs a version that is too old; only running the program shows its version.
    await writeFile(join(folder, 'ffmpeg'), '#!/bin/sh\necho ffmpeg version 4.4.2-0ubuntu0.22.04.1\n')
    await chmod(join(folder, 'ffmpeg'), 0o755)
    const old = seen()
    assert.deepEqual([old.first, old.code, old.trouble], [undefined, 'capability_unavailable', old.message])
  } finally {
    await rm(folder, { recursive: true })
  }
})
