import type { SettingKind } from '../scene.ts'

/** Indoor places, which have no weather and no trees. */
export const indoors: ReadonlySet<SettingKind> = new Set<SettingKind>([
  'room',
  'bedroom',
  'kitchen',
  'restaurant',
  'cafe',
  'library',
  'classroom',
  'office',
  'laboratory',
  'hospital',
  'shop',
  'museum',
  'theatre',
  'concert-hall',
  'gym',
  'pool',
  'workshop',
  'garage',
  'cave',
])
