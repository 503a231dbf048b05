import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../../config.ts'
import { findPack, isOffline, openPacks } from '../packs.ts'

/** Options of a test that needs an engine pack. It is skipped, by name, only when GATEWAY_OFFLINE=1 says that packs cannot be got here;
 *  everywhere else a missing pack makes the test fail with the command that adds it. */
export function needPack(id: string): { skip?: string } {
  const { packsDir } = readConfig(process.env)
  const [status] = openPacks(packsDir, [findPack(id)]).table()
  if (status?.state === 'ready' || !isOffline(process.env)) return {}
  return { skip: `needs the engine pack ${id}, and GATEWAY_OFFLINE=1 is set` }
}

/** Puts a pack of this machine into another folder: a gateway there has it, and no other. */
export async function linkPack(id: string, directory: string): Promise<void> {
  await symlink(join(readConfig(process.env).packsDir, id), join(directory, id))
}
