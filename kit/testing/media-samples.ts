/** Creates a small valid file of every media format that a family accepts. Tests then damage copies
 *  of these files. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { runFfmpeg } from '../audio/ffmpeg.ts'
import { wavHeader } from '../audio/pcm.ts'

const rate = 16_000
/** ffmpeg arguments by file extension: for files with pictures and sound, or with sound alone. */
const films: Record<string, string> = {
  mp4: '-c:v libx264 -c:a aac',
  mov: '-c:v libx264 -c:a pcm_s16le',
  mkv: '-c:v libx264 -c:a aac',
  webm: '-c:v libvpx -c:a libvorbis',
  ts: '-c:v libx264 -c:a aac -f mpegts',
  mpg: '-c:v mpeg2video -c:a mp2 -f mpeg',
  wmv: '-c:v wmv2 -c:a wmav2 -f asf',
}
const sounds: Record<string, string> = {
  mp3: '-c:a libmp3lame',
  aac: '-c:a aac',
  m4a: '-c:a aac',
  flac: '-c:a flac',
  ogg: '-c:a libvorbis',
  opus: '-ar 48000 -c:a libopus',
  wma: '-c:a wmav2',
  mka: '-c:a libvorbis',
  wav: '-c:a adpcm_ms',
}

/** Returns the files by file extension: pictures, and sounds and films of at most one second. Each
 *  has 37 bytes to about 70 KB. */
export async function mediaSamples(): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'media-samples-'))
  const files = new Map<string, Buffer>()
  try {
    const tone = join(folder, 'tone.wav')
    const frames = join(folder, 'frames.yuv')
    await writeFile(tone, plainWav())
    await writeFile(frames, Buffer.alloc(64 * 64 * 1.5 * 5, 100))
    const seen = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', '64x64', '-r', '25', '-i', `file:${frames}`]
    for (const [ending, args] of [...Object.entries(films), ...Object.entries(sounds)]) {
      const path = join(folder, `sample.${ending}`)
      await runFfmpeg(['-y', ...(ending in films ? seen : []), '-i', `file:${tone}`, ...args.split(' '), `file:${path}`])
      files.set(ending, await readFile(path))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  files.set('pcm.wav', plainWav())
  files.set('amr', Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(32 * 50, 0x3c)]))
  files.set('mid', Buffer.from('4d546864000000060000000101e04d54726b0000000f00c00500903c6483603c0000ff2f00', 'hex'))
  for (const [ending, bytes] of await pictures()) files.set(ending, bytes)
  return files
}

function plainWav(): Buffer {
  const tone = Buffer.alloc(rate * 2)
  for (let at = 0; at < rate; at++) tone.writeInt16LE(Math.round(8000 * Math.sin(at / 20)), at * 2)
  return Buffer.concat([wavHeader({ sampleRate: rate, channels: 1, bits: 16, dataBytes: tone.length }), tone])
}

async function pictures(): Promise<Map<string, Buffer>> {
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } }).withMetadata({ orientation: 6 })
  const files = new Map<string, Buffer>()
  for (const format of ['jpeg', 'png', 'webp', 'tiff', 'avif', 'gif'] as const)
    files.set(format, await picture.clone().toFormat(format).toBuffer())
  const heic = Buffer.from(files.get('avif') ?? '')
  heic.write('heic', 8, 'latin1')
  const bmp = Buffer.alloc(60)
  bmp.write('BM', 'latin1')
  bmp.writeUInt32LE(40, 14)
  bmp.writeInt32LE(60, 18)
  bmp.writeInt32LE(-40, 22)
  return files.set('heic', heic).set('bmp', bmp)
}
