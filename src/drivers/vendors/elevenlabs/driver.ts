import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { speechRuns } from './runs.ts'
import { settings } from './settings.ts'

/** The driver for text to speech of ElevenLabs, streamed (docs/vendors/elevenlabs.md). */
export default serviceDriver({
  id: 'elevenlabs',
  title: 'ElevenLabs',
  settings,
  open: tools => ({ offers: { 'speech.synthesize': speechRuns(tools) }, voices: given => settings.targetOf(given).voices }),
})
