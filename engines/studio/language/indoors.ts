import type { SettingKind } from '../scene.ts'

/** Places under a roof: no weather, and no tree grows there. */
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
