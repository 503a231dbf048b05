/** The gateway of the fuzz: whatever is sent as a recording is heard by a fake. Port, data folder and key by the environment. */
import { readConfig } from '../src/config/settings.ts'
import { startGateway } from '../src/main.ts'
import { fakeHearingDriver } from '../src/testing/fakes/fake-transcription-driver.ts'

const gateway = await startGateway({ config: readConfig(process.env), env: process.env, extraDrivers: [fakeHearingDriver('ears')] })
process.once('SIGTERM', () => void gateway.stop(1_000).then(() => process.exit()))
