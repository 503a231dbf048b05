import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { narrations } from './runs.ts'
import { settings } from './settings.ts'

/** The driver for narrations of Narakeet. Its polling API accepts texts of any length; a short
 *  text is answered with its sound (docs/vendors/narakeet.md#requests). It has no known call to
 *  cancel. */
export default serviceDriver({
  id: 'narakeet',
  title: 'Narakeet',
  settings,
  open: tools => ({ offers: { 'speech.synthesize': narrations(tools) }, voices: given => settings.targetOf(given).voices }),
})
