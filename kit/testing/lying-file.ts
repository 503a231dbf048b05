/** Creates sound and video files whose headers declare a wrong length. */
import { readFile, writeFile } from 'node:fs/promises'
import { runFfmpeg } from '../audio/ffmpeg.ts'

/** Writes an MP4 with `seconds` of silence that declares `says` seconds; with `picture`, it also
 *  has a grey video of that many seconds. */
export async function makeLyingFile(
  path: string,
  { seconds, says, picture }: { seconds: number; says: number; picture?: { seconds: number; width: number; height: number } },
): Promise<void> {
  const sound = ['-f', 'lavfi', '-i', `anullsrc=r=8000:cl=mono:d=${seconds}`]
  const video = picture ? ['-f', 'lavfi', '-i', `color=gray:s=${picture.width}x${picture.height}:r=24:d=${picture.seconds}`] : []
  const codecs = ['-c:a', 'aac', '-b:a', '8k', ...(picture ? ['-c:v', 'libx264', '-preset', 'ultrafast'] : [])]
  await runFfmpeg(['-y', ...sound, ...video, ...codecs, '-f', 'mp4', `file:${path}`])
  const bytes = await readFile(path)
  patchDurations(bytes, { from: 0, to: bytes.length }, says)
  await writeFile(path, bytes)
}

const boxesWithBoxes = new Set(['moov', 'trak', 'mdia', 'edts'])
/** Ticks per second in the movie header that ffmpeg writes. */
const movieTicks = 1000

function patchDurations(bytes: Buffer, { from, to }: { from: number; to: number }, seconds: number): void {
  for (let at = from; at + 8 <= to; ) {
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (size < 8) return
    if (boxesWithBoxes.has(type)) patchDurations(bytes, { from: at + 8, to: at + size }, seconds)
    if (type === 'mvhd' || type === 'mdhd') bytes.writeUInt32BE(Math.round(bytes.readUInt32BE(at + 20) * seconds), at + 24)
    if (type === 'tkhd') bytes.writeUInt32BE(movieTicks * seconds, at + 28)
    // The edit list is removed, because without it only the headers declare the length to play.
    if (type === 'elst') bytes.write('free', at + 4, 'latin1')
    at += size
  }
}
