/** Maps the placeholders in a JSON body to the files that they stand for. */
import type { JsonSpill } from './json-spill.ts'
import type { SpilledFile, SpillFiles } from './spill-files.ts'
import { formatPath, valueAt } from './spill-paths.ts'

/** Returns placeholder -> file, once all files are written. Throws the errors of
 *  `SpillFiles.drain`. */
export async function spilledFiles(value: unknown, spill: JsonSpill, files: SpillFiles): Promise<Map<string, SpilledFile>> {
  await files.drain()
  const spilled = new Map<string, SpilledFile>()
  for (const { placeholder, segments, name, bytes, mediaType } of spill.spilled) {
    // The body contained a key twice. JSON keeps the last value, so nothing refers to the file of
    // the first one.
    if (valueAt(value, segments) !== placeholder) {
      await files.remove(name)
    } else {
      const file: SpilledFile = { file: files.pathOf(name), bytes, field: formatPath(segments) }
      if (mediaType !== undefined) file.mediaTypePrefix = mediaType
      spilled.set(placeholder, file)
    }
  }
  return spilled
}
