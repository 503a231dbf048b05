import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { PackFiles } from './driver.ts'
import type { Pack } from './packs.ts'

/** Returns access to the files of the packs that `npm run setup` installed below `directory`. A
 *  file counts as installed when it has the declared size. */
export function packFilesIn(directory: string, packs: readonly Pack[]): PackFiles {
  return {
    file(id, name) {
      const wanted = packs.find(pack => pack.id === id)?.files.find(file => file.name === name)
      const path = join(directory, id, name)
      return wanted && statSync(path, { throwIfNoEntry: false })?.size === wanted.bytes ? path : undefined
    },
    howToGet: id => `The engine pack ${id} is not in ${directory}; npm run setup -- ${id}, run in the gateway's folder, adds it.`,
  }
}
