import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import { needPack as needsFiles } from '@generation-gateway/kit/testing/need-pack.ts'
import { findPack } from '../packs.ts'

/** Options of a test that needs this pack: skipped only where packs cannot be got. */
export function needPack(id: string): { skip?: string } {
  return needsFiles(findPack(id))
}

/** Puts a pack of this machine into another folder: a gateway there has it, and no other. */
export async function linkPack(id: string, directory: string): Promise<void> {
  await symlink(join(packsDirectory(process.env), id), join(directory, id))
}
