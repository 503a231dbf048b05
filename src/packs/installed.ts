import type { Pack } from '@generation-gateway/kit/packs.ts'
import { engines } from '../engines.ts'
import { manifestOf } from './manifest.ts'

/** The packs of the gateway and of all engines that are installed. */
export const packManifest: readonly Pack[] = manifestOf(engines)
