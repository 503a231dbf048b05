import { join } from 'node:path'
import type { PackFiles } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Pack } from '@generation-gateway/kit/packs.ts'
import { packBytes, packManifest, sizeText } from './manifest.ts'
import { judgePack, packFolder } from './stamp.ts'

export interface PackStatus {
  id: string
  title: string
  capability: string
  licence: string
  /** Bytes on disk once it is there. */
  bytes: number
  /** Part of what `npm run setup` adds without a name. */
  isDefault: boolean
  state: 'ready' | 'missing' | 'broken'
  /** A sentence without full stop, for a pack that is not ready: what is wrong and the command that mends it. */
  reason?: string
}

/** The packs of this machine. Nothing is remembered between calls: a pack that is added, removed or changed meanwhile is seen by the next call. */
export interface Packs extends PackFiles {
  /** One row per pack of the manifest. Costs a small read and a stat per file. */
  table(): PackStatus[]
}

/** The packs below `directory`, which need not exist. Every function throws `invalid_request` for a pack or file that the manifest does not name. */
export function openPacks(directory: string, manifest: readonly Pack[] = packManifest): Packs {
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

/** The pack of this name. Throws `invalid_request` with the names there are. */
export function findPack(id: string, manifest: readonly Pack[] = packManifest): Pack {
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
