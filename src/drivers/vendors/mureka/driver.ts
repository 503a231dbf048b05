import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { musicRuns } from './runs.ts'
import { settings } from './settings.ts'

/** The driver for Mureka's music API: songs from lyrics, and instrumentals. */
export default serviceDriver({
  id: 'mureka',
  title: 'Mureka',
  settings,
  open: tools => ({ offers: { 'music.song': musicRuns(tools, 'song'), 'music.instrumental': musicRuns(tools, 'instrumental') } }),
})
