import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { narrations } from './runs.ts'
import { settings } from './settings.ts'

/** The driver for narrations by Narakeet. Its polling API accepts texts of any length. A short text
 *  is answered immediately with its sound (docs/vendors/narakeet.md#requests). The vendor documents
 *  no way to cancel. */
export default serviceDriver({
  id: 'narakeet',
  title: 'Narakeet',
  settings,
  open: tools => ({ offers: { 'speech.synthesize': narrations(tools) }, voices: given => settings.targetOf(given).voices }),
})
