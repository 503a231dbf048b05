import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { transcriptions } from './recognition.ts'
import { settings } from './settings.ts'
import { speechRuns } from './speech.ts'
import { translations } from './translation.ts'

/** Returns the driver for Azure's neural voices, fast transcription and translation
 *  (docs/vendors/azure-speech.md). */
export default serviceDriver({
  id: 'azure-speech',
  title: 'Azure Speech',
  settings,
  open: tools => ({
    offers: { 'speech.synthesize': speechRuns(tools), 'audio.transcribe': transcriptions(tools), 'audio.translate': translations(tools) },
    voices: given => settings.targetOf(given).voices,
  }),
})
