import { join } from 'node:path'
import type { PackFiles } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Pack } from '@generation-gateway/kit/packs.ts'
import { packBytes, sizeText } from './manifest.ts'
import { judgePack, packFolder } from './stamp.ts'

export interface PackStatus {
  id: string
  title: string
  capability: string
  licence: string
  /** Number of bytes on disk once the pack is installed. */
  bytes: number
  /** True for a pack that `npm run setup` installs when no pack is named. */
  isDefault: boolean
  state: 'ready' | 'missing' | 'broken'
  /** For a pack that is not ready: what is wrong and which command fixes it, as a sentence
   *  without a full stop. */
  reason?: string
}

/** The packs of this machine. Nothing is cached, so each call sees packs that were added,
 *  removed or changed since the previous call. */
export interface Packs extends PackFiles {
  /** Returns one row for each pack in the manifest. It reads one small file for each pack, and the
   *  size and time of each of its files. */
  table(): PackStatus[]
}

/** Opens the packs in `directory`, which need not exist. `file` and `howToGet` throw
 *  `invalid_request` for a pack or file that is not in the manifest. */
export function openPacks(directory: string, manifest: readonly Pack[]): Packs {
  return {
    table: () => manifest.map(pack => statusOf(directory, pack)),
    file(id, name) {
      const pack = findPack(id, manifest)
      if (!pack.files.some(file => file.name === name)) throw new GatewayError('invalid_request', `The pack ${id} has no file ${name}.`)
      return judgePack(directory, pack).state === 'ready' ? join(packFolder(directory, pack), name) : undefined
    },
    howToGet(id) {
      const { title, bytes, reason } = statusOf(directory, findPack(id, manifest))
      const what = `engine pack ${id} (${title}, ${sizeText(bytes)})`
      return reason === undefined ? `The ${what} is ready.` : `The ${what} is not ready: ${reason}.`
    },
  }
}

/** Returns the pack with this id. When there is none, throws `invalid_request` with the ids of all
 *  packs. */
export function findPack(id: string, manifest: readonly Pack[]): Pack {
  const pack = manifest.find(candidate => candidate.id === id)
  if (pack) return pack
  const others =
    manifest.length === 0 ? 'no engine that is installed here has any' : `there are ${manifest.map(known => known.id).join(', ')}`
  throw new GatewayError('invalid_request', `There is no engine pack ${id}; ${others}.`)
}

function statusOf(directory: string, pack: Pack): PackStatus {
  const { id, title, capability, licence, isDefault } = pack
  const { state, reason } = judgePack(directory, pack)
  const command = isDefault ? 'npm run setup' : `npm run setup -- ${id}`
  const isPresent = state === 'broken'
  return {
    ...{ id, title, capability, licence, bytes: packBytes(pack), isDefault, state },
    ...(reason === undefined ? {} : { reason: `${reason}; ${command} ${isPresent ? 'repairs' : 'adds'} it` }),
  }
}
