import { serviceDriver } from '../upstream/service-driver.ts'
import { transcriptions } from './recognition.ts'
import { settings } from './settings.ts'
import { speechRuns } from './speech.ts'

/** Neural voices and fast transcription of Azure (vendors-text-audio 3.1, 3.5). Its translation has no HTTP interface, only one over a WebSocket: it is not offered. */
export default serviceDriver({
  id: 'azure-speech',
  title: 'Azure Speech',
  settings,
  open: tools => ({
    offers: { 'speech.synthesize': speechRuns(tools), 'audio.transcribe': transcriptions(tools) },
    voices: given => settings.targetOf(given).voices,
  }),
})
