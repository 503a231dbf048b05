/** Creates short real sounds. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runFfmpeg } from '@generation-gateway/kit/audio/ffmpeg.ts'

/** Returns half a second of a tone, in a file of this type. */
export async function tone(ending: 'mp3' | 'flac' | 'wav'): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'mureka-tone-'))
  try {
    const path = join(folder, `tone.${ending}`)
    await runFfmpeg(['-y', '-f', 'lavfi', '-i', 'sine=440:duration=0.5', '-ac', '1', '-ar', '44100', `file:${path}`])
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}
