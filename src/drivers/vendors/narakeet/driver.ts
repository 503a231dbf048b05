import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { narrations } from './runs.ts'
import { settings } from './settings.ts'

/** Narrations of Narakeet by its polling API, which takes texts of any length; a short text's sound is the answer itself (vendors-text-audio 3.2). No call that cancels is known. */
export default serviceDriver({
  id: 'narakeet',
  title: 'Narakeet',
  settings,
  open: tools => ({ offers: { 'speech.synthesize': narrations(tools) }, voices: given => settings.targetOf(given).voices }),
})
