/** Creates sounds and videos whose headers declare a wrong length, or very many frames. */
import { readFile, writeFile } from 'node:fs/promises'
import { runFfmpeg } from '../audio/ffmpeg.ts'

/** Writes an M4A with `seconds` of a tone whose headers declare `says` seconds. */
export async function forgedSound(path: string, { seconds, says }: { seconds: number; says: number }): Promise<string> {
  await runFfmpeg([
    '-y',
    '-f',
    'lavfi',
    '-i',
    `sine=440:duration=${seconds}`,
    '-ar',
    '16000',
    '-ac',
    '1',
    '-b:a',
    '24k',
    '-f',
    'ipod',
    `file:${path}`,
  ])
  await writeFile(path, withDuration(await readFile(path), says))
  return path
}

/** Writes a FLAC with `seconds` of a tone whose stream info declares `says` seconds. */
export async function forgedFlac(path: string, { seconds, says }: { seconds: number; says: number }): Promise<string> {
  await runFfmpeg(['-y', '-f', 'lavfi', '-i', `sine=440:duration=${seconds}`, '-ar', '16000', '-ac', '1', '-f', 'flac', `file:${path}`])
  const bytes = await readFile(path)
  // The low 32 bits of the number of samples are bytes 14 to 17 of the stream info. The stream info
  // begins after 8 bytes.
  bytes.writeUInt32BE(says * 16_000, 4 + 4 + 14)
  await writeFile(path, bytes)
  return path
}

/** Writes an MP4 with 720 lines, `seconds` of one colour and 24 frames a second whose headers
 *  declare `says` seconds. */
export async function forgedVideo(path: string, { seconds, says }: { seconds: number; says: number }): Promise<string> {
  const picture = `color=gray:size=1280x720:rate=24:duration=${seconds}`
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  await runFfmpeg(['-y', '-f', 'lavfi', '-i', picture, ...codec, '-f', 'mp4', `file:${path}`])
  await writeFile(path, withDuration(await readFile(path), says))
  return path
}

/** Writes an MP4 with `seconds` of silence whose headers declare `says` seconds; with `picture`,
 *  it also has a grey video of this size and length. */
export async function forgedMovie(
  path: string,
  { seconds, says, picture }: { seconds: number; says: number; picture?: { seconds: number; width: number; height: number } },
): Promise<string> {
  const sound = ['-f', 'lavfi', '-i', `anullsrc=r=8000:cl=mono:d=${seconds}`]
  const video = picture ? ['-f', 'lavfi', '-i', `color=gray:s=${picture.width}x${picture.height}:r=24:d=${picture.seconds}`] : []
  const codecs = ['-c:a', 'aac', '-b:a', '8k', ...(picture ? ['-c:v', 'libx264', '-preset', 'ultrafast'] : [])]
  await runFfmpeg(['-y', ...sound, ...video, ...codecs, '-f', 'mp4', `file:${path}`])
  await writeFile(path, withDuration(await readFile(path), says))
  return path
}

/** Writes a QuickTime video whose index lists `frames` frames of four bytes, each lasting a
 *  microsecond. */
export async function forgedFrames(path: string, frames: number): Promise<string> {
  const picture = 'color=gray:size=2x2:rate=1000000:duration=0.00001'
  await runFfmpeg(['-y', '-f', 'lavfi', '-i', picture, '-c:v', 'rawvideo', '-pix_fmt', 'gray', '-movflags', 'faststart', `file:${path}`])
  const bytes = await readFile(path)
  visitBoxes(bytes, ({ type, at }) => {
    // Overwrites the number of frames in `stts` (lengths of frames), `stsz` (sizes of frames) and
    // `stsc` (frames per chunk).
    if (type === 'stts' || type === 'stsz') bytes.writeUInt32BE(frames, at + 16)
    if (type === 'stsc') bytes.writeUInt32BE(frames, at + 20)
  })
  await writeFile(path, Buffer.concat([bytes, Buffer.alloc(4 * frames)]))
  return path
}

/** Returns the MP4 with another length in the headers of its movie and its tracks. */
function withDuration(mp4: Buffer, seconds: number): Buffer {
  const bytes = Buffer.from(mp4)
  let movieScale = 1_000
  visitBoxes(bytes, ({ type, at }) => {
    if (type === 'mvhd' || type === 'mdhd') {
      const scale = bytes.readUInt32BE(at + 20)
      if (type === 'mvhd') movieScale = scale
      bytes.writeUInt32BE(Math.round(scale * seconds), at + 24)
    }
    if (type === 'tkhd') bytes.writeUInt32BE(Math.round(movieScale * seconds), at + 28)
  })
  return bytes
}

const containers = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts']

/** Calls `visit` with the type and the offset in bytes of each box of an MP4, in order. Turns edit
 *  lists into free space, because they would shorten the movie. */
function visitBoxes(bytes: Buffer, visit: (box: { type: string; at: number }) => void): void {
  const walk = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to; ) {
      const size = bytes.readUInt32BE(at)
      const type = bytes.toString('latin1', at + 4, at + 8)
      if (size < 8) return
      if (type === 'elst') bytes.write('free', at + 4, 'latin1')
      visit({ type, at })
      if (containers.includes(type)) walk(at + 8, at + size)
      at += size
    }
  }
  walk(0, bytes.length)
}
