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

/** Links a pack of this machine into another folder, so that a gateway with this folder has only
 *  this pack. */
export async function linkPack(id: string, directory: string): Promise<void> {
  await symlink(join(packsDirectory(process.env), id), join(directory, id))
}
