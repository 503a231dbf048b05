import { join } from 'node:path'
import type { PackFiles } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Pack } from '@generation-gateway/kit/packs.ts'
import { packBytes, sizeText } from './manifest.ts'
import { judgePack, type PackState, packFolder } from './stamp.ts'

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

/** The packs of this machine. The state of a pack is cached, but only until the code that runs
 *  now has ended (a microtask clears the cache), so each later call sees packs that were added,
 *  removed or changed. The cache is for lists of all models, which ask for the same few packs
 *  hundreds of times. */
export interface Packs extends PackFiles {
  /** Returns one row for each pack in the manifest. It reads one small file for each pack, and the
   *  size and time of each of its files. */
  table(): PackStatus[]
}

/** Opens the packs in `directory`, which need not exist. `file` and `howToGet` throw
 *  `invalid_request` for a pack or file that is not in the manifest. */
export function openPacks(directory: string, manifest: readonly Pack[]): Packs {
  const judged = new Map<Pack, PackState>()
  const judge = (pack: Pack): PackState => {
    if (judged.size === 0) queueMicrotask(() => judged.clear())
    const state = judged.get(pack) ?? judgePack(directory, pack)
    judged.set(pack, state)
    return state
  }
  return {
    table: () => manifest.map(pack => statusOf(pack, judge(pack))),
    file(id, name) {
      const pack = findPack(id, manifest)
      if (!pack.files.some(file => file.name === name)) throw new GatewayError('invalid_request', `The pack ${id} has no file ${name}.`)
      return judge(pack).state === 'ready' ? join(packFolder(directory, pack), name) : undefined
    },
    howToGet(id) {
      const pack = findPack(id, manifest)
      const { title, bytes, reason } = statusOf(pack, judge(pack))
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

function statusOf(pack: Pack, { state, reason }: PackState): PackStatus {
  const { id, title, capability, licence, isDefault } = pack
  const command = isDefault ? 'npm run setup' : `npm run setup -- ${id}`
  const isPresent = state === 'broken'
  return {
    ...{ id, title, capability, licence, bytes: packBytes(pack), isDefault, state },
    ...(reason === undefined ? {} : { reason: `${reason}; ${command} ${isPresent ? 'repairs' : 'adds'} it` }),
  }
}
