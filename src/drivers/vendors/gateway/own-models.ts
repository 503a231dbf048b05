/** What is known of the models of another gateway by their names: it has the same ones. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type ImageFamily, settings } from './settings.ts'

interface Served {
  families: readonly ImageFamily[]
  /** Parameter set or model group in its family; undefined: not known, so nothing is left out for it. */
  group: string | undefined
}

const ownModels: Readonly<Record<string, readonly [ImageFamily, string?]>> = {
  MaaS_ImgF_P: ['F1', 'P'],
  MaaS_ImgF_KG: ['F1', 'KG'],
  MaaS_ImgF_KE: ['F1', 'KE'],
  MaaS_ImgB_fast: ['F2', 'fast'],
  MaaS_ImgB_large: ['F2', 'large'],
  MaaS_ImgS_N1: ['F3', 'N1'],
  MaaS_ImgS_N2: ['F3', 'N2'],
  MaaS_ImgS_N3: ['F3', 'N3'],
  MaaS_ImgS_O1: ['F3', 'O1'],
  MaaS_ImgS_O2: ['F3', 'O2'],
  MaaS_Art_v7: ['F4'],
}

/** Families that serve the model of a target there: as its settings say, else those of the model of this name, else F1. */
export function servedBy({ model, settings: given }: { model: string; settings: JsonObject }): Served {
  const { families, group } = settings.targetOf(given)
  const [family, ownGroup] = (Object.hasOwn(ownModels, model) ? ownModels[model] : undefined) ?? (['F1'] as const)
  return { families: families ?? [family], group: group ?? ownGroup }
}
