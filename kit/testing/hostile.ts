/** Small files that harm a program which reads their headers. `endless.*` are mutated copies of
 *  ordinary files, for which a reader once ran in an endless loop. `samples-20m.m4a` declares
 *  20,000,000 samples in one box. */
import { readFile } from 'node:fs/promises'

const folder = new URL('./hostile/', import.meta.url)
const samplesAt = Buffer.from('trun')

/** Returns the files by name. */
export async function hostileFiles(): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  for (const name of ['endless.webm', 'endless.mka', 'samples-20m.m4a']) files.set(name, await readFile(new URL(name, folder)))
  const most = Buffer.from(files.get('samples-20m.m4a') ?? '')
  // The box consists of name, version and flags, then the number of samples.
  most.writeUInt32BE(0xffffffff, most.indexOf(samplesAt) + 8)
  return files.set('samples-4g.m4a', most)
}
