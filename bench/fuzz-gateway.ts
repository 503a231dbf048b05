/** The gateway of the fuzz benchmark. A fake engine gets every recording that the gateway
 *  accepts. Port, data folder and key come from the environment. */
import { readConfig } from '../src/config/settings.ts'
import { startGateway } from '../src/main.ts'
import { fakeTranscriptionDriver } from '../src/testing/fakes/fake-transcription-driver.ts'

const gateway = await startGateway({ config: readConfig(process.env), env: process.env, extraDrivers: [fakeTranscriptionDriver('ears')] })
process.once('SIGTERM', () => void gateway.stop(1_000).then(() => process.exit()))
