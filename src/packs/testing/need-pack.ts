import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import { needPack as needsFiles } from '@generation-gateway/kit/testing/need-pack.ts'
import { packManifest } from '../installed.ts'
import { findPack } from '../packs.ts'

/** Returns the options of a test that needs this pack. The test is skipped only on machines that
 *  cannot fetch packs. */
export function needPack(id: string): { skip?: string } {
  return needsFiles(findPack(id, packManifest))
}

/** Puts a link to a pack of this machine into another folder. A gateway that uses this folder
 *  for its packs then has only this pack. */
export async function linkPack(id: string, directory: string): Promise<void> {
  await symlink(join(packsDirectory(process.env), id), join(directory, id))
}
