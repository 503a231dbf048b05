import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { speechRuns } from './runs.ts'
import { settings } from './settings.ts'

/** Returns the driver for ElevenLabs' text to speech. The sound is streamed to the caller
 *  (docs/vendors/elevenlabs.md). */
export default serviceDriver({
  id: 'elevenlabs',
  title: 'ElevenLabs',
  settings,
  open: tools => ({ offers: { 'speech.synthesize': speechRuns(tools) }, voices: given => settings.targetOf(given).voices }),
})
