import type { PackFiles } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Pack } from '@generation-gateway/kit/packs.ts'
import { hibariPack } from '@generation-gateway/kit/voice/hibari-pack.ts'
import type { ModelFiles } from './messages.ts'
import { joePack, kokoroPack, speechPacks } from './packs.ts'
import type { Maker } from './voices.ts'

const packs: Readonly<Record<Maker, string | undefined>> = {
  Hibari: hibariPack,
  Kokoro: kokoroPack,
  Piper: joePack,
  Flite: undefined,
  ESpeak: undefined,
}

/** Returns the pack with a model's files. Undefined for Flite, which needs no files, and for
 *  eSpeak, which `findESpeak` finds. */
export function packOf(maker: Maker): Pack | undefined {
  return speechPacks.find(({ id }) => id === packs[maker])
}

/** Returns the paths of a model's files. Throws `capability_unavailable` with the command that
 *  installs them. */
export function modelFilesOf(maker: Maker, { file, howToGet }: PackFiles): ModelFiles {
  const pack = packOf(maker)
  const paths = pack?.files.map(({ name }): [string, string] => {
    const path = file(pack.id, name)
    if (path === undefined) throw new GatewayError('capability_unavailable', howToGet(pack.id))
    return [name, path]
  })
  return Object.fromEntries(paths ?? [])
}
