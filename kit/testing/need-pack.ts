import { packFilesIn } from '../pack-files.ts'
import { isOffline, type Pack, packsDirectory } from '../packs.ts'

/** Returns the options of a test that needs an engine pack. The test is skipped, with the pack's
 *  name, only when GATEWAY_OFFLINE=1 says that packs cannot be downloaded; otherwise a missing pack
 *  fails the test with the command that installs it. */
export function needPack(pack: Pack): { skip?: string } {
  const here = packFilesIn(packsDirectory(process.env), [pack])
  const isReady = pack.files.every(({ name }) => here.file(pack.id, name) !== undefined)
  if (isReady || !isOffline(process.env)) return {}
  return { skip: `needs the engine pack ${pack.id}, and GATEWAY_OFFLINE=1 is set` }
}
